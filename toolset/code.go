package toolset

import (
	"septet/backend"
	"septet/safepath"
)

// Code is the stable name of a failure. The list is append-only: hosts and
// models act on it.
type Code = safepath.Code

const (
	InvalidArguments Code = "invalid_arguments"
	UnknownTool      Code = "unknown_tool"
	NotAllowed       Code = "not_allowed"
	NoMatch          Code = "no_match"
	ManyMatches      Code = "many_matches"
	NoChange         Code = "no_change"
	Timeout          Code = "timeout"
	Cancelled        Code = "cancelled"
	OutcomeUnknown   Code = "outcome_unknown"
	UndoConflict     Code = "undo_conflict"
	NotUndoable      Code = "not_undoable"
	TurnActive       Code = "turn_active"
	FrameTooLarge    Code = "frame_too_large"
	Internal         Code = "internal"
	TooManyCalls     Code = "too_many_calls"
)

// The codes of the layers below that tools give themselves too.
const (
	NotFound       = safepath.NotFound
	Exists         = safepath.Exists
	TooLarge       = safepath.TooLarge
	Binary         = backend.Binary
	InvalidUTF8    = backend.InvalidUTF8
	SpawnFailed    = backend.SpawnFailed
	JournalFailed  = backend.JournalFailed
	OutsideRoot    = safepath.OutsideRoots
	NotDirectory   = safepath.NotDirectory
	InvalidPath    = safepath.InvalidPath
	NotRegularFile = safepath.NotRegularFile
)

// Codes lists every code in the order in which they were added.
func Codes() []Code {
	return []Code{
		InvalidArguments, UnknownTool, safepath.OutsideRoots, safepath.ProtectedPath, safepath.ReadOnlyRoot,
		safepath.InvalidPath, safepath.AmbiguousPath, safepath.PathChanged, safepath.RootChanged, safepath.NotFound,
		safepath.Exists, safepath.NotRegularFile, safepath.NotDirectory, safepath.PermissionDenied, NotAllowed,
		safepath.TooLarge, backend.Binary, backend.InvalidUTF8, NoMatch, ManyMatches, NoChange, safepath.Stale,
		backend.InvalidPattern, Timeout, Cancelled, backend.SpawnFailed, OutcomeUnknown, UndoConflict, NotUndoable,
		TurnActive, backend.JournalFailed, safepath.NoSpace, safepath.IOError, safepath.RootUnavailable, FrameTooLarge,
		Internal, TooManyCalls,
	}
}

// retryable are the codes where the same call may succeed a moment later.
var retryable = map[Code]bool{
	safepath.PathChanged: true, safepath.Stale: true, safepath.RootUnavailable: true,
	Timeout: true, TurnActive: true, safepath.NoSpace: true,
	TooManyCalls: true,
}

// statusOf maps a code to the status of the result.
func statusOf(c Code) Status {
	switch c {
	case safepath.OutsideRoots, safepath.ProtectedPath, safepath.ReadOnlyRoot, NotAllowed:
		return StatusDenied
	case Cancelled:
		return StatusCancelled
	case OutcomeUnknown:
		return StatusOutcomeUnknown
	}
	return StatusFailed
}
