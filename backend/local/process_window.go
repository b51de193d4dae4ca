package local

import (
	"bytes"
	"slices"
)

// maxWindowBytes bounds each end of a stream that is kept in memory. It is
// several times what is shown, so that output full of escape sequences or
// frames still fills an answer.
const maxWindowBytes = 256 << 10

// window keeps the beginning and the end of a stream. Its memory does not grow
// with the stream. Positions count kept bytes from the first on.
type window struct {
	head    []byte
	tail    []byte // a ring; allocated whole when head is full
	start   int    // where the ring begins
	size    int    // bytes in the ring
	dropped int64  // bytes that left the ring
	torn    bool   // the ring may begin inside a sequence or a rune
	line    int64  // position where the current line starts
}

// end is the position after the last byte.
func (w *window) end() int64 {
	return int64(len(w.head)) + w.dropped + int64(w.size)
}

func (w *window) write(b []byte) {
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		w.line = w.end() + int64(i) + 1
	}
	if w.dropped == 0 && w.size == 0 {
		n := min(len(b), maxWindowBytes-len(w.head))
		w.grow(len(w.head) + n)
		w.head = append(w.head, b[:n]...)
		b = b[n:]
	}
	if len(b) > 0 {
		w.push(b)
	}
}

// grow makes room in head: a little for short output, and all at once for
// long, so that it is not copied from size to size.
func (w *window) grow(size int) {
	const short = 4 << 10
	switch {
	case size <= cap(w.head):
	case size <= short:
		w.head = slices.Grow(w.head, short-len(w.head))
	default:
		w.head = slices.Grow(w.head, maxWindowBytes-len(w.head))
	}
}

// push appends b to the ring and drops the oldest bytes.
func (w *window) push(b []byte) {
	if w.tail == nil {
		w.tail = make([]byte, maxWindowBytes)
	}
	if extra := len(b) - len(w.tail); extra > 0 {
		w.dropped += int64(w.size + extra)
		w.torn = true
		w.start, w.size = 0, 0
		b = b[extra:]
	}
	if extra := w.size + len(b) - len(w.tail); extra > 0 {
		w.dropped += int64(extra)
		w.torn = true
		w.start = (w.start + extra) % len(w.tail)
		w.size -= extra
	}
	at := (w.start + w.size) % len(w.tail)
	n := copy(w.tail[at:], b)
	copy(w.tail, b[n:])
	w.size += len(b)
}

// rewind drops the current line, or what is left of it: a new frame takes its
// place.
func (w *window) rewind() {
	first := int64(len(w.head)) + w.dropped // position of the ring's first byte
	switch {
	case w.line > first:
		w.size = int(w.line - first)
	case w.line < int64(len(w.head)) && w.dropped == 0:
		w.size = 0
		w.head = w.head[:w.line]
	default:
		w.size = 0
		w.torn = false // a frame starts where nothing is open
	}
}

// ring returns the content of the ring in one piece, valid until the next
// write. It is turned in place: a copy would be most of what a long output
// costs.
func (w *window) ring() []byte {
	slices.Reverse(w.tail[:w.start])
	slices.Reverse(w.tail[w.start:])
	slices.Reverse(w.tail)
	w.start = 0
	return w.tail[:w.size]
}
