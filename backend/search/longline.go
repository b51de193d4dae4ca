package search

import (
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
		s.number++
		s.out.count++
		if s.want.lines > 0 {
			s.add(s.excerptAt(start, true, end))
		}
	case s.want.lines == 0:
	case s.owed > 0:
		s.after(s.excerptAt(s.base, false, end))
	default:
		s.number++
		if s.want.context > 0 {
			s.keep(s.excerptAt(s.base, false, end))
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
		if err := s.text(text); err != nil {
			return 0, err
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

// findIn looks for a match between two offsets and returns a place in it.
func (s *scanner) findIn(ctx context.Context, from, to int64) (at int64, matched bool, err error) {
	at, matched, err = s.find.MatchLong(func() io.Reader {
		section := io.NewSectionReader(s.from, from, to-from)
		return readerFunc(func(b []byte) (int, error) {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			return section.Read(b)
		})
	})
	return from + at, matched, err
}

// excerptAt reads the part of a long line, which ends at to, that is shown: the
// beginning, or what lies around a match.
func (s *scanner) excerptAt(at int64, match bool, to int64) string {
	first := max(s.base, at-2*backend.MaxMatchBytes)
	part := make([]byte, min(to, at+2*backend.MaxMatchBytes)-first)
	n, _ := s.from.ReadAt(part, first)
	part = part[:n]
	start := min(int(at-first), n)
	if match {
		start = s.find.LocateNear(part, start)
	}
	return excerpt(part, start, first-s.base, to-first-int64(n))
}

// readerFunc is a function that reads.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }
