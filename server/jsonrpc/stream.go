package jsonrpc

import (
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// Options configure a Stream.
type Options struct {
	Framing       Framing // optional; "" is FramingAuto
	MaxFrameBytes int     // optional; 0 is the constant of that name

	// MaxInFlightBytes is optional; 0 is the constant of that name. It is never
	// less than four of the largest frames.
	MaxInFlightBytes int

	// HungUp reports, without waiting, whether nobody can write to the input
	// any more, although what was written before may still be in it. Optional.
	HungUp func() bool
}

// Stream is a jsonrpc2.ObjectStream that survives everything its peer writes.
type Stream struct {
	frames *frameReader
	out    *writer
	calls  *inFlight

	pending []*Call // accepted and not yet handed out; the reader's alone

	hungUp   func() bool   // Options.HungUp, never nil
	ended    chan struct{} // closed when the input has ended or its writers are gone
	endOne   sync.Once
	closed   chan struct{} // closed by Close
	closeOne sync.Once
}

var _ jsonrpc2.ObjectStream = (*Stream)(nil)

// NewStream makes the stream of a pair of pipes. It closes neither.
func NewStream(in io.Reader, out io.Writer, o Options) *Stream {
	if o.MaxFrameBytes <= 0 {
		o.MaxFrameBytes = MaxFrameBytes
	}
	if o.MaxInFlightBytes <= 0 {
		o.MaxInFlightBytes = MaxInFlightBytes
	}
	if o.HungUp == nil {
		o.HungUp = func() bool { return false }
	}
	s := &Stream{
		out:    newWriter(out, o.Framing),
		calls:  newInFlight(max(o.MaxInFlightBytes, 4*o.MaxFrameBytes)),
		hungUp: o.HungUp,
		ended:  make(chan struct{}),
		closed: make(chan struct{}),
	}
	s.frames = newFrameReader(in, o.Framing, o.MaxFrameBytes, s.out.setFraming)
	return s
}

// SetRules applies the rules of the agreed revision to the frames that follow.
func (s *Stream) SetRules(r Rules) { s.calls.update(func(t *table) { t.rules = r }) }

// Ended is closed when the input has ended, or when so many answers are unread
// that it is not read to its end and nobody can write to it any more. In the
// second case what is left in it is still served once answers are read.
func (s *Stream) Ended() <-chan struct{} { return s.ended }

// Dead is closed when the output cannot be written any more.
func (s *Stream) Dead() <-chan struct{} { return s.out.dead }

// Idle is closed when nothing is accepted any more and no call is open: the
// work of each has ended and its answer, if it gets one, is queued.
func (s *Stream) Idle() <-chan struct{} { return s.calls.idle }

// Stop lets the stream accept nothing more, whatever still arrives.
func (s *Stream) Stop() { s.calls.update(func(t *table) { t.ended = true }) }

// Flushed returns a channel that is closed when everything that was queued
// before has been written or dropped.
func (s *Stream) Flushed() <-chan struct{} {
	done := make(chan struct{})
	s.out.enqueue(outgoing{build: func() []byte { return nil }, written: func() { close(done) }})
	return done
}

// Close ends ReadObject. The pipes stay open.
func (s *Stream) Close() error {
	s.closeOne.Do(func() { close(s.closed) })
	return nil
}

// ReadObject hands the library the next message: our key as its id, and a
// method that says nothing. Take returns the call behind it. At the end of the input it blocks
// until Close, for the library drops the answers of a connection that ended.
func (s *Stream) ReadObject(v any) error {
	for len(s.pending) == 0 {
		s.throttle()
		if s.frames.in.Buffered() == 0 {
			// The read will block its thread, and the processor with it, until
			// the scheduler notices. Let what was just started run first.
			runtime.Gosched()
		}
		frame, err := s.frames.next()
		var bad *Error
		switch {
		case errors.As(err, &bad):
			s.refuse(&refusal{err: bad})
		case err != nil:
			return s.end()
		default:
			s.accept(frame)
		}
	}
	c := s.pending[0]
	s.pending = s.pending[1:]
	object := []byte(`{"method":"","id":"` + c.key + `"}`)
	if own, ok := v.(json.Unmarshaler); ok {
		return own.UnmarshalJSON(object) // json.Unmarshal would scan it once more
	}
	return json.Unmarshal(object, v)
}

func (s *Stream) end() error {
	s.Stop()
	s.noteEnd()
	<-s.closed
	return io.EOF
}

func (s *Stream) noteEnd() { s.endOne.Do(func() { close(s.ended) }) }

// throttle waits while too much is unread. A host that reads nothing may be
// gone: as long as nothing leaves, it looks whether that is so, for the end of
// an input that is not read shows itself in no other way.
func (s *Stream) throttle() {
	if !s.out.full() {
		return
	}
	look := time.NewTicker(hangUpInterval)
	defer look.Stop()
	for s.out.full() {
		select {
		case <-s.out.room:
			look.Reset(hangUpInterval)
		case <-look.C:
			if s.hungUp() {
				s.noteEnd()
			}
		case <-s.closed:
			return
		}
	}
}

// accept checks one frame and queues the messages in it.
func (s *Stream) accept(frame []byte) {
	if bad := checkText(frame); bad != nil {
		s.refuse(&refusal{err: bad})
		return
	}
	if frame[0] == '[' {
		s.acceptBatch(frame)
		return
	}
	m, bad := parseMessage(frame)
	if m != nil {
		m.detach(frame)
		s.calls.update(func(t *table) { bad = s.register(t, m, nil) })
	}
	if bad != nil {
		s.refuse(bad)
	}
}

// register accepts a message or says why not.
func (s *Stream) register(t *table, m *message, b *batch) *refusal {
	if t.ended {
		return nil
	}
	c := t.register(m, b)
	if c == nil {
		return refuse(m.id, "this id is in flight")
	}
	s.pending = append(s.pending, c)
	return nil
}

// refuse answers a frame, or a message, that was not accepted.
func (s *Stream) refuse(r *refusal) {
	var rules Rules
	s.calls.update(func(t *table) { rules = t.rules })
	body := r.body(rules)
	s.out.enqueue(outgoing{build: func() []byte { return body }, size: len(body)})
}

func (r *refusal) body(rules Rules) []byte {
	id := r.id
	if id == nil && !rules.OmitUnknownID {
		id = json.RawMessage("null")
	}
	return envelope(id, "error", mustEncode(r.err))
}

// envelope is a whole answer. The id is spliced in as the client wrote it.
func envelope(id json.RawMessage, member string, value []byte) []byte {
	b := make([]byte, 0, len(id)+len(value)+48)
	b = append(b, `{"jsonrpc":"2.0",`...)
	if id != nil {
		b = append(append(append(b, `"id":`...), id...), ',')
	}
	b = append(append(append(b, '"'), member...), `":`...)
	return append(append(b, value...), '}')
}

func mustEncode(e *Error) []byte {
	b, err := json.Marshal(e)
	if err != nil {
		panic("jsonrpc: error answer: " + err.Error()) // a string, a number and checked JSON
	}
	return b
}
