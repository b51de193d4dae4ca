package server

import (
	"encoding/json"

	"septet/server/jsonrpc"
	"septet/session"
)

// notified is called on the reading goroutine. What is unknown or malformed is
// ignored: nobody waits for an answer.
func (s *server) notified(c *jsonrpc.Call) {
	params, err := optionalObject(c.Params)
	if err != nil {
		return
	}
	switch c.Method {
	case "notifications/cancelled":
		s.stream.Silence(params["requestId"], session.ErrCancelled)
	case "$/cancelRequest":
		s.stream.Cancel(params["id"], session.ErrCancelled)
	case "$/cancel":
		s.cancel(params)
	}
}

// cancel stops one call, one turn, or the running calls of all turns. Each of
// them is answered with what it has.
func (s *server) cancel(params jsonrpc.Object) {
	id, one := params["id"]
	turn, whole := params["turn"]
	switch {
	case one && whole:
		return // it means two things
	case one:
		s.stream.Cancel(id, session.ErrCancelled)
	case whole:
		s.cancelTurn(turn)
	case len(params) == 0 || onlyMeta(params):
		s.turns.CancelAll()
	}
}

func onlyMeta(params jsonrpc.Object) bool {
	_, meta := params["_meta"]
	return meta && len(params) == 1
}

func (s *server) cancelTurn(raw json.RawMessage) {
	var turn string
	if decodesTurn(raw, &turn) {
		s.turns.Cancel(turn)
	}
}
