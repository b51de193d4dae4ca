package cli

import (
	"crypto/rand"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"septet/session"
)

func undoCommand() *cobra.Command {
	var o pastOptions
	r := session.UndoRequest{}
	last := count(0)
	cmd := &cobra.Command{
		Use:   "undo [ID ...]",
		Short: "Take changes back",
		Long: `Take changes back, newest first: all that are named, or none when one of the
files is not as its change left it. Name them by ID, by turn or as the last
ones. Modes are restored with contents. An undo is a change too: undo its ID to
redo.

Exit code: 0, or 1 when something stands in the way; it is named and untouched.`,
		Example: "  septet undo --last\n  septet undo --last=3 --dry-run\n  septet undo --session s1 --turn t3\n  septet undo 7h3k2m9x 2c8m4v1p",
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Session, r.ChangeIDs, r.Last = o.session, args, int(last)
			if err := checkUndo(cmd, r); err != nil {
				return err
			}
			return o.with(cmd, func(p *past) error { return o.undo(cmd, p, r) })
		},
	}
	o.register(cmd.Flags())
	cmd.Flags().StringVar(&r.Turn, "turn", "", "what is in force of the changes of turn `ID`")
	cmd.Flags().Var(&last, "last", "the last `N` changes that are in force; --last alone is one")
	cmd.Flags().Lookup("last").NoOptDefVal = "1"
	cmd.Flags().BoolVar(&r.DryRun, "dry-run", false, "say what would happen and change nothing")
	return cmd
}

// count is a flag value of at least one.
type count int

func (c *count) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is not a count of at least 1", s)
	}
	*c = count(n)
	return nil
}

func (c *count) String() string { return strconv.Itoa(int(*c)) }
func (c *count) Type() string   { return "count" }

func checkUndo(cmd *cobra.Command, r session.UndoRequest) error {
	named := 0
	for _, given := range []bool{len(r.ChangeIDs) > 0, r.Turn != "", r.Last > 0} {
		if given {
			named++
		}
	}
	switch {
	case len(r.ChangeIDs) == 1 && r.Last > 0 && len(r.ChangeIDs[0]) < 4: // --last 3
		return usage("septet undo --last="+r.ChangeIDs[0], "--last takes its number after =")
	case named != 1:
		return usage("septet undo --last, septet undo --turn T or septet undo ID; septet changes lists them", "say in one way what to undo")
	}
	return nil
}

func (o *pastOptions) undo(cmd *cobra.Command, p *past, r session.UndoRequest) error {
	ctx := session.WithProvenance(cmd.Context(), session.Provenance{Session: r.Session, CallID: "undo-" + strings.ToLower(rand.Text()[:8])})
	done, err := p.history.Undo(ctx, r)
	if o.asJSON && err == nil {
		if err := printJSON(cmd.OutOrStdout(), undoneOf(done, r.DryRun)); err != nil {
			return err
		}
		if len(done.Conflicts) > 0 {
			return &failure{code: exitFailed}
		}
		return nil
	}
	if err != nil && len(done.Undone) == 0 {
		return err
	}
	if printErr := o.printUndone(cmd, p, done, r.DryRun); printErr != nil {
		return printErr
	}
	if err == nil && len(done.Conflicts) > 0 {
		return conflictFailure(done)
	}
	return err
}

// undone is the JSON of an undo.
type undone struct {
	Undone    []string       `json:"undone"`
	Recorded  []string       `json:"recorded"`
	Conflicts []undoConflict `json:"conflicts"`
	DryRun    bool           `json:"dryRun,omitempty"`
}

type undoConflict struct {
	ChangeID string  `json:"changeId"`
	Path     string  `json:"path"`
	Expected *string `json:"expected"` // null for no file
	Found    *string `json:"found"`
	Reason   string  `json:"reason"`
}

func undoneOf(done session.UndoResult, dry bool) undone {
	u := undone{Undone: append([]string{}, done.Undone...), Recorded: append([]string{}, done.Recorded...), Conflicts: []undoConflict{}, DryRun: dry}
	for _, c := range done.Conflicts {
		u.Conflicts = append(u.Conflicts, undoConflict{c.ChangeID, c.Path, orNull(c.Expected), orNull(c.Found), c.Reason})
	}
	return u
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// printUndone says which changes were taken back, or would be.
func (o *pastOptions) printUndone(cmd *cobra.Command, p *past, done session.UndoResult, dry bool) error {
	word := "undid"
	if dry {
		word = "would undo"
	}
	var lines strings.Builder
	for i, id := range done.Undone {
		r, err := p.history.Get(cmd.Context(), id)
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%s %s of %s (%s)", word, shortID(id), r.Path, counts(r))
		if i < len(done.Recorded) {
			fmt.Fprintf(&lines, ", recorded as %s", shortID(done.Recorded[i]))
		}
		lines.WriteString("\n")
	}
	if len(done.Undone)+len(done.Conflicts) == 0 {
		lines.WriteString("There is nothing to undo.\n")
	}
	_, err := io.WriteString(cmd.OutOrStdout(), lines.String())
	return err
}

// conflictFailure names every file that stood in the way, with both digests.
func conflictFailure(done session.UndoResult) error {
	var fact strings.Builder
	if len(done.Undone) == 0 {
		fact.WriteString("nothing was undone:")
	} else {
		fact.WriteString("the undo stopped:")
	}
	for _, c := range done.Conflicts {
		fmt.Fprintf(&fact, "\n%s of %s: %s\n  expected %s\n  found    %s", shortID(c.ChangeID), c.Path, c.Reason, digestOrNone(c.Expected), digestOrNone(c.Found))
	}
	return &failure{code: exitFailed, fact: fact.String(), hint: "septet show ID shows what a change did; put the file back as it left it, or leave the change out"}
}

func digestOrNone(digest string) string {
	if digest == "" {
		return "no file"
	}
	return digest
}
