package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"septet/backend"
	"septet/session"
	"septet/toolset"
)

// maxShownID is how much of an id a list shows: enough to be unique among
// thousands, and the verbs take ids that are cut short.
const maxShownID = 8

func changesCommand() *cobra.Command {
	var o pastOptions
	query := session.RecordQuery{}
	cmd := &cobra.Command{
		Use:   "changes [PATH]",
		Short: "List what write, edit and undo changed",
		Long: `List what write, edit and undo changed in this workspace, newest first; with a
PATH, that file or what is below that directory. What commands changed is not
recorded.`,
		Example: "  septet changes\n  septet changes --limit 5 src\n  septet changes --session s1 --turn t3 --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("septet changes [PATH]", "septet changes takes one path, got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if query.Limit < 1 || query.Limit > backend.MaxRecords {
				return usage(fmt.Sprintf("give 1 to %d", backend.MaxRecords), "--limit %d is out of range", query.Limit)
			}
			query.Session, query.Path = o.session, strings.Join(args, "")
			return o.with(cmd, func(p *past) error { return o.list(cmd, p, query) })
		},
	}
	o.register(cmd.Flags())
	hideRoots(cmd.Flags())
	cmd.Flags().StringVar(&query.Turn, "turn", "", "only changes of the turn `ID`")
	cmd.Flags().IntVar(&query.Limit, "limit", 20, "at most `N` changes")
	return cmd
}

func (o *pastOptions) list(cmd *cobra.Command, p *past, query session.RecordQuery) error {
	page, err := p.history.List(cmd.Context(), query)
	if err != nil {
		return err
	}
	if o.asJSON {
		list := make([]toolset.Record, len(page.Records))
		for i, r := range page.Records {
			list[i] = toolset.NewRecord(r)
		}
		return printJSON(cmd.OutOrStdout(), list)
	}
	if len(page.Records) == 0 {
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "No changes are recorded in %s\n", p.paths.WorkingDirectory())
		return err
	}
	if err := printChanges(cmd.OutOrStdout(), page.Records); err != nil {
		return err
	}
	if page.Next != 0 {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "[the newest %d; more with --limit]\n", len(page.Records))
	}
	return err
}

// printChanges prints one line for each change.
func printChanges(w io.Writer, records []backend.Record) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range records {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n",
			shortID(r.ID), r.At.Local().Format("2006-01-02 15:04:05"), r.Tool, counts(r), r.Path+notes(r))
	}
	return table.Flush() // it keeps the first failed write
}

func shortID(id string) string { return id[:min(len(id), maxShownID)] }

// counts says in a word and two numbers what happened.
func counts(r backend.Record) string { return fmt.Sprintf("%s +%d -%d", r.Kind, r.Added, r.Removed) }

// notes says what is not ordinary about a change.
func notes(r backend.Record) string {
	var list []string
	if r.Turn != "" {
		list = append(list, "turn "+visible(r.Turn))
	}
	if r.Undoes != "" {
		list = append(list, "undoes "+shortID(r.Undoes))
	}
	if r.State != backend.Applied {
		list = append(list, string(r.State))
	}
	if r.Expired {
		list = append(list, "expired")
	}
	if len(list) == 0 {
		return ""
	}
	return "  [" + strings.Join(list, ", ") + "]"
}
