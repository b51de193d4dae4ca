package jsonrpc

import (
	"io"
	"slices"
	"strconv"
	"sync"
)

// maxJoinedBytes is how many bytes of small frames are joined into one write.
const maxJoinedBytes = 64 << 10

// outgoing is one frame on its way out. build is called when its turn has
// come, and returns nil when it must not be written any more; it runs even
// when the output is dead. written, when not nil, is called after the write.
type outgoing struct {
	build   func() []byte
	written func()
	size    int // counted against maxUnreadBytes; 0 for frames whose sender waits
}

// writer is the only one that writes to the output. Frames leave whole and in
// the order in which they were queued. Queueing never blocks.
type writer struct {
	out  io.Writer
	dead chan struct{} // closed when a write failed

	room chan struct{} // has something when unread or err changed; only the reader waits for it

	mu       sync.Mutex
	queue    []outgoing
	unread   int  // the sizes of what was queued and is not written
	starting bool // a goroutine that will flush was started and does not run yet
	flushing bool
	framing  Framing
	err      error // of the first write that failed
}

func newWriter(out io.Writer, framing Framing) *writer {
	return &writer{out: out, dead: make(chan struct{}), room: make(chan struct{}, 1), framing: framing}
}

func (w *writer) setFraming(f Framing) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.framing = f
}

// enqueue lets a frame out as soon as those before it have left. Of many frames
// that come before a goroutine gets to run, one starts it.
func (w *writer) enqueue(o outgoing) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.push(o)
	if !w.flushing && !w.starting {
		w.starting = true
		go w.flush()
	}
}

// add queues a frame. The caller flushes.
func (w *writer) add(o outgoing) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.push(o)
}

func (w *writer) push(o outgoing) {
	w.queue = append(w.queue, o)
	w.unread += o.size
}

// full reports whether so much is unread that no more frames should be read.
func (w *writer) full() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.unread > maxUnreadBytes && w.err == nil
}

// flush writes until the queue is empty, unless another goroutine does already.
func (w *writer) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.starting = false // whoever flushes takes all that is queued
	if w.flushing {
		return
	}
	w.flushing = true
	for len(w.queue) > 0 {
		taken := w.queue
		w.queue = nil
		w.mu.Unlock()
		w.writeAll(taken)
		w.mu.Lock()
	}
	w.flushing = false
}

// writeAll joins frames into writes of a useful size.
func (w *writer) writeAll(frames []outgoing) {
	var joined []byte
	first := 0
	for i, o := range frames {
		if body := o.build(); body != nil {
			joined = w.frame(joined, body)
		}
		if len(joined) >= maxJoinedBytes || i == len(frames)-1 {
			w.write(joined)
			w.settle(frames[first : i+1])
			joined, first = joined[:0], i+1
		}
	}
}

// frame appends body to dst in the framing of the connection.
func (w *writer) frame(dst, body []byte) []byte {
	w.mu.Lock()
	framing := w.framing
	w.mu.Unlock()
	const mostDelimiters = 40                        // bytes: a header, or a newline
	dst = slices.Grow(dst, len(body)+mostDelimiters) // a large frame is copied once
	if framing == FramingHeader {
		dst = append(dst, "Content-Length: "...)
		dst = strconv.AppendInt(dst, int64(len(body)), 10)
		return append(append(dst, "\r\n\r\n"...), body...)
	}
	return append(append(dst, body...), '\n')
}

func (w *writer) write(b []byte) {
	if len(b) == 0 || w.failed() {
		return
	}
	if _, err := w.out.Write(b); err != nil {
		w.mu.Lock()
		w.err = err
		w.mu.Unlock()
		close(w.dead)
		w.tellReader()
	}
}

func (w *writer) failed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err != nil
}

func (w *writer) settle(frames []outgoing) {
	for _, o := range frames {
		if o.written != nil {
			o.written()
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, o := range frames {
		w.unread -= o.size
	}
	w.tellReader()
}

// tellReader never blocks: one word that waits is enough.
func (w *writer) tellReader() {
	select {
	case w.room <- struct{}{}:
	default:
	}
}
