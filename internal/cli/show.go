package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"septet/session"
	"septet/toolset"
)

func showCommand() *cobra.Command {
	var o pastOptions
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one change as a diff",
		Long: `Show one change as a unified diff, in colour and a page at a time on a terminal.
The ID may be cut short, to four letters or more, as long as it is unique. What
is piped can be given to patch -p1.`,
		Example: "  septet show 7h3k2m9x\n  septet show 7h3k2m9x | patch -p1 -R",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("septet changes lists them", "septet show needs the id of one change")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.with(cmd, func(p *past) error { return o.show(cmd, p, args[0]) })
		},
	}
	o.register(cmd.Flags())
	hideRoots(cmd.Flags())
	return cmd
}

func (o *pastOptions) show(cmd *cobra.Command, p *past, id string) error {
	r, err := p.history.Get(cmd.Context(), id)
	if err != nil {
		return err
	}
	if o.session != "" && r.Session != o.session {
		return usage("leave --session out", "change %s is of session %s", r.ID, r.Session)
	}
	if o.asJSON {
		return printJSON(cmd.OutOrStdout(), toolset.NewRecord(r).WithHunks(r.Hunks))
	}
	return paged(cmd.OutOrStdout(), func(s *screen) error { return printChange(s, r) })
}

// printChange prints what is known of a change and its diff. Lines before the
// diff are no part of it for any program that applies it.
func printChange(s *screen, r session.Record) error {
	s.line(s.paint(bold, "change "+r.ID))
	s.line(fmt.Sprintf("%s %s%s", counts(r), r.Path, notes(r)))
	s.line(fmt.Sprintf("%s by %s, call %s of session %s", r.At.Local().Format("2006-01-02 15:04:05 -0700"), r.Tool, visible(r.CallID), visible(r.Session)))
	s.line("")
	if len(r.Hunks) == 0 {
		s.line(withoutDiff(r))
		return s.err
	}
	s.patch(r)
	return s.err
}

// withoutDiff says why there is no diff to show.
func withoutDiff(r session.Record) string {
	if r.Added+r.Removed == 0 {
		return "The file is empty."
	}
	return "The diff is no longer kept."
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
