package server

import (
	"septet/server/jsonrpc"
	"septet/toolset"
)

// The error codes of our own: of our methods, and of any call that is too many.
// The list is append-only.
const (
	codeTurnActive    = 1
	codeNotFound      = 2
	codeJournalFailed = 3
	codeNotUndoable   = 4
	codeNotAllowed    = 5
	codeTooLarge      = 6
	codeTooManyCalls  = 7
)

// failure is the machine-readable side of an error answer.
type failure = toolset.Failure

// ownError gives a failure outside the result of a tool its code.
func ownError(err error) *jsonrpc.Error {
	codes := map[toolset.Code]int64{
		toolset.TurnActive: codeTurnActive, toolset.NotFound: codeNotFound, toolset.JournalFailed: codeJournalFailed,
		toolset.NotUndoable: codeNotUndoable, toolset.NotAllowed: codeNotAllowed, toolset.FrameTooLarge: codeTooLarge,
		toolset.TooManyCalls: codeTooManyCalls,
	}
	e := toolset.AsError(err)
	code, ours := codes[e.Code]
	switch {
	case e.Code == toolset.Internal:
		code = jsonrpc.InternalError
	case !ours: // a path that is refused by now, a full disk: data.code tells
		code = codeNotUndoable
	}
	return (&jsonrpc.Error{Code: code, Message: e.Text()}).WithData(failureOf(err))
}

func failureOf(err error) failure {
	f := *toolset.Failed(toolset.AsError(err)).Failure
	f.Message = clip(f.Message, maxFailureBytes)
	return f
}
