package search

import (
	"bytes"
	"context"
	"errors"
	"io"

	"septet/backend"
	"septet/backend/search/line"
)

// wanted is how much of one file is of interest.
type wanted struct {
	lines   int  // matching lines to show; 0 only counts them
	context int  // lines around them
	first   bool // stop at the first matching line
}

// found is what one file holds.
type found struct {
	matches []backend.Match // without their path
	count   int64           // matching lines seen
	bytes   int             // of text in matches
	binary  bool            // there is a NUL before any match
	nul     bool            // the same, of the later part of a file, which does not decide
}

// errBinary ends the scan of a file that turned out to be no text.
var errBinary = errors.New("binary")

// scanner searches one file, from its beginning to the size it had when it was
// opened: a file that grows as fast as it is read must come to an end.
type scanner struct {
	from io.ReaderAt
	size int64
	find *line.Matcher
	want wanted
	late bool // this is not the beginning of the file
	out  found

	buf    []byte
	base   int64    // offset in the file of buf[0]
	held   int      // bytes in buf
	number int      // lines before the ones in hand
	before []string // the last lines that no match has shown
	owed   int      // lines of context that the last match still gets
}

// run searches the file. The error is the context's or the reader's; what was
// found until then is in out all the same.
func (s *scanner) run(ctx context.Context) error {
	for !s.done() {
		if err := ctx.Err(); err != nil {
			return err
		}
		last, err := s.fill()
		if err == nil {
			err = s.block(ctx, last)
		}
		if err == errBinary {
			s.out = found{binary: true}
			return nil
		}
		if err != nil || last {
			return err
		}
	}
	return nil
}

// done reports that no more of the file is needed.
func (s *scanner) done() bool { return s.enough() && s.owed == 0 }

// enough reports that no further match is wanted.
func (s *scanner) enough() bool {
	if s.want.first {
		return s.out.count > 0
	}
	return s.want.lines > 0 && (len(s.out.matches) >= s.want.lines || s.out.bytes > backend.MaxGrepBytes)
}

// fill reads the next block behind what is held; last when the file is at its
// end.
func (s *scanner) fill() (last bool, err error) {
	rest := s.size - s.base - int64(s.held)
	if free := int64(len(s.buf) - s.held); free < rest {
		rest = free
	} else {
		last = true
	}
	n, err := s.from.ReadAt(s.buf[s.held:s.held+int(rest)], s.base+int64(s.held))
	probe := s.base == 0 && s.held < binaryProbeBytes
	s.held += n
	if err == io.EOF {
		last, err = true, nil
	}
	if probe && bytes.IndexByte(s.buf[:min(s.held, binaryProbeBytes)], 0) >= 0 {
		return last, errBinary
	}
	if probe && !s.late {
		s.dropMark()
	}
	return last, err
}

// dropMark takes the mark of UTF-8 from the beginning of the file: the first
// line begins behind it, for "^" as for a reader.
func (s *scanner) dropMark() {
	if bytes.HasPrefix(s.buf[:s.held], byteOrderMark) {
		s.held = copy(s.buf, s.buf[len(byteOrderMark):s.held])
		s.base = int64(len(byteOrderMark))
	}
}

// block searches the whole lines in the buffer and keeps the rest for the next
// block.
func (s *scanner) block(ctx context.Context, last bool) error {
	end := s.held
	if !last {
		end = bytes.LastIndexByte(s.buf[:s.held], '\n') + 1
	}
	if end == 0 && !last {
		return s.makeRoom(ctx)
	}
	if err := s.lines(s.buf[:end]); err != nil {
		return err
	}
	s.held = copy(s.buf, s.buf[end:s.held])
	s.base += int64(end)
	return nil
}

// makeRoom grows the buffer for a long line, or gives the line to the stream.
func (s *scanner) makeRoom(ctx context.Context) error {
	if len(s.buf) >= MaxLineBytes {
		return s.longLine(ctx)
	}
	if s.held == len(s.buf) {
		s.buf = append(make([]byte, 0, 4*len(s.buf)), s.buf...)
		s.buf = s.buf[:cap(s.buf)]
	}
	return nil
}

// lines searches text, which consists of whole lines.
func (s *scanner) lines(text []byte) error {
	for len(text) > 0 && !s.done() {
		start, end := len(text), len(text)
		if !s.enough() {
			start, end = s.find.Next(text)
		}
		if err := s.text(text[:end]); err != nil {
			return err
		}
		s.between(text[:start])
		if start == len(text) {
			return nil
		}
		s.match(text[start:end])
		text = text[min(end+1, len(text)):]
	}
	return nil
}

// text looks for a NUL as long as nothing has matched.
func (s *scanner) text(part []byte) error {
	if s.out.count > 0 || s.out.nul || bytes.IndexByte(part, 0) < 0 {
		return nil
	}
	if !s.late {
		return errBinary
	}
	s.out.nul = true
	return nil
}

// match takes a matching line, without its line feed.
func (s *scanner) match(text []byte) {
	s.number++
	s.out.count++
	if s.want.lines == 0 {
		return
	}
	s.add(excerpt(text, s.find.Locate(text), 0, 0))
}

// add adds a match with the context before it.
func (s *scanner) add(text string) {
	m := backend.Match{Line: s.number, Text: text, Before: s.before}
	s.out.bytes += len(text)
	for _, b := range s.before {
		s.out.bytes += len(b)
	}
	s.before, s.owed = nil, s.want.context
	s.out.matches = append(s.out.matches, m)
}

// between takes the lines between two matches: the first belong to the match
// before, the last may belong to the next.
func (s *scanner) between(text []byte) {
	if s.want.lines == 0 {
		return
	}
	for s.owed > 0 && len(text) > 0 {
		var first []byte
		first, text = cutLine(text)
		s.after(excerpt(first, 0, 0, 0))
	}
	s.number += countLines(text)
	if s.want.context > 0 {
		s.remember(lastLines(text, s.want.context))
	}
}

// after gives the last match a line of context.
func (s *scanner) after(text string) {
	m := &s.out.matches[len(s.out.matches)-1]
	m.After = append(m.After, text)
	s.out.bytes += len(text)
	s.owed--
	s.number++
}

// remember keeps the last lines of text for the next match.
func (s *scanner) remember(text []byte) {
	for len(text) > 0 {
		var first []byte
		first, text = cutLine(text)
		s.keep(excerpt(first, 0, 0, 0))
	}
}

func (s *scanner) keep(text string) {
	if len(s.before) >= s.want.context {
		s.before = append([]string(nil), s.before[len(s.before)-s.want.context+1:]...)
	}
	s.before = append(s.before, text)
}

// cutLine splits off the first line, without its line feed.
func cutLine(text []byte) (first, rest []byte) {
	first, rest, _ = bytes.Cut(text, newline)
	return first, rest
}

var (
	newline       = []byte("\n")
	byteOrderMark = []byte("\ufeff")
)

// countLines counts lines; the last one may lack its line feed.
func countLines(text []byte) int {
	n := bytes.Count(text, newline)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// lastLines returns the part of text that its last n lines make up.
func lastLines(text []byte, n int) []byte {
	at := len(text)
	if at > 0 && text[at-1] == '\n' {
		at--
	}
	for ; n > 0 && at >= 0; n-- {
		at = bytes.LastIndexByte(text[:at], '\n')
	}
	return text[at+1:]
}
