package main

import "context"

// client is what the scenario needs of a client library.
type client interface {
	// Revision is the one that was agreed.
	Revision() string
	// Tools lists the names in the server's order, asked anew each time.
	Tools(ctx context.Context) ([]string, error)
	// Call calls a tool. progress may be nil; an error is a protocol error.
	Call(ctx context.Context, tool string, arguments map[string]any, progress func(float64)) (answer, error)
	Ping(ctx context.Context) error
	// Close ends the connection and waits for the process.
	Close() error
}

// answer is the result of a call.
type answer struct {
	text    string
	isError bool
	code    string // of _meta["septet/error"]
}

func codeOf(meta map[string]any) string {
	failure, _ := meta["septet/error"].(map[string]any)
	code, _ := failure["code"].(string)
	return code
}

// invalidParams is the code of an unknown tool.
const invalidParams = -32602
