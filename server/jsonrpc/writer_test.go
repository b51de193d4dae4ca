package jsonrpc

import (
	"io"
	"runtime"
	"testing"
)

// TestQueueingStartsOneWriter: a flood of answers that comes faster than a
// goroutine begins to run must not start one for each.
func TestQueueingStartsOneWriter(t *testing.T) {
	in, out := io.Pipe()
	w := newWriter(out, FramingLine)
	before := runtime.NumGoroutine()
	const frames = 1000
	for range frames {
		w.enqueue(outgoing{build: func() []byte { return []byte("{}") }})
	}
	if n := runtime.NumGoroutine() - before; n > 1 {
		t.Errorf("%d goroutines write", n)
	}
	if n, err := io.CopyN(io.Discard, in, frames*int64(len("{}\n"))); err != nil {
		t.Errorf("%d bytes came: %v", n, err)
	}
}
