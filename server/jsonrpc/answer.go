package jsonrpc

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"
)

// placeholder stands in the library's answer for the real one. The library
// would scan the real one three times and escape every < and > in it.
var placeholder = json.RawMessage("null")

// Take returns the call that a request of the library stands for, once. A
// notification is settled by it.
func (s *Stream) Take(r *jsonrpc2.Request) *Call {
	var c *Call
	s.calls.update(func(t *table) {
		c = t.calls[r.ID.Str]
		if c != nil && c.Notification() {
			t.open--
			t.retire(c)
		}
	})
	return c
}

// MaxInFlightBytes is the bound that holds, which Options can change.
func (s *Stream) MaxInFlightBytes() int { return s.calls.maxBytes }

// Admit counts a call as in flight until its answer was written or dropped. It
// is false when there are MaxInFlightCalls, or MaxInFlightBytes would be passed:
// such a call is answered with an error and not begun.
func (s *Stream) Admit(c *Call) (ok bool) {
	s.calls.update(func(t *table) { ok = t.admit(c, s.calls.maxBytes) })
	return ok
}

// Crowded reports whether the answers of incomplete batches have made the calls
// in flight pass their bytes. A batched call that has not begun should be
// refused then: its answer would be kept too, and no slot limits how many are.
func (s *Stream) Crowded() (crowded bool) {
	s.calls.update(func(t *table) { crowded = t.admittedBytes > s.calls.maxBytes })
	return crowded
}

// Bind says how the work of a call is cancelled. The call may have been
// cancelled before.
func (s *Stream) Bind(c *Call, cancel func(error)) {
	silent := false
	s.calls.update(func(t *table) {
		c.cancel = cancel
		silent = c.silent
	})
	if silent {
		cancel(context.Canceled)
	}
}

// Silence cancels the call of that id and lets no frame of it out any more.
// An id that is not in flight is ignored.
func (s *Stream) Silence(id json.RawMessage, cause error) {
	s.cancel(id, cause, func(t *table, c *Call) { t.silence(c) })
}

// Cancel cancels the call of that id, which will be answered. An id that is not
// in flight is ignored.
func (s *Stream) Cancel(id json.RawMessage, cause error) {
	s.cancel(id, cause, func(*table, *Call) {})
}

func (s *Stream) cancel(id json.RawMessage, cause error, mark func(*table, *Call)) {
	key, ok := idKey(id)
	if !ok {
		return
	}
	var cancel func(error)
	s.calls.update(func(t *table) {
		if c := t.ids[key]; c != nil {
			mark(t, c)
			cancel = c.cancel
		}
	})
	if cancel != nil {
		cancel(cause)
	}
}

// Reply answers a call and does not wait until the answer has left. Only the
// first answer counts; one to a notification or to a call that was silenced is
// dropped. When too many answers are unread, no more frames are read.
func (s *Stream) Reply(conn *jsonrpc2.Conn, c *Call, result json.RawMessage) {
	s.answer(conn, c, envelope(c.ID, "result", result), true)
}

// ReplyError answers a call with an error, under the same rules as Reply. What
// is too long of it is cut.
func (s *Stream) ReplyError(conn *jsonrpc2.Conn, c *Call, e *Error) {
	s.answer(conn, c, envelope(c.ID, "error", e.encode(c.AnswerBytes())), true)
}

// ReplyAndWait is Reply for a call that occupies something until its answer
// has left, or was dropped. For a batched call it does not wait: its answer
// leaves with the last of its batch, which may need what this one occupies.
func (s *Stream) ReplyAndWait(conn *jsonrpc2.Conn, c *Call, result json.RawMessage) {
	s.answer(conn, c, envelope(c.ID, "result", result), false)
	s.out.flush() // this goroutine waits anyway
	if c.batch == nil {
		<-c.written
	}
}

func (s *Stream) answer(conn *jsonrpc2.Conn, c *Call, body []byte, counted bool) {
	first := false
	s.calls.update(func(t *table) {
		first = !c.answered && !c.Notification()
		if first {
			c.answered, c.counted, c.body = true, counted, body
			t.grow(c, len(body))
		}
	})
	if !first {
		return
	}
	response := &jsonrpc2.Response{ID: jsonrpc2.ID{Str: c.key, IsString: true}, Result: &placeholder}
	if err := conn.SendResponse(context.Background(), response); err != nil {
		s.drop(c) // the connection was closed
	}
}

func (s *Stream) drop(c *Call) {
	s.calls.update(func(t *table) {
		t.open--
		t.retire(c)
	})
	close(c.written)
}

// WriteObject queues the answer that the library's response stands for.
func (s *Stream) WriteObject(obj any) error {
	key, err := keyOf(obj)
	if err != nil {
		return err
	}
	var c *Call
	complete := false
	s.calls.update(func(t *table) {
		c = t.calls[key]
		if c == nil || c.batch == nil {
			return
		}
		c.batch.open--
		c.batch.answers = append(c.batch.answers, batchAnswer{call: c, body: c.body})
		complete = c.batch.open == 0
	})
	switch {
	case c == nil:
		return fmt.Errorf("no call has the key %q", key)
	case complete:
		s.sendBatch(c.batch)
	case c.batch == nil:
		s.send(c)
	}
	s.calls.update(func(t *table) { t.open-- }) // after it was queued: Idle promises that
	return nil
}

// keyOf reads the id of the library's response, which shows it only as JSON.
func keyOf(response any) (string, error) {
	own, ok := response.(json.Marshaler)
	if !ok {
		return "", fmt.Errorf("%T is no message of the library", response)
	}
	encoded, err := own.MarshalJSON() // json.Marshal would scan it once more
	if err != nil {
		return "", err
	}
	members, err := ParseObject(encoded)
	if err != nil {
		return "", err
	}
	return unquote(members["id"])
}

func (s *Stream) send(c *Call) {
	o := outgoing{build: func() []byte { return s.build(c) }, written: func() { close(c.written) }}
	if c.counted {
		o.size = len(c.body)
		s.out.enqueue(o)
		return
	}
	s.out.add(o) // ReplyAndWait flushes
}

// build is called when the answer's turn to be written has come.
func (s *Stream) build(c *Call) (body []byte) {
	s.calls.update(func(t *table) {
		t.retire(c)
		if !c.silent {
			body = c.body
		}
	})
	return body
}

// Notify writes a notification that belongs to a running call and returns when
// it has left, or was dropped because the call had been answered or silenced.
// params must be JSON. It does not go through the library: whether the frame
// may still leave is known only when its turn has come.
func (s *Stream) Notify(c *Call, method string, params json.RawMessage) {
	written := make(chan struct{})
	frame := notification(method, params)
	s.out.add(outgoing{
		build: func() (body []byte) {
			s.calls.update(func(*table) {
				if !c.answered && !c.silent {
					body = frame
				}
			})
			return body
		},
		written: func() { close(written) },
	})
	s.out.flush()
	<-written
}

// Announce queues a notification that precedes the answer of a call, and does
// not wait until it has left. It leaves unless the call is silenced, also when
// the answer is queued behind it meanwhile. params must be JSON.
func (s *Stream) Announce(c *Call, method string, params json.RawMessage) {
	frame := notification(method, params)
	s.out.enqueue(outgoing{size: len(frame), build: func() (body []byte) {
		s.calls.update(func(*table) {
			if !c.silent {
				body = frame
			}
		})
		return body
	}})
}

func notification(method string, params json.RawMessage) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","method":"`), method...)
	return append(append(append(b, `","params":`...), params...), '}')
}
