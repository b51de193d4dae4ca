package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"septet/session"
	"septet/toolset"
)

// The exit codes of effects besides 0 for allow and exitUsage.
const (
	exitAsk  = 10
	exitDeny = 11
)

// effectsOptions are what effects takes besides the flags of serve.
type effectsOptions struct {
	invocation
	json bool
}

func effectsCommand(p Program) *cobra.Command {
	var o effectsOptions
	cmd := &cobra.Command{
		Use:   "effects TOOL [key=value ...]",
		Short: "Say what a call would do, without doing it",
		Long: `Say what a call would do and the verdict of the mode on it, without doing it. A
command of bash is recognised by a closed list; once allowed, it runs with your
full rights.

Exit code: 0 when the verdict is allow, 10 for ask, 11 for deny, 2 for a wrong
command line or a tool that is not selected.`,
		Example: "  septet effects bash command='git status'\n" +
			"  septet effects write path=a.txt content=x --mode accept-edits --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd, p, args)
		},
	}
	o.register(cmd)
	cmd.Flags().BoolVar(&o.json, "json", false, "print JSON")
	listFlags(cmd, "workspace", "read", "write", "skills", "protect", "mode", "tools", "state", "env", "keep-env", "config", "args", "json")
	return cmd
}

func (o *effectsOptions) run(cmd *cobra.Command, p Program, words []string) error {
	return o.with(cmd, p, words, func(c *pipe, params callParams) error {
		raw, err := c.request("septet/effects", params, nil)
		if err != nil {
			return err
		}
		return o.print(cmd.OutOrStdout(), raw)
	})
}

// print writes the answer; its verdict decides the exit code.
func (o *effectsOptions) print(w io.Writer, raw json.RawMessage) error {
	var preview toolset.Preview
	if err := json.Unmarshal(raw, &preview); err != nil {
		return fmt.Errorf("read the result: %w", err)
	}
	text := previewText(preview, columnsOf(w))
	if o.json {
		indented, err := json.MarshalIndent(preview, "", "  ")
		if err != nil {
			return err
		}
		text = string(indented) + "\n"
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	switch preview.Verdict {
	case session.Allow:
		return nil
	case session.Ask:
		return &failure{code: exitAsk}
	}
	return &failure{code: exitDeny}
}

// previewText is the verdict with its rule, the reason in so many columns, and
// a line for each effect.
func previewText(p toolset.Preview, columns int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", p.Verdict, p.Rule)
	if p.Reason != "" {
		fmt.Fprintf(&b, "%s\n", prose(p.Reason, columns, 0))
	}
	for _, e := range p.Effects {
		switch e.Kind {
		case session.EffectUnknown: // the reason says it
		case session.EffectExecute:
			fmt.Fprintf(&b, "%s  %s\n", e.Kind, strings.Join(append([]string{e.Program}, e.Args...), " "))
		default:
			fmt.Fprintf(&b, "%s  %s\n", e.Kind, e.Path)
		}
	}
	return b.String()
}
