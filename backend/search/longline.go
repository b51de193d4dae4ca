package search

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"septet/backend"
)

// longLine searches a line that does not fit the buffer, of which the buffer
// holds the beginning. Memory stays bounded whatever its length is.
func (s *scanner) longLine(ctx context.Context) error {
	end, err := s.lineEnd(ctx)
	if err != nil {
		return err
	}
	start, matched, err := s.findIn(ctx, s.base, end)
	if err != nil {
		return err
	}
	switch {
	case matched && !s.enough():
		s.line++
		s.out.count++
		if s.want.lines > 0 {
			s.add(s.excerptAt(start, s.base, end))
		}
	case s.want.lines == 0:
	case s.owed > 0:
		s.after(s.excerptAt(s.base, s.base, end))
	default:
		s.line++
		if s.want.context > 0 {
			s.keep(s.excerptAt(s.base, s.base, end))
		}
	}
	s.base, s.held = min(end+1, s.size), 0
	return nil
}

// lineEnd returns the offset of the line feed that ends the line, or of the
// file's end.
func (s *scanner) lineEnd(ctx context.Context) (int64, error) {
	block := make([]byte, blockBytes)
	for at := s.base; at < s.size; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := s.from.ReadAt(block[:min(int64(len(block)), s.size-at)], at)
		feed := bytes.IndexByte(block[:n], '\n')
		text := block[:n]
		if feed >= 0 {
			text = block[:feed]
		}
		if s.out.count == 0 && bytes.IndexByte(text, 0) >= 0 {
			return 0, errBinary
		}
		if feed >= 0 {
			return at + int64(feed), nil
		}
		at += int64(n)
		if err == io.EOF {
			return at, nil
		}
		if err != nil {
			return 0, err
		}
	}
	return s.size, nil
}

// findIn looks for a match between two offsets and returns where it begins. A
// carriage return at the end may belong to the line end, as in a short line.
func (s *scanner) findIn(ctx context.Context, from, to int64) (start int64, matched bool, err error) {
	bare := to
	var last [1]byte
	if _, err := s.from.ReadAt(last[:], to-1); err == nil && last[0] == '\r' {
		bare--
	}
	for _, end := range []int64{bare, to} {
		section := io.NewSectionReader(s.from, from, end-from)
		text := readerFunc(func(b []byte) (n int, readErr error) {
			if err = ctx.Err(); err != nil {
				return 0, err // the expression reads as long as it gets something
			}
			n, readErr = section.Read(b)
			if readErr != nil && readErr != io.EOF {
				err = readErr
			}
			return n, readErr
		})
		loc := s.expr.re.FindReaderIndex(bufio.NewReaderSize(text, blockBytes))
		if err != nil {
			return 0, false, err
		}
		if loc != nil {
			return from + int64(loc[0]), true, nil
		}
		if bare == to {
			break
		}
	}
	return 0, false, nil
}

// excerptAt reads the part of a long line that is shown.
func (s *scanner) excerptAt(start, from, to int64) string {
	first := max(from, start-backend.MaxMatchBytes)
	part := make([]byte, min(to, start+2*backend.MaxMatchBytes)-first)
	n, _ := s.from.ReadAt(part, first)
	return excerpt(part[:n], int(start-first), first-from, to-first-int64(n))
}

// readerFunc is a function that reads.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }
