package line

import (
	"bufio"
	"io"
	"unicode/utf8"
)

// blockBytes is how much of a long line is read at once.
const blockBytes = 64 << 10

// Locate returns where the first match of a matching line begins.
func (m *Matcher) Locate(line []byte) int {
	loc := m.expr.re.FindIndex(WithoutReturn(line))
	if loc == nil {
		loc = m.expr.re.FindIndex(line)
	}
	if loc == nil {
		return 0
	}
	return loc[0]
}

// MatchLong reports whether a line matches that is too long to be held. text
// opens it, without its line feed, from the beginning each time.
func (m *Matcher) MatchLong(text func() io.Reader) (bool, error) {
	if m.expr.everyLine {
		return true, nil
	}
	if m.automaton != nil {
		s, err := m.runLong(text())
		if err != nil {
			return false, err
		}
		if m.automaton != nil {
			return s == matched || s != dead && m.step(s, lineEnd) == matched, nil
		}
	}
	at, err := m.locateLong(text)
	return at >= 0, err
}

// runLong runs over the line block by block. A character that is cut by the
// end of a block is put before the next.
func (m *Matcher) runLong(text io.Reader) (uint32, error) {
	block := make([]byte, blockBytes)
	held := 0
	for s := m.automaton.start; ; {
		n, err := text.Read(block[held:])
		end := err == io.EOF
		if err != nil && !end {
			return s, err
		}
		whole := held + n
		if !end {
			whole -= cutRune(block[:whole])
		}
		m.passed += whole
		s = m.run(s, block[:whole])
		if end || m.automaton == nil || s == matched || s == dead {
			return s, nil
		}
		held = copy(block, block[whole:held+n])
	}
}

// cutRune returns the length of the unfinished character at the end of text.
func cutRune(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return n
		}
	}
	return 0
}

// LocateLong returns where the first match of a long matching line begins.
func (m *Matcher) LocateLong(text func() io.Reader) (int64, error) {
	at, err := m.locateLong(text)
	return max(at, 0), err
}

// locateLong asks package regexp; -1 when nothing matches. The line is read
// without the carriage return at its end first.
func (m *Matcher) locateLong(text func() io.Reader) (int64, error) {
	for _, whole := range []bool{false, true} {
		r := &lineReader{text: text(), whole: whole}
		loc := m.expr.re.FindReaderIndex(bufio.NewReaderSize(r, blockBytes))
		if r.err != nil {
			return -1, r.err
		}
		if loc != nil {
			return int64(loc[0]), nil
		}
		if !r.dropped {
			break
		}
	}
	return -1, nil
}

// lineReader reads a line and keeps the error, which package regexp takes for
// the end. Unless whole is set it drops a carriage return at the end.
type lineReader struct {
	text    io.Reader
	whole   bool
	pending bool // a carriage return was read that may be the end
	dropped bool
	err     error
}

func (r *lineReader) Read(b []byte) (int, error) {
	held := 0
	if r.pending {
		b[0], held, r.pending = '\r', 1, false
	}
	n, err := r.text.Read(b[held:])
	n += held
	if err != nil && err != io.EOF {
		r.err = err
	}
	if !r.whole && n > 0 && b[n-1] == '\r' {
		if n--; err == nil {
			r.pending = true
			return n, nil
		}
		r.dropped = true
	}
	return n, err
}
