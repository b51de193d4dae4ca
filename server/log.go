package server

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

const (
	// maxWaitingLogLines is how many lines wait for a standard error that
	// nobody reads; more are dropped and counted.
	maxWaitingLogLines = 1000

	// maxLogFlush is how long Close waits for the lines that are left.
	maxLogFlush = 200 * time.Millisecond
)

// DroppingWriter is a writer for logs that never blocks. A host may never read
// our standard error, and a pipe takes 64 KiB before it blocks its writer. Each
// Write is one line. zerolog's own diode prints to the standard error when its
// ring collides, and waits for the file when it is closed; both can block.
type DroppingWriter struct {
	lines   chan []byte
	dropped atomic.Int64
	closed  chan struct{} // closed by Close
	done    chan struct{} // closed when nothing more is written
}

// NewDroppingWriter starts writing to w, which stays open.
func NewDroppingWriter(w io.Writer) *DroppingWriter {
	d := &DroppingWriter{
		lines:  make(chan []byte, maxWaitingLogLines),
		closed: make(chan struct{}),
		done:   make(chan struct{}),
	}
	go d.run(w)
	return d
}

// Write takes a copy of the line, or drops it when too many wait.
func (d *DroppingWriter) Write(line []byte) (int, error) {
	select {
	case d.lines <- append([]byte(nil), line...):
	default:
		d.dropped.Add(1)
	}
	return len(line), nil
}

// Close writes the lines that wait, unless nobody reads them. It is called
// once.
func (d *DroppingWriter) Close() error {
	close(d.closed)
	select {
	case <-d.done:
	case <-time.After(maxLogFlush):
	}
	return nil
}

func (d *DroppingWriter) run(w io.Writer) {
	defer close(d.done)
	for {
		select {
		case line := <-d.lines:
			d.write(w, line)
		case <-d.closed:
			d.rest(w)
			return
		}
	}
}

// rest writes what was waiting when the writer was closed.
func (d *DroppingWriter) rest(w io.Writer) {
	for {
		select {
		case line := <-d.lines:
			d.write(w, line)
		default:
			return
		}
	}
}

func (d *DroppingWriter) write(w io.Writer, line []byte) {
	if n := d.dropped.Swap(0); n > 0 {
		_, _ = fmt.Fprintf(w, `{"level":"warn","dropped":%d,"message":"log lines were dropped: nobody read them"}`+"\n", n)
	}
	_, _ = w.Write(line)
}
