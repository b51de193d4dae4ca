package server

import (
	"encoding/json"
	"regexp"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"

	"septet/server/jsonrpc"
	"septet/session"
)

// request is one accepted request. It is made on the goroutine that reads and
// then belongs to the method that answers it.
type request struct {
	call   *jsonrpc.Call
	conn   *jsonrpc2.Conn
	params jsonrpc.Object // empty when absent
	meta   jsonrpc.Object // params._meta; empty when absent
	era    era
	turn   string          // params._meta["septet/turn"]; "" for the implicit turn
	token  json.RawMessage // params._meta.progressToken; nil when absent

	trace string // params._meta.traceparent as far as it is one; for the log
	auto  bool   // params._meta["septet/auto"]: nobody was asked about the call

	invocation *invocation       // of tools/call and septet/effects
	undo       *undo             // of septet/changes/undo
	member     *session.TurnCall // of the turn, while the call runs
	release    func()            // called when the answer has left; nil when nothing is held
}

// newRequest splits the parameters. Absent and null are both empty.
func newRequest(conn *jsonrpc2.Conn, call *jsonrpc.Call) (*request, *jsonrpc.Error) {
	q := &request{call: call, conn: conn}
	var err error
	if q.params, err = optionalObject(call.Params); err != nil {
		return q, badParams("params: %v", err)
	}
	if q.meta, err = optionalObject(q.params["_meta"]); err != nil {
		return q, badParams("params._meta: %v", err)
	}
	return q, q.readMeta()
}

// readMeta reads what _meta says about how the request is to be served.
func (q *request) readMeta() *jsonrpc.Error {
	if raw, given := q.meta["septet/turn"]; given {
		if !decodesTurn(raw, &q.turn) {
			return badParams(`params._meta["septet/turn"] must be a string of 1 to %d characters`, maxTurnChars)
		}
	}
	if q.token = q.meta["progressToken"]; q.token != nil && !jsonrpc.ValidID(q.token) {
		return badParams("params._meta.progressToken must be a string or an integer of at most %d bytes", jsonrpc.MaxIDBytes)
	}
	if trace := ""; decodes(q.meta["traceparent"], &trace) && traceparent.MatchString(trace) {
		q.trace = trace // one that is malformed is ignored, as its specification wants
	}
	if raw, given := q.meta["septet/auto"]; given {
		if string(raw) != "true" && string(raw) != "false" {
			return badParams(`params._meta["septet/auto"] must be true or false`)
		}
		q.auto = string(raw) == "true"
	}
	return nil
}

// decodesTurn reports whether raw can name a turn and puts the name into turn.
func decodesTurn(raw json.RawMessage, turn *string) bool {
	return decodes(raw, turn) && *turn != "" && utf8.RuneCountInString(*turn) <= maxTurnChars
}

// traceparent is the form of W3C Trace Context, whatever its version. What does
// not have it is not logged: a log line holds no text that a host chose freely.
var traceparent = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)

func optionalObject(raw json.RawMessage) (jsonrpc.Object, error) {
	if raw == nil || string(raw) == "null" {
		return jsonrpc.Object{}, nil
	}
	return jsonrpc.ParseObject(raw)
}

func (q *request) released() {
	if q.release != nil {
		q.release()
	}
}
