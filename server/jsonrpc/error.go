package jsonrpc

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The codes that JSON-RPC defines.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
)

// Error is an error answer.
type Error struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// WithData returns e with v as its data. v must be something that can be
// encoded.
func (e *Error) WithData(v any) *Error {
	data, err := json.Marshal(v)
	if err != nil {
		panic("jsonrpc: error data: " + err.Error())
	}
	e.Data = data
	return e
}

// encode writes the error in at most limit bytes: a long text is cut, and data
// goes when there is no room for it. limit is that of a batched call, or more.
func (e *Error) encode(limit int) []byte {
	const mostPerByte = 6 // \u0001
	short := *e
	short.Message = clip(e.Message, maxErrorTextBytes)
	body := mustEncode(&short)
	if len(body) <= limit {
		return body
	}
	short.Data = nil
	short.Message = clip(e.Message, limit/(mostPerByte+1))
	return mustEncode(&short)
}

// clip shortens a text that repeats what was sent.
func clip(s string, max int) string {
	if len(s) <= max {
		return s
	}
	return fmt.Sprintf("%s... (%d bytes)", strings.ToValidUTF8(s[:max], ""), len(s))
}
