package session

import (
	"errors"

	"septet/backend"
)

// The causes with which a call's context ends; a deadline is
// context.DeadlineExceeded. Read them with context.Cause.
var (
	// ErrCancelled: the host no longer wants an answer, or wants what there is.
	ErrCancelled = errors.New("cancelled by the host")
	// ErrTurnEnded: the call's turn was cancelled.
	ErrTurnEnded = errors.New("turn cancelled by the host")
	// ErrShutdown: the program ends.
	ErrShutdown = backend.ErrShutdown
)
