package line

// stream is one of four that run over a part of the text each.
type stream struct {
	from, end int // whole lines
	at        int // the next byte
	state     uint32
	emptied   int // what the automaton's was when state was true
}

// scanFour runs over four parts of text[at:end] side by side and returns the
// first hit.
func (m *Matcher) scanFour(text []byte, at, end int) int {
	var streams [4]stream
	from, quarter := at, (end-at)/4
	for k := range streams {
		to := end
		if k < 3 {
			to = windowEnd(text[:end], at, quarter)
		}
		streams[k] = stream{from: at, end: to, at: at, state: m.automaton.start, emptied: m.automaton.emptied}
		at = to
	}
	if !m.together(text, &streams) {
		return m.scanOne(text, from, end)
	}
	for k := range streams {
		if hit := m.complete(text, streams[k]); hit >= 0 || m.automaton == nil {
			return hit
		}
	}
	return -1
}

// complete runs one stream to its end by itself.
func (m *Matcher) complete(text []byte, s stream) int {
	if s.state == matched {
		return s.at
	}
	if s.from == s.end {
		return -1 // no lines were left for it
	}
	if s.emptied != m.automaton.emptied {
		s.state, s.at = m.automaton.start, s.from
	}
	state, hit := m.advance(s.state, text[:s.end], s.at)
	return m.finish(state, text[:s.end], hit)
}

// together runs all four until one has a hit or is at its end; false when the
// table is full, for emptying it would make the others lose their place.
func (m *Matcher) together(text []byte, streams *[4]stream) bool {
	for {
		n := len(text)
		for k := range streams {
			n = min(n, streams[k].end-streams[k].at)
		}
		if n <= 0 {
			return true
		}
		if m.lockstep(text, streams, n) {
			continue
		}
		for k := range streams {
			switch m.single(text, &streams[k]) {
			case matched:
				return true
			case unknown:
				return false
			}
		}
	}
}

// lockstep moves all four over n bytes; false when it stopped before a byte
// that one of them has to look at by itself.
func (m *Matcher) lockstep(text []byte, streams *[4]stream, n int) bool {
	table, ascii := m.automaton.table, &m.automaton.expr.classes.ascii
	a, b, c, d := &streams[0], &streams[1], &streams[2], &streams[3]
	ta, tb, tc, td := text[a.at:][:n], text[b.at:][:n], text[c.at:][:n], text[d.at:][:n]
	sa, sb, sc, sd := a.state, b.state, c.state, d.state
	i := 0
	for ; i < n; i++ {
		na := table[sa+uint32(ascii[ta[i]])]
		nb := table[sb+uint32(ascii[tb[i]])]
		nc := table[sc+uint32(ascii[tc[i]])]
		nd := table[sd+uint32(ascii[td[i]])]
		if na <= special || nb <= special || nc <= special || nd <= special {
			break
		}
		sa, sb, sc, sd = na, nb, nc, nd
	}
	a.state, b.state, c.state, d.state = sa, sb, sc, sd
	for k := range streams {
		streams[k].at += i
	}
	return i == n
}

// single moves one stream over one character and returns its state; unknown
// when the table is full.
func (m *Matcher) single(text []byte, s *stream) uint32 {
	if s.at >= s.end {
		return s.state
	}
	rest := text[s.at:s.end]
	if m.automaton.full() {
		return unknown
	}
	t, size := m.slow(s.state, rest)
	switch t {
	case matched:
		s.state = matched
	case dead:
		s.at, s.state = m.skipLine(text[:s.end], s.at+size)
	default:
		s.state = t
		s.at += size
	}
	return s.state
}
