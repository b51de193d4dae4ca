package line

import "bytes"

// scanFast looks for a byte in a matching line of text, from offset at, which
// begins a line; -1 when there is none. When the automaton is given up on the
// way, the answer means nothing.
func (m *Matcher) scanFast(text []byte, at int) int {
	for at < len(text) {
		end := windowEnd(text, at, m.window)
		m.passed += end - at
		hit := -1
		if m.window < fourStreams {
			hit = m.scanOne(text, at, end)
		} else {
			hit = m.scanFour(text, at, end)
		}
		if hit >= 0 {
			m.window = minWindow
			return hit
		}
		if m.automaton == nil {
			return -1
		}
		at = end
		m.window = min(2*m.window, maxWindow)
	}
	return -1
}

// windowEnd returns the end of the line that reaches over the window.
func windowEnd(text []byte, at, window int) int {
	if len(text)-at <= window {
		return len(text)
	}
	return min(lineEndAt(text, at+window)+1, len(text))
}

// scanOne runs over the lines of text[at:end].
func (m *Matcher) scanOne(text []byte, at, end int) int {
	s, hit := m.advance(m.automaton.start, text[:end], at)
	return m.finish(s, text[:end], hit)
}

// finish looks at the end of text as at the end of a line, when it is one.
func (m *Matcher) finish(s uint32, text []byte, hit int) int {
	switch {
	case m.automaton == nil:
		return -1
	case s == matched:
		return hit
	case s == dead || len(text) == 0 || text[len(text)-1] == '\n':
		return -1
	case m.step(s, lineEnd) == matched:
		return len(text) - 1
	}
	return -1
}

// advance runs over text from offset i. It returns matched, with the place, or
// the state at the end.
func (m *Matcher) advance(s uint32, text []byte, i int) (uint32, int) {
	a := m.automaton
	table, ascii := a.table, &a.expr.classes.ascii
	if s == dead {
		i, s = m.skipLine(text, i)
	}
	for i < len(text) {
		t := table[s+uint32(ascii[text[i]])]
		if t > special {
			s = t
			i++
			continue
		}
		t, size := m.slow(s, text[i:])
		switch {
		case m.automaton == nil || t == matched:
			return matched, i
		case t == dead:
			i, s = m.skipLine(text, i+size)
		default:
			s = t
			i += size
		}
		table = a.table
	}
	return s, i
}

// skipLine passes over the rest of a line in which nothing can match.
func (m *Matcher) skipLine(text []byte, i int) (int, uint32) {
	if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n + 1, m.automaton.start
	}
	return len(text), dead
}

// slow moves over the first character of text, whatever it is.
func (m *Matcher) slow(s uint32, text []byte) (to uint32, size int) {
	c := m.automaton.expr.classes
	class, size := c.ascii[text[0]], 1
	if class == multibyte {
		class, size = c.decode(text)
	}
	return m.step(s, class), size
}

// step returns the state after a character of the class. When the table is
// full it is emptied first, or given up: matched is returned then, and means
// nothing.
func (m *Matcher) step(s uint32, class uint8) uint32 {
	a := m.automaton
	if t := a.table[s+uint32(class)]; t != unknown {
		return t
	}
	if a.full() {
		if m.passed < minBytesPerState*len(a.states) {
			m.automaton = nil
			return matched
		}
		here := a.states[s/a.stride]
		a.reset()
		m.passed = 0
		s = a.add(here)
	}
	return a.next(s, class)
}
