package jsonrpc

import "encoding/json"

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
