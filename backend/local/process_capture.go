package local

import (
	"bytes"
	"io"
	"sync"

	"septet/backend"
)

const (
	// maxTextBytes bounds each end of a stream as text: twice what one answer
	// shows of it.
	maxTextBytes = 32 << 10
	// readBytes is how much is read at once: 4 KiB halves the throughput, more
	// than a pipe's 64 KiB gains nothing.
	readBytes = 64 << 10
	// firstReadBytes is how much is read at once until that much arrives at
	// once: most streams are short, and many are empty.
	firstReadBytes = 4 << 10
	// maxProgressBytes bounds one chunk of progress. When more arrives between
	// two chunks the latest is told. Every chunk costs the server some ten
	// times its size: 4 KiB made endless output grow it by over 2 MiB.
	maxProgressBytes = 1 << 10
	// maxLineSearch is how far a cut is moved to start at a line.
	maxLineSearch = 4 << 10
	// maxRecentBytes is what is remembered for a chunk of progress: so much
	// more than is told that no sequence begins before it and ends in it.
	maxRecentBytes = maxProgressBytes + maxEscapeBytes
)

// capture takes one output stream for as long as it lasts and never waits for
// anybody. It is safe for concurrent use.
type capture struct {
	mu       sync.Mutex
	window   window
	bytes    int64
	lines    int64
	returned bool // the last byte was \r
	recent   []byte
	spill    *spill
	news     chan<- struct{} // told, without waiting, that something arrived; nil: nobody asks
	done     chan struct{}   // closed when the stream has ended
}

func newCapture(s *spill, news chan<- struct{}) *capture {
	return &capture{spill: s, news: news, done: make(chan struct{})}
}

// drain reads r to its end and closes done.
func (c *capture) drain(r io.Reader) {
	defer close(c.done)
	buffer := make([]byte, firstReadBytes)
	for {
		n, err := r.Read(buffer)
		if n > 0 {
			c.write(buffer[:n])
		}
		if err != nil {
			return
		}
		if n == firstReadBytes && len(buffer) == n {
			buffer = make([]byte, readBytes)
		}
	}
}

func (c *capture) write(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bytes += int64(len(b))
	c.lines += int64(bytes.Count(b, []byte{'\n'}))
	c.spill.write(b)
	c.keepRecent(b)
	for len(b) > 0 {
		if c.returned && b[0] != '\n' && b[0] != '\r' {
			c.window.rewind()
		}
		i := bytes.IndexByte(b, '\r')
		c.returned = i >= 0
		if i < 0 {
			i = len(b) - 1
		}
		c.window.write(b[:i+1])
		b = b[i+1:]
	}
}

// keepRecent remembers the latest output for the next chunk of progress.
func (c *capture) keepRecent(b []byte) {
	if c.news == nil {
		return
	}
	if extra := len(b) - maxRecentBytes; extra > 0 {
		b = b[extra:]
	}
	if extra := len(c.recent) + len(b) - maxRecentBytes; extra > 0 {
		c.recent = append(c.recent[:0], c.recent[extra:]...)
	}
	c.recent = append(c.recent, b...)
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// progress returns what arrived since the last call, the latest of it when it
// is much, and the bytes of the whole stream.
func (c *capture) progress(last bool) (text string, total int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	raw := c.recent[tokensFor(c.recent, len(c.recent)-maxProgressBytes):]
	made := clean(raw, 4*maxProgressBytes, !last)
	c.recent = append(c.recent[:0], raw[made.used:]...)
	return string(made.text), c.bytes
}

// captured describes the stream as it is now.
func (c *capture) captured() backend.Captured {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.bounded()
	out.Bytes, out.Lines = c.bytes, c.lines
	out.SpillPath = c.spill.settle(out.OmittedBytes > 0 || len(out.Head) > backend.MaxInlineBytes)
	return out
}

// bounded makes the text of the two ends.
func (c *capture) bounded() backend.Captured {
	w := &c.window
	if w.dropped > 0 {
		tail := w.ring()
		from := 0
		if w.torn {
			from = inStep(tail)
		}
		return c.twoEnds(w.head, tail[from:], w.dropped+int64(from))
	}
	raw := w.head
	if w.size > 0 {
		raw = append(bytes.Clone(w.head), w.ring()...)
	}
	if textLength(raw) > 2*maxTextBytes {
		return c.twoEnds(raw, raw, -int64(len(raw)))
	}
	all := clean(raw, 2*maxTextBytes, false)
	return backend.Captured{Head: string(all.text), HeadFrom: all.from, Binary: all.binary}
}

// twoEnds makes the text of the beginning of head and of the end of tail, with
// gap bytes between head's end and tail's beginning. Tail does not begin
// inside a sequence or a rune.
func (c *capture) twoEnds(head, tail []byte, gap int64) backend.Captured {
	front := clean(head, maxTextBytes, true)
	skip := skipFor(tail, maxTextBytes)
	skip += lineStart(tail[skip:])
	rest := tail[skip:]
	back := clean(rest, len(rest)*len(`\x00`), false)
	newlines := bytes.Count(head[:front.used], []byte{'\n'}) + bytes.Count(rest, []byte{'\n'})
	return backend.Captured{
		Head:         string(front.text),
		HeadFrom:     front.from,
		Tail:         string(back.text),
		TailFrom:     back.from,
		OmittedBytes: int64(len(head)-front.used) + gap + int64(skip),
		OmittedLines: c.lines - int64(newlines),
		Binary:       front.binary || back.binary,
	}
}

// lineStart is where the next line starts in b, when that is near, else 0.
func lineStart(b []byte) int {
	near := b[:min(len(b), maxLineSearch)]
	if i := bytes.IndexByte(near, '\n'); i >= 0 && i+1 < len(b) {
		return i + 1
	}
	return 0
}

// inStep is where b, which was cut somewhere, can be read: at the next line,
// because a line feed ends every sequence, or where any sequence that the cut
// went through has ended. What is read from inside a sequence falls in step by
// itself: none has the beginning of another in it.
func inStep(b []byte) int {
	near := b[:min(len(b), maxEscapeBytes)]
	if i := bytes.IndexByte(near, '\n'); i >= 0 {
		return i + 1
	}
	return tokensFor(b, maxEscapeBytes)
}

// tokensFor is the length of the tokens at the beginning of b that are, with
// plain text cut, at least n bytes long: n or a little more, or all of b.
func tokensFor(b []byte, n int) int {
	at := 0
	for at < len(b) && at < n {
		t := nextToken(b[at:], false)
		if t.kind == tokenText {
			t.size = len(cutText(b[at:at+t.size], n-at))
		}
		at += t.size
	}
	return at
}
