package line

import (
	"bufio"
	"io"
	"unicode/utf8"
)

// LocateNear returns where in part of a long line the match begins that goes
// on, or ends, at the offset near.
func (m *Matcher) LocateNear(part []byte, near int) int {
	if loc := m.expr.re.FindIndex(part); loc != nil {
		return min(loc[0], near)
	}
	return near
}

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

// MatchLong reports whether a line matches that is too long to be held, and a
// place in its first match, or just behind it. text opens the line, without
// its line feed, from the beginning each time.
func (m *Matcher) MatchLong(text func() io.Reader) (at int64, matched bool, err error) {
	if m.expr.everyLine {
		return 0, true, nil
	}
	if m.literal.useful() {
		if holds, err := m.holdsPiece(text()); !holds || err != nil {
			return 0, false, err
		}
	}
	if m.automaton != nil {
		at, matched, err = m.runLong(text())
		if err != nil || m.automaton != nil {
			return at, matched, err
		}
	}
	return m.locateLong(text)
}

// holdsPiece reports whether the line holds text that every match does. The end
// of a block is put before the next, as much as a piece may begin in.
func (m *Matcher) holdsPiece(text io.Reader) (bool, error) {
	block := make([]byte, blockBytes)
	keep := 0
	for _, p := range m.expr.literal.pieces {
		keep = max(keep, len(p.text)-1)
	}
	if keep > blockBytes/2 {
		return true, nil // one so long is left to the automaton
	}
	for held := 0; ; {
		n, err := text.Read(block[held:])
		if m.literal.find(block[:held+n]) >= 0 {
			return true, nil
		}
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return false, err
		}
		all := held + n
		held = copy(block, block[max(0, all-keep):all])
	}
}

// runLong runs over the line block by block. A character that is cut by the
// end of a block is put before the next.
func (m *Matcher) runLong(text io.Reader) (at int64, hit bool, err error) {
	block := make([]byte, blockBytes)
	held := 0
	for s := m.automaton.start; ; {
		n, err := text.Read(block[held:])
		end := err == io.EOF
		if err != nil && !end {
			return 0, false, err
		}
		whole, all := held+n, held+n
		if !end {
			whole -= cutRune(block[:all])
		}
		m.passed += whole
		s, n = m.advance(s, block[:whole], 0)
		switch {
		case m.automaton == nil || s == dead:
			return 0, false, nil
		case s == matched:
			return at + int64(n), true, nil
		case end:
			return at + int64(whole), m.step(s, lineEnd) == matched, nil
		}
		at += int64(whole)
		held = copy(block, block[whole:all])
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

// locateLong asks package regexp where the first match begins. The line is
// read without the carriage return at its end first.
func (m *Matcher) locateLong(text func() io.Reader) (at int64, matched bool, err error) {
	for _, whole := range []bool{false, true} {
		r := &lineReader{text: text(), whole: whole}
		loc := m.expr.re.FindReaderIndex(bufio.NewReaderSize(r, blockBytes))
		if r.err != nil {
			return 0, false, r.err
		}
		if loc != nil {
			return int64(loc[0]), true, nil
		}
		if !r.dropped {
			break
		}
	}
	return 0, false, nil
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
