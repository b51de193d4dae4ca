package jsonrpc

import "encoding/json"

// Call is one accepted message, a request or a notification.
type Call struct {
	Method string
	Params json.RawMessage // nil when absent; valid JSON of any kind
	ID     json.RawMessage // as the client wrote it; nil for a notification

	key     string // what the library knows the call by
	idKey   string
	batch   *batch        // nil outside a batch
	written chan struct{} // closed when the answer was written or dropped

	// Guarded by the table.
	cancel   func(error) // nil until Bind
	silent   bool        // no frame for this call may be written any more
	answered bool        // body is set; the answer is on its way
	counted  bool        // nobody waits until the answer has left
	body     []byte      // the answer, a whole message
	admitted bool        // counted as in flight until it is settled
	size     int         // bytes that are counted with it
}

// Notification reports whether nobody waits for an answer.
func (c *Call) Notification() bool { return c.ID == nil }

// Batched reports whether the answer is one element of an array.
func (c *Call) Batched() bool { return c.batch != nil }

// Key names the call, unique on its stream.
func (c *Call) Key() string { return c.key }

// AnswerBytes is how many bytes the result or the error of the call may have.
func (c *Call) AnswerBytes() int {
	const envelopeBytes = 64
	limit := MaxAnswerBytes
	if c.batch != nil {
		limit /= c.batch.size
	}
	return limit - len(c.ID) - envelopeBytes
}

// batch collects the answers of one array of messages. It is guarded by the
// table.
type batch struct {
	size    int           // elements; constant
	open    int           // requests without an answer
	answers []batchAnswer // in the order in which they were given
}

type batchAnswer struct {
	call *Call // nil for an element that was refused
	body []byte
}
