package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

func toolsCommand(p Program) *cobra.Command {
	var o options
	asJSON := false
	cmd := &cobra.Command{
		Use:     "tools [--json]",
		Short:   "List the selected tools as a host sees them",
		Example: "  septet tools --mode read-only\n  septet tools --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			host, err := o.prepare(cmd, p)
			if err != nil {
				return err
			}
			defer host.close()
			return withServer(cmd.Context(), host.serve, func(c *pipe) error {
				if asJSON {
					return printToolsJSON(cmd.OutOrStdout(), c)
				}
				return printTools(cmd.OutOrStdout(), c)
			})
		},
	}
	o.register(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	listFlags(cmd, "mode", "tools", "structured", "config", "json")
	return cmd
}

// toolIndent is where the text of a tool begins.
const toolIndent = len("grep   reads    ")

func printTools(w io.Writer, c *pipe) error {
	tools, err := listTools(c)
	if err != nil {
		return err
	}
	columns := columnsOf(w)
	for _, t := range tools {
		what := prose(firstSentence(t.Description), columns, toolIndent)
		if _, err := fmt.Fprintf(w, "%-6s %-8s %s\n", t.Name, t.risk(), what); err != nil {
			return err
		}
	}
	return nil
}

func printToolsJSON(w io.Writer, c *pipe) error {
	raw, err := c.request("tools/list", object{}, nil)
	if err != nil {
		return err
	}
	var list struct {
		Tools json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, list.Tools, "", "  "); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, text.String())
	return err
}

// risk says in a word what the annotations say in four.
func (t tool) risk() string {
	switch {
	case t.Annotations.ReadOnly:
		return "reads"
	case t.Annotations.OpenWorld:
		return "runs"
	}
	return "writes"
}

// firstSentence ends at a full stop after a whole word, so not at "e.g.".
func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if end := sentenceEnd.FindStringIndex(text); end != nil {
		return text[:end[1]-1]
	}
	return text
}

var sentenceEnd = regexp.MustCompile(`[^. ][^. ]\. `)
