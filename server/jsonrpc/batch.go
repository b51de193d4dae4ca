package jsonrpc

import (
	"bytes"
	"encoding/json"
)

// acceptBatch queues the messages of an array. Its answers leave together as
// one array, or not at all when there is none.
func (s *Stream) acceptBatch(frame json.RawMessage) {
	var rules Rules
	s.calls.update(func(t *table) { rules = t.rules })
	elements := parseArray(frame, MaxBatchMessages)
	switch {
	case !rules.Batches:
		s.refuse(refuse(nil, "batches are not part of the agreed revision"))
		return
	case len(elements) == 0:
		s.refuse(refuse(nil, "the batch is empty"))
		return
	case len(elements) > MaxBatchMessages:
		s.refuse(refuse(nil, "the batch has more than 1000 messages"))
		return
	}
	b := &batch{size: len(elements)}
	complete := false
	s.calls.update(func(t *table) {
		for _, element := range elements {
			if bad := s.acceptElement(t, frame, element, b); bad != nil {
				b.answers = append(b.answers, batchAnswer{body: bad.body(rules)})
			}
		}
		complete = b.open == 0
	})
	if complete {
		s.sendBatch(b)
	}
}

func (s *Stream) acceptElement(t *table, frame, element json.RawMessage, b *batch) *refusal {
	m, bad := parseMessage(element)
	switch {
	case m == nil:
		return bad
	case m.method == "initialize":
		return refuse(m.id, "initialize cannot be part of a batch")
	}
	m.detach(frame)
	if bad := s.register(t, m, b); bad != nil || t.ended || m.id == nil {
		return bad
	}
	b.open++
	return nil
}

// sendBatch queues the answers of a batch in which nothing is open.
func (s *Stream) sendBatch(b *batch) {
	size := 0 // all of it: no call of a batch waits until its answer has left
	for _, a := range b.answers {
		size += len(a.body)
	}
	s.out.enqueue(outgoing{build: func() []byte { return s.buildBatch(b) }, size: size, written: b.settle})
}

// buildBatch is called when the batch's turn to be written has come.
func (s *Stream) buildBatch(b *batch) []byte {
	var bodies [][]byte
	s.calls.update(func(t *table) {
		for _, a := range b.answers {
			if a.call != nil {
				t.retire(a.call)
			}
			if a.call == nil || !a.call.silent {
				bodies = append(bodies, a.body)
			}
		}
	})
	if len(bodies) == 0 {
		return nil
	}
	return append(append([]byte{'['}, bytes.Join(bodies, []byte{','})...), ']')
}

func (b *batch) settle() {
	for _, a := range b.answers {
		if a.call != nil {
			close(a.call.written)
		}
	}
}
