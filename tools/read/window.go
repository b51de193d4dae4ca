package read

import (
	"bytes"
	"context"
	"math"
	"unicode/utf8"

	"septet/backend"
)

// window reads the lines that are wanted.
func (r *reader) window(ctx context.Context) (Output, error) {
	out := Output{Path: r.path, lineNumbers: r.in.LineNumbers}
	start, first := r.at, r.lines
	content, err := r.content(ctx)
	if err != nil {
		return Output{}, err
	}
	if err := backend.CheckWindow(r.path, content.bytes, start, r.file.Size()); err != nil {
		return Output{}, err
	}
	out.Content, out.cut = string(content.bytes), content.cut
	if content.lines > 0 {
		out.FirstLine, out.LastLine = first+1, first+content.lines
	}
	total, more, err := r.rest(ctx, content)
	if err != nil {
		return Output{}, err
	}
	out.Truncated = more || content.cut
	out.TotalLines = total
	return out, nil
}

// content is what a window holds.
type content struct {
	bytes []byte
	lines int64
	cut   bool // one line, cut
	full  bool // the next line did not fit, and was begun
}

// content gathers whole lines until the limit of lines or bytes.
func (r *reader) content(ctx context.Context) (content, error) {
	var c content
	whole, first := 0, r.lines // bytes and lines of complete lines
	for r.in.Limit == 0 || r.lines-first < int64(r.in.Limit) {
		piece, end, err := r.block(ctx)
		if err != nil {
			return content{}, err
		}
		if end != nil {
			break
		}
		c.bytes = append(c.bytes, piece...)
		if len(c.bytes) > MaxReadBytes {
			return r.overflow(c, whole)
		}
		if c.lines = r.lines - first; bytes.HasSuffix(piece, []byte("\n")) {
			whole = len(c.bytes)
		}
	}
	return c, nil
}

// overflow ends a window that has become too large: at its last whole line,
// or inside its first.
func (r *reader) overflow(c content, whole int) (content, error) {
	c.full = true
	if whole > 0 {
		c.bytes = c.bytes[:whole]
		return c, nil
	}
	c.bytes = wholeRunes(c.bytes[:MaxReadBytes])
	c.lines, c.cut = 1, true
	return c, nil
}

// wholeRunes drops the beginning of a character at the end of b.
func wholeRunes(b []byte) []byte {
	for back := 1; back < utf8.UTFMax && back <= len(b); back++ {
		if at := len(b) - back; utf8.RuneStart(b[at]) {
			if !utf8.FullRune(b[at:]) {
				return b[:at]
			}
			break
		}
	}
	return b
}

// rest counts the lines after the window, in files that are not too large for
// it, and says whether there is anything.
func (r *reader) rest(ctx context.Context, c content) (total *int64, more bool, err error) {
	more = c.full && !c.cut || !r.atEnd()
	if r.file.Size() > MaxCountedBytes {
		return nil, more, nil
	}
	if err := r.pass(ctx, math.MaxInt64, math.MaxInt64); err != nil {
		return nil, false, err
	}
	for {
		_, end, err := r.block(ctx)
		if err != nil {
			return nil, false, err
		}
		if end != nil {
			return &r.lines, more, nil
		}
	}
}
