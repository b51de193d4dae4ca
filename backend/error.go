package backend

import "septet/safepath"

// Error is a failure of a backend; its code is one of safepath's or one of
// those below.
type Error = safepath.Error

// The codes backends add to those of safepath.
const (
	Binary         safepath.Code = "binary"
	InvalidUTF8    safepath.Code = "invalid_utf8"
	InvalidPattern safepath.Code = "invalid_pattern"
	SpawnFailed    safepath.Code = "spawn_failed"
	JournalFailed  safepath.Code = "journal_failed"
	NotUndoable    safepath.Code = "not_undoable"
)
