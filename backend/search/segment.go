package search

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"

	"septet/backend"
)

// bigFile is a file that is searched in segments.
type bigFile struct {
	from  io.ReaderAt
	close func() error
	shown string
	size  int64
	users atomic.Int32 // the last one closes the file

	// These belong to the commits, which come one after the other.
	begun  bool
	lines  int   // in the segments committed so far
	count  int64 // of matching lines in them
	binary bool  // found to be no text
	failed bool  // a segment could not be read to its end
}

func (f *bigFile) release() {
	if f.users.Add(-1) == 0 {
		f.close()
	}
}

// segment is a part of a big file: the lines that begin in it.
type segment struct {
	file     *bigFile
	from, to int64
}

// segmented is what a segment's outcome says about its file.
type segmented struct {
	file   *bigFile
	last   bool
	lines  int
	nul    bool // a NUL before the first match of the segment
	failed bool
}

// split makes the units of a big file.
func split(f *bigFile) []*unit {
	var units []*unit
	for from := int64(0); from < f.size; from += MaxSegmentBytes {
		units = append(units, &unit{segment: &segment{file: f, from: from, to: min(from+MaxSegmentBytes, f.size)}})
	}
	f.users.Store(int32(len(units)))
	return units
}

// segment searches the lines that begin in a segment.
func (r *reader) segment(ctx context.Context, g *segment) outcome {
	s := scanner{from: g.file.from, find: r.find, buf: r.buf, want: r.want, late: g.from > 0}
	begin, end, err := g.lines(ctx, r.buf)
	if err == nil && begin < end {
		s.base, s.size = begin, end
		err = s.run(ctx)
		r.keep(s.buf)
	}
	o := outcome{shown: g.file.shown, found: s.out, segmented: &segmented{
		file: g.file, last: g.to == g.file.size, lines: s.number, nul: s.out.nul || s.out.binary, failed: err != nil,
	}}
	if err != nil && ctx.Err() == nil {
		o.summary.Unreadable++
	}
	return o
}

// lines returns where the first line that begins in the segment does, and
// where the last one ends.
func (g *segment) lines(ctx context.Context, buf []byte) (begin, end int64, err error) {
	if g.from > 0 {
		feed, err := findFeed(ctx, g.file.from, g.from-1, g.to-1, buf)
		if feed < 0 || err != nil {
			return 0, 0, err
		}
		begin = feed + 1
	}
	if g.to == g.file.size {
		return begin, g.to, nil
	}
	feed, err := findFeed(ctx, g.file.from, g.to-1, g.file.size, buf)
	if feed < 0 {
		return begin, g.file.size, err
	}
	return begin, feed + 1, err
}

// findFeed returns the offset of the first line feed in a part of a file; -1
// when there is none.
func findFeed(ctx context.Context, f io.ReaderAt, from, to int64, buf []byte) (int64, error) {
	// Most lines end soon.
	for size := int64(512); from < to; size = int64(len(buf)) {
		if err := ctx.Err(); err != nil {
			return -1, err
		}
		n, err := f.ReadAt(buf[:min(size, to-from)], from)
		if feed := bytes.IndexByte(buf[:n], '\n'); feed >= 0 {
			return from + int64(feed), nil
		}
		if err == io.EOF || err == nil && n == 0 {
			return -1, nil
		}
		if err != nil {
			return -1, err
		}
		from += int64(n)
	}
	return -1, nil
}

// merge adds the outcome of a segment to its file and leaves in it what is to
// be committed now. Segments come in order.
func (g *segmented) merge(o *outcome, mode backend.GrepMode) {
	f := g.file
	if !f.begun {
		f.begun = true
		o.summary.Files++
	}
	if g.nul && f.count == 0 && !f.binary {
		f.binary = true
		o.summary.Files--
		o.summary.Binary++
	}
	if f.binary {
		o.found = found{}
		return
	}
	f.failed = f.failed || g.failed
	for i := range o.found.matches {
		o.found.matches[i].Line += f.lines
	}
	o.continued = f.count > 0
	f.lines += g.lines
	f.count += o.found.count
	switch {
	case mode == backend.GrepFiles && o.continued:
		o.found = found{}
	case mode == backend.GrepCount:
		o.found.count = 0
		if g.last && !f.failed { // half a count is a wrong one
			o.found.count, o.continued = f.count, false
		}
	}
}
