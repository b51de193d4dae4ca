package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// message is one element of the wire that was found to be well formed.
type message struct {
	id     json.RawMessage // nil for a notification
	idKey  string
	method string
	params json.RawMessage // nil when absent
}

// refusal is the answer to something that is no message. id is nil when it is
// unknown.
type refusal struct {
	id  json.RawMessage
	err *Error
}

func refuse(id json.RawMessage, text string) *refusal {
	return &refusal{id: id, err: &Error{Code: InvalidRequest, Message: text}}
}

// parseMessage reads one element of valid JSON. A response gives neither a
// message nor a refusal: we never ask anything.
func parseMessage(raw json.RawMessage) (*message, *refusal) {
	members, twice, err := splitObject(raw)
	if err != nil {
		return nil, refuse(nil, "not a request: "+err.Error())
	}
	if len(twice) > 0 {
		return nil, refuse(plainID(members, twice), "not a request: "+errTwice(twice[0]).Error())
	}
	method, isCall := members["method"]
	_, isResult := members["result"]
	_, isError := members["error"]
	if !isCall && (isResult || isError) {
		return nil, nil
	}
	var m message
	if id, given := members["id"]; given {
		key, ok := idKey(id)
		if !ok {
			return nil, refuse(nil, fmt.Sprintf("id must be a string or an integer of at most %d bytes", MaxIDBytes))
		}
		m.id, m.idKey = id, key
	}
	if string(members["jsonrpc"]) != `"2.0"` {
		return nil, refuse(m.id, `jsonrpc must be "2.0"`)
	}
	switch {
	case !isCall:
		return nil, refuse(m.id, "method is missing")
	case isResult || isError:
		return nil, refuse(m.id, "a request has no result and no error")
	case method[0] != '"':
		return nil, refuse(m.id, "method must be a string")
	}
	m.method, err = unquote(method)
	if err != nil {
		return nil, refuse(m.id, "method must be a string")
	}
	m.params = members["params"]
	return &m, nil
}

// detach copies a message that is a small part of its frame, so that whatever
// else a client put there is not kept for as long as the call runs.
func (m *message) detach(frame []byte) {
	if len(frame) > maxKeptFrameBytes && len(m.params) < len(frame)/2 {
		m.id, m.params = bytes.Clone(m.id), bytes.Clone(m.params)
	}
}

// plainID is the id of a refused object, as far as there is no doubt about it.
func plainID(members Object, twice []string) json.RawMessage {
	if _, ok := idKey(members["id"]); !ok || slices.Contains(twice, "id") {
		return nil
	}
	return members["id"]
}
