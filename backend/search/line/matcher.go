package line

import "bytes"

// Matcher finds matching lines. It keeps what it learns about the text and is
// not safe for concurrent use: make one for each worker.
type Matcher struct {
	expr      *Expression
	automaton *automaton // nil when package regexp does the work
	literal   search     // the state of the search for required text
	passed    int        // bytes the automaton has read since it was last emptied
	window    int        // bytes that are tried with one stream before four are
}

// NewMatcher returns a matcher with nothing learnt.
func (e *Expression) NewMatcher() *Matcher { return e.newMatcher(maxTableBytes) }

func (e *Expression) newMatcher(tableBytes int) *Matcher {
	m := &Matcher{expr: e, window: minWindow}
	if e.classes != nil {
		m.automaton = newAutomaton(e, tableBytes)
	}
	if e.literal != nil {
		m.literal = newSearch(e.literal)
	}
	return m
}

// Next returns the first matching line of text, without its line feed, or
// len(text) twice. text consists of whole lines; the last may lack its line
// feed.
func (m *Matcher) Next(text []byte) (start, end int) {
	switch {
	case len(text) == 0:
		return 0, 0
	case m.expr.everyLine:
		return 0, lineEndAt(text, 0)
	case m.literal.useful():
		return m.nextLiteral(text)
	}
	start, end = m.scan(text, 0)
	m.literal.passed(end)
	return start, end
}

// nextLiteral looks for the required text and then at the lines that hold it.
func (m *Matcher) nextLiteral(text []byte) (start, end int) {
	for at := 0; at < len(text); {
		n := m.literal.find(text[at:])
		if n < 0 {
			return len(text), len(text)
		}
		hit := at + n
		start, end = lineAround(text, at, hit)
		if m.expr.literal.whole {
			return start, end
		}
		if !m.expr.fromPiece {
			hit = start // what lies before the piece may matter
		}
		if m.matchPart(text[start:end], hit-start) {
			return start, end
		}
		at = min(end+1, len(text))
		if m.literal.missed(); !m.literal.useful() {
			return m.scan(text, at)
		}
	}
	return len(text), len(text)
}

// matchPart decides about one line, without its line feed, of which no match
// begins before from.
func (m *Matcher) matchPart(line []byte, from int) bool {
	if m.automaton == nil {
		return m.expr.MatchLine(line)
	}
	s, _ := m.advance(m.automaton.start, line, from)
	if m.automaton == nil { // it was given up on the way
		return m.expr.MatchLine(line)
	}
	return s == matched || m.step(s, lineEnd) == matched
}

// scan looks at every line from offset at on.
func (m *Matcher) scan(text []byte, at int) (start, end int) {
	if m.automaton != nil {
		if hit := m.scanFast(text, at); m.automaton != nil {
			if hit < 0 {
				return len(text), len(text)
			}
			return lineAround(text, at, hit)
		}
	}
	return m.scanSlow(text, at)
}

// scanSlow asks package regexp about line after line.
func (m *Matcher) scanSlow(text []byte, at int) (start, end int) {
	for at < len(text) {
		end = lineEndAt(text, at)
		if m.expr.MatchLine(text[at:end]) {
			return at, end
		}
		at = end + 1
	}
	return len(text), len(text)
}

// lineAround returns the line that holds the byte at, which is not before from.
func lineAround(text []byte, from, at int) (start, end int) {
	// Hits come together, and then the line begins at from.
	if bytes.IndexByte(text[from:at], '\n') < 0 {
		return from, lineEndAt(text, at)
	}
	return from + bytes.LastIndexByte(text[from:at], '\n') + 1, lineEndAt(text, at)
}

func lineEndAt(text []byte, at int) int {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(text)
}
