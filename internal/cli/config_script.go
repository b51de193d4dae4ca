package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"septet/internal/cli/hostconfig"
)

// script prints the line for a host that a shell script configures. To write it
// is left to the person: what is in there is executed.
func (o *configOptions) script(cmd *cobra.Command, h hostconfig.Host, script string, l hostconfig.Launch) error {
	line := h.ScriptLine(l)
	switch {
	case o.write:
		return &failure{code: exitFailed, fact: script + " is a shell script, which " + h.Title + " runs; it is yours to write",
			hint: "add this line to it: " + strings.TrimSpace(line)}
	case o.asJSON:
		return printJSON(cmd.OutOrStdout(), map[string]any{"host": h.Name, "file": script, "command": l.Command, "args": l.Args, "snippet": line})
	}
	fmt.Fprintln(cmd.ErrOrStderr(), prose(fmt.Sprintf("%s runs %s; add this line to it", h.Title, script), columnsOf(cmd.ErrOrStderr()), 0))
	_, err := io.WriteString(cmd.OutOrStdout(), line)
	return err
}
