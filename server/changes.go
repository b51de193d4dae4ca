package server

import (
	"context"
	"encoding/json"

	"septet/server/jsonrpc"
	"septet/session"
	"septet/toolset"
)

// The codes of error answers that our extension adds.
const (
	codeTurnActive    = 1
	codeNotFound      = 2
	codeJournalFailed = 3
	codeRefused       = 4 // everything else that a later call can do nothing about
)

// work runs what prepare has left: the parameters are checked on the goroutine
// that reads, which alone knows the peer.
func work(ctx context.Context, q *request) (any, *jsonrpc.Error) { return q.work(ctx) }

// members decodes the parameters into fields, by exact names. null is absent.
func members(q *request, fields map[string]any) *jsonrpc.Error {
	for name, raw := range q.params {
		if name == "_meta" {
			continue
		}
		field, known := fields[name]
		if !known {
			return badParams("unknown parameter %q", clip(name, maxMessageBytes))
		}
		if err := json.Unmarshal(raw, field); err != nil {
			return badParams("parameter %q: %v", name, err)
		}
	}
	return nil
}

// sessionName is the name under which this connection's changes are recorded.
func (s *server) sessionName() string {
	if s.peer.session != "" {
		return s.peer.session
	}
	return s.config.Session
}

// historyError is the answer to a failure of the history.
func historyError(err error) *jsonrpc.Error {
	e := toolset.AsError(err)
	code := int64(codeRefused)
	switch e.Code {
	case toolset.TurnActive:
		code = codeTurnActive
	case toolset.NotFound:
		code = codeNotFound
	case toolset.JournalFailed:
		code = codeJournalFailed
	case toolset.InvalidArguments:
		code = jsonrpc.InvalidParams
	case toolset.Internal:
		code = jsonrpc.InternalError
	}
	return (&jsonrpc.Error{Code: code, Message: toValid(e.Text())}).WithData(toolset.Failed(e).Failure)
}

// fitting encodes a result, or says that it is too large for one answer.
func fitting(q *request, result any) (any, *jsonrpc.Error) {
	body := encode(result)
	if limit := q.call.AnswerBytes(); len(body) > limit {
		return nil, historyError(toolset.Errorf(toolset.FrameTooLarge, "the answer has %d bytes; one answer may have %d", len(body), limit).
			WithHint("ask for less with limit, or use septet show on the command line"))
	}
	return body, nil
}

// noHistory stands for the history when changes are not recorded.
type noHistory struct{}

func (noHistory) List(context.Context, session.RecordQuery) (session.RecordPage, error) {
	return session.RecordPage{}, nil
}

func (noHistory) Get(_ context.Context, id string) (session.Record, error) {
	return session.Record{}, toolset.Errorf(toolset.NotFound, "there is no change %q: changes are not recorded", id)
}

func (noHistory) Undo(context.Context, session.UndoRequest) (session.UndoResult, error) {
	return session.UndoResult{}, toolset.Errorf(toolset.NotUndoable, "nothing can be undone: changes are not recorded").
		WithHint("start septet without --no-journal")
}
