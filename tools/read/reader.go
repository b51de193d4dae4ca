package read

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"septet/backend"
	"septet/toolset"
)

// blockBytes is how much is read at once; cancel is looked at between blocks.
const blockBytes = 256 << 10

// reader reads one window of one file. Memory is bounded by the window,
// whatever the file's size.
type reader struct {
	path   string
	file   backend.File
	in     Input
	blocks *bufio.Reader
	at     int64 // byte offset of what blocks gives next
	lines  int64 // lines before at
	begun  bool  // at is inside a line
}

func newReader(path string, f backend.File, in Input) *reader {
	return &reader{path: path, file: f, in: in, blocks: bufio.NewReaderSize(f, blockBytes)}
}

func (r *reader) read(ctx context.Context) (Output, error) {
	if err := r.checkStart(); err != nil {
		return Output{}, err
	}
	if err := r.skip(ctx); err != nil {
		return Output{}, err
	}
	if r.in.Limit == 0 && r.file.Size()-r.at > MaxReadBytes {
		return Output{}, r.tooLarge()
	}
	return r.window(ctx)
}

// checkStart refuses binary files by their beginning, whichever window is
// asked for.
func (r *reader) checkStart() error {
	head := make([]byte, backend.SniffBytes)
	n, err := r.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return backend.TextStart(r.path, head[:n], r.file.Size())
}

// skip passes over the first lines.
func (r *reader) skip(ctx context.Context) error {
	most := r.mostSkipped()
	if err := r.pass(ctx, r.in.Offset, most); err != nil {
		return err
	}
	for r.lines < r.in.Offset {
		if r.at >= most && !r.atEnd() {
			return r.tooFar(most)
		}
		_, end, err := r.block(ctx)
		if end == io.EOF {
			return r.pastEnd()
		}
		if err != nil {
			return err
		}
	}
	if r.in.Offset > 0 && r.atEnd() {
		return r.pastEnd()
	}
	return nil
}

// mostSkipped is how far into the file the first line is looked for.
func (r *reader) mostSkipped() int64 {
	if r.in.Limit == 0 {
		return MaxCountedBytes
	}
	return MaxSkippedBytes
}

// pass goes over blocks as a whole while they end before the given number of
// lines, and begin before the given byte offset: with short lines sixteen times
// as fast as line by line.
func (r *reader) pass(ctx context.Context, lines, most int64) error {
	for ctx.Err() == nil && r.at < most {
		if _, err := r.blocks.Peek(1); err != nil {
			return nil // told by the next call of block
		}
		piece, _ := r.blocks.Peek(r.blocks.Buffered())
		n := int64(bytes.Count(piece, []byte("\n")))
		if r.lines+n >= lines {
			return nil
		}
		r.lines += n
		r.at += int64(len(piece))
		r.begun = piece[len(piece)-1] != '\n'
		r.blocks.Discard(len(piece))
	}
	return ctx.Err()
}

// atEnd says whether nothing is left. An error counts as something: the next
// block tells it.
func (r *reader) atEnd() bool {
	_, err := r.blocks.Peek(1)
	return err == io.EOF
}

// block returns the next piece of a line, at most blockBytes, and counts it.
// The piece is valid until the next call. end is io.EOF after the last piece.
func (r *reader) block(ctx context.Context) (piece []byte, end, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	piece, err = r.blocks.ReadSlice('\n')
	r.at += int64(len(piece))
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		r.begun = true
		return piece, nil, nil
	case err != nil && err != io.EOF:
		return nil, nil, err
	case len(piece) > 0 || r.begun: // a line's end, or the file's after a line without line feed
		r.lines++
		r.begun = false
		return piece, nil, nil
	}
	return nil, io.EOF, nil
}

func (r *reader) tooLarge() error {
	return toolset.Errorf(toolset.TooLarge, "%s is %d bytes; at most %d are returned without limit", r.path, r.file.Size(), MaxReadBytes).
		WithHint(`read {"path":%q,"offset":%d,"limit":2000}`, r.path, r.in.Offset)
}

func (r *reader) pastEnd() error {
	e := toolset.Errorf(toolset.InvalidArguments, "offset %d is past the end: %s has %s", r.in.Offset, r.path, plural(r.lines, "line"))
	if r.lines == 0 {
		return e.WithHint("leave offset out: there is nothing to skip")
	}
	return e.WithHint(`read {"path":%q,"offset":%d}`, r.path, max(0, r.lines-100))
}

// tooFar answers when the first line was not reached in the bytes that are
// searched for it.
func (r *reader) tooFar(searched int64) error {
	if r.in.Limit == 0 {
		return toolset.Errorf(toolset.TooLarge, "%s is %d bytes and has at least %s; without limit, offset %d is looked for in the first %d bytes only",
			r.path, r.file.Size(), plural(r.lines, "line"), r.in.Offset, searched).
			WithHint(`read {"path":%q,"offset":%d,"limit":2000}`, r.path, r.in.Offset)
	}
	return toolset.Errorf(toolset.TooLarge, "%s is %d bytes and has at least %s; offset %d is looked for in the first %d bytes only",
		r.path, r.file.Size(), plural(r.lines, "line"), r.in.Offset, searched).
		WithHint("cut the part out with bash: tail -c and head -c do not read what is before it")
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
