package journal

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"septet/backend"
	"septet/safepath"
)

// undoTool is the tool that records of undo carry.
const undoTool = "undo"

// selected returns the changes that a request names, newest first: a file that
// was created and then edited must lose the edit first.
func selected(ctx context.Context, db *sql.DB, r backend.UndoRequest) ([]stored, error) {
	switch {
	case len(r.ChangeIDs) > 0:
		return byIDs(ctx, db, r.ChangeIDs)
	case r.Turn != "":
		return byTurn(ctx, db, r)
	}
	return newest(ctx, db, r)
}

// byIDs returns each named change once. Every one must be undoable.
func byIDs(ctx context.Context, db *sql.DB, ids []string) ([]stored, error) {
	var found []stored
	for _, id := range ids {
		r, err := find(ctx, db, strings.ToLower(id))
		if err != nil {
			return nil, err
		}
		if err := undoable(r); err != nil {
			return nil, err
		}
		found = append(found, r)
	}
	slices.SortFunc(found, func(a, b stored) int { return cmp.Compare(b.seq, a.seq) })
	return slices.CompactFunc(found, func(a, b stored) bool { return a.seq == b.seq }), nil
}

// byTurn returns what is in force of a turn's changes.
func byTurn(ctx context.Context, db *sql.DB, r backend.UndoRequest) ([]stored, error) {
	where, args := condition(backend.RecordQuery{Session: r.Session, Turn: r.Turn})
	found, err := query(ctx, db, where+` ORDER BY c.seq DESC`, args...)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, &backend.Error{
			Code: safepath.NotFound,
			Fact: fmt.Sprintf("there is no change of turn %q", r.Turn),
			Hint: "septet/changes/list lists the changes and their turns",
		}
	}
	return inForce(found)
}

// newest returns the last changes that are in force and are no undo: those
// are taken back by id.
func newest(ctx context.Context, db *sql.DB, r backend.UndoRequest) ([]stored, error) {
	where, args := condition(backend.RecordQuery{Session: r.Session})
	found, err := query(ctx, db, where+` AND c.state <> 'undone' AND c.tool <> ? ORDER BY c.seq DESC LIMIT ?`,
		append(args, undoTool, r.Last)...)
	if err != nil {
		return nil, err
	}
	return inForce(found)
}

// inForce leaves out what is undone already; everything else must be undoable.
func inForce(found []stored) ([]stored, error) {
	found = slices.DeleteFunc(found, func(r stored) bool { return r.State == backend.Undone })
	for _, r := range found {
		if err := undoable(r); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// undoable says why a change can never be taken back, or nil.
func undoable(r stored) error {
	switch {
	case r.State == backend.Undone:
		return notUndoable(r, "it is undone already", "to get it back, undo the change that undid it")
	case r.State == backend.Unknown:
		return notUndoable(r, "the program died while it was made and its outcome is unknown", "look at the file, and name the others by id")
	case r.Expired:
		return notUndoable(r, "its old content is no longer kept", "name the others by id")
	}
	return nil
}

func notUndoable(r stored, why, hint string) error {
	return &backend.Error{
		Code: backend.NotUndoable,
		Fact: fmt.Sprintf("change %s of %s cannot be undone: %s", r.ID, r.Path, why),
		Hint: hint,
	}
}
