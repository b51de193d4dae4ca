package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"

	"septet/backend"
	"septet/safepath"
)

// Undo takes changes back, newest first: all, or none when one of the files is
// not as its change left it. Each step is an ordinary replacement on the
// condition that this still holds, and is recorded as a change that can be
// undone itself. An error after the first step comes with the result so far.
func (h *History) Undo(ctx context.Context, r backend.UndoRequest) (backend.UndoResult, error) {
	if err := checkRequest(r); err != nil {
		return backend.UndoResult{}, err
	}
	var result backend.UndoResult
	var steps []stored
	found, err := h.settled(ctx, func(db *sql.DB) (err error) {
		steps, err = selected(ctx, db, r)
		return err
	})
	if err == nil && !found {
		err = nothingRecorded(r)
	}
	if err != nil {
		return result, h.store.lost(err)
	}
	result.Conflicts, err = h.plan(ctx, steps)
	if err != nil || len(result.Conflicts) > 0 {
		return result, err
	}
	if r.DryRun {
		for _, s := range steps {
			result.Undone = append(result.Undone, s.ID)
		}
		return result, nil
	}
	err = h.takeBack(ctx, steps, r.Session, &result)
	return result, err
}

// checkRequest wants exactly one way of naming changes.
func checkRequest(r backend.UndoRequest) error {
	ways := 0
	for _, given := range []bool{len(r.ChangeIDs) > 0, r.Turn != "", r.Last != 0} {
		if given {
			ways++
		}
	}
	if ways == 1 && r.Last >= 0 {
		return nil
	}
	return &backend.Error{
		Code: backend.NotUndoable,
		Fact: "what to undo must be named in exactly one way",
		Hint: "give change ids, or a turn, or how many of the last changes",
	}
}

func nothingRecorded(r backend.UndoRequest) error {
	if len(r.ChangeIDs) > 0 {
		return noRecord(r.ChangeIDs[0])
	}
	return &backend.Error{
		Code: safepath.NotFound,
		Fact: "no change was recorded in this workspace",
		Hint: "septet/changes/list lists what can be undone; only write and edit record what they change",
	}
}

// takeBack takes the planned steps until one meets a conflict that was not
// there when they were planned.
func (h *History) takeBack(ctx context.Context, steps []stored, session string, result *backend.UndoResult) error {
	from := backend.ProvenanceOf(ctx)
	from.Turn, from.Tool = "", undoTool
	if session != "" {
		from.Session = session
	}
	for i, s := range steps {
		stepFrom := from
		if stepFrom.Session == "" {
			stepFrom.Session = s.Session
		}
		made, err := h.step(withUndone(backend.WithProvenance(ctx, stepFrom), s.ID), s)
		var met conflictError
		if errors.As(err, &met) {
			result.Conflicts = append(result.Conflicts, met.Conflict)
			return nil
		}
		if err != nil {
			return stoppedAt(i, len(steps), err)
		}
		result.Undone = append(result.Undone, s.ID)
		result.Recorded = append(result.Recorded, made.ID)
	}
	return nil
}

// stoppedAt tells how far an undo came that failed.
func stoppedAt(done, all int, err error) error {
	if done == 0 {
		return err
	}
	var told *backend.Error
	if !errors.As(err, &told) {
		told = &backend.Error{Code: safepath.IOError, Fact: err.Error(), Err: err}
	}
	return &backend.Error{
		Code: told.Code, Hint: told.Hint, Err: err,
		Fact: fmt.Sprintf("%d of %d changes were undone, then: %s", done, all, told.Fact),
	}
}

// conflictError ends a step whose file is not as planned.
type conflictError struct{ backend.Conflict }

func (e conflictError) Error() string { return e.Path + ": " + e.Reason }

// step takes one change back.
func (h *History) step(ctx context.Context, s stored) (backend.Change, error) {
	old, err := h.oldContent(ctx, s)
	if err != nil {
		return backend.Change{}, err
	}
	p, err := h.paths.Resolve(s.Path, safepath.Write, safepath.File)
	if err != nil {
		return backend.Change{}, h.asConflict(ctx, s, err)
	}
	defer p.Close()
	if p.String() != s.Path {
		return backend.Change{}, conflictError{conflict(s, observed{other: "a link now leads to " + p.String()})}
	}
	made, err := h.files.Replace(ctx, p, backend.Replacement{
		Make:   func(b backend.Before) ([]byte, error) { return old, verify(s, b) },
		Delete: s.BeforeSHA256 == "",
		Mode:   s.ModeBefore,
	})
	if err != nil {
		return made, h.asConflict(ctx, s, err)
	}
	if made.Kind == backend.Deleted {
		h.removeParents(s)
	}
	return made, nil
}

// verify holds a file that is about to be replaced against what its change
// left, under the lock of its writers.
func verify(s stored, b backend.Before) error {
	now := observed{}
	if b.Exists {
		now = observed{digest: digestOf(b.Content), mode: b.Mode}
	}
	if now.is(afterOf(s)) {
		return nil
	}
	return conflictError{conflict(s, now)}
}

func (h *History) oldContent(ctx context.Context, s stored) ([]byte, error) {
	if s.BeforeSHA256 == "" {
		return nil, nil
	}
	d, err := h.store.open(ctx)
	if err != nil {
		return nil, err
	}
	content, kept, err := contentOf(ctx, d.DB, s.BeforeSHA256)
	if err != nil {
		return nil, h.store.failure("read an old content", err)
	}
	if !kept {
		s.Expired = true
		return nil, undoable(s)
	}
	if digestOf(content) != s.BeforeSHA256 {
		return nil, notUndoable(s, "its old content is damaged in the journal", "name the others by id")
	}
	return content, nil
}

// asConflict looks again after a refusal that says that the file is no longer
// what it was; any other error stays what it is.
func (h *History) asConflict(ctx context.Context, s stored, err error) error {
	switch safepath.CodeOf(err) {
	case safepath.Stale, safepath.Exists, safepath.NotRegularFile, safepath.NotDirectory, safepath.NotFound,
		safepath.PathChanged, backend.Binary, backend.InvalidUTF8, safepath.TooLarge:
		now, lookErr := h.observe(ctx, s.Path)
		if lookErr != nil {
			return err
		}
		if now.is(afterOf(s)) {
			now.other = err.Error()
		}
		return conflictError{conflict(s, now)}
	}
	return err
}

// removeParents removes the directories that were made for a created file, as
// far as they are empty. One that is not, or that cannot be removed, stays:
// the undo of the file stands.
func (h *History) removeParents(s stored) {
	directory := s.Path
	for range s.MadeParents {
		directory = path.Dir(directory)
		p, err := h.paths.Resolve(directory, safepath.Write, safepath.Directory)
		if err != nil {
			return
		}
		err = safepath.RemoveEmptyDir(p)
		p.Close()
		if err != nil {
			return
		}
	}
}
