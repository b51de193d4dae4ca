package jsonrpc

import (
	"strconv"
	"sync"
)

// Rules are what the agreed revision changes about frames.
type Rules struct {
	Batches       bool // arrays of messages are served
	OmitUnknownID bool // an error about a frame without a usable id has no id, not null
}

// inFlight is all the state of a stream that more than one goroutine sees.
// Every change goes through update.
type inFlight struct {
	maxBytes int // of the calls that are admitted; constant

	mu    sync.Mutex
	table table
	idle  chan struct{} // closed when ended is set and no call is open
}

// table is the accepted messages that are not settled.
//
// A call enters calls when its frame was read, before anybody can see it, and
// leaves when its answer is written or dropped. ids holds those of them whose
// id the client may not use again: a call that was silenced leaves ids at once,
// for the client is done with it, and calls only when its work has ended.
type table struct {
	calls map[string]*Call // by key
	ids   map[string]*Call // by idKey
	last  uint64           // the newest key
	open  int              // calls whose answer has not reached the writer
	ended bool             // nothing is accepted any more
	rules Rules

	admitted      int // calls that Admit counted and that are not settled
	admittedBytes int // the sizes of those
}

func newInFlight(maxBytes int) *inFlight {
	return &inFlight{
		table:    table{calls: map[string]*Call{}, ids: map[string]*Call{}},
		maxBytes: maxBytes,
		idle:     make(chan struct{}),
	}
}

// update changes the table. change must not block and not call update.
func (f *inFlight) update(change func(*table)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	wasIdle := f.table.isIdle()
	change(&f.table)
	if !wasIdle && f.table.isIdle() {
		close(f.idle)
	}
}

// isIdle never turns back: after the end nothing is registered.
func (t *table) isIdle() bool { return t.ended && t.open == 0 }

// register accepts a message; nil when its id is in flight.
func (t *table) register(m *message, b *batch) *Call {
	if m.id != nil && t.ids[m.idKey] != nil {
		return nil
	}
	t.last++
	c := &Call{
		Method: m.method, Params: m.params, ID: m.id,
		key: strconv.FormatUint(t.last, 10), idKey: m.idKey, batch: b,
		written: make(chan struct{}), size: len(m.params),
	}
	t.calls[c.key] = c
	t.open++
	if m.id != nil {
		t.ids[c.idKey] = c
	}
	return c
}

// silence lets no frame of the call out any more and frees its id.
func (t *table) silence(c *Call) {
	c.silent = true
	delete(t.ids, c.idKey)
}

// retire forgets a call that is settled.
func (t *table) retire(c *Call) {
	delete(t.calls, c.key)
	if t.ids[c.idKey] == c {
		delete(t.ids, c.idKey)
	}
	if c.admitted {
		t.admitted--
		t.admittedBytes -= c.size
	}
}

// admit counts a call until it is settled, if there is room for one more.
func (t *table) admit(c *Call, maxBytes int) bool {
	if t.admitted >= MaxInFlightCalls || t.admittedBytes+c.size > maxBytes {
		return false
	}
	c.admitted = true
	t.admitted++
	t.admittedBytes += c.size
	return true
}

// grow counts what a call keeps beside its parameters.
func (t *table) grow(c *Call, bytes int) {
	if c.admitted {
		c.size += bytes
		t.admittedBytes += bytes
	}
}
