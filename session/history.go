package session

import (
	"context"

	"septet/backend"
)

// The records of changes, named here for those who may not import backend.
type (
	Record      = backend.Record
	RecordQuery = backend.RecordQuery
	RecordPage  = backend.RecordPage
	UndoRequest = backend.UndoRequest
	UndoResult  = backend.UndoResult
	Conflict    = backend.Conflict
)

// History is the stored changes of a workspace. It is safe for concurrent use.
// Errors carry a code: JournalFailed when the store cannot be used, NotFound
// for a change or turn that is not there, NotUndoable.
type History interface {
	// List returns a page of records, newest first, without hunks. Changes
	// that are under way or failed are not listed.
	List(context.Context, RecordQuery) (RecordPage, error)
	// Get returns one record with its hunks. The id may be cut short, to four
	// letters, as long as it is unique.
	Get(ctx context.Context, id string) (Record, error)
	// Undo takes changes back, newest first: all, or none when one of the
	// files is not as its change left it. It does not wait for running calls;
	// the caller keeps them away. An error after the first step comes with
	// the result so far.
	Undo(context.Context, UndoRequest) (UndoResult, error)
}
