package line

import "bytes"

// search looks for the pieces of a literal and notices when that is not worth
// it. The zero value is of no use, and says so.
type search struct {
	literal *literal
	wide    bool // pairs of bytes can be looked for
	bytes   int  // searched
	lines   int  // lines that held a piece and did not match
}

func newSearch(l *literal) search { return search{literal: l, wide: wide()} }

// useful reports whether to go on with it.
func (s *search) useful() bool {
	return s.literal != nil && (s.lines < probeMisses || s.bytes > s.lines*minBytesPerLine)
}

// passed notes text that was searched in another way: what it was like does
// not count for ever.
func (s *search) passed(bytes int) { s.bytes += bytes }

// missed notes a line that held a piece and did not match.
func (s *search) missed() { s.lines++ }

// find returns the offset of a piece in text, such that no line before it
// holds one; -1 when there is none.
func (s *search) find(text []byte) int {
	if len(s.literal.pieces) == 1 {
		n := s.piece(&s.literal.pieces[0], text)
		if n < 0 {
			s.bytes += len(text)
		} else {
			s.bytes += n
		}
		return n
	}
	return s.several(text)
}

// several looks for all pieces, window by window.
func (s *search) several(text []byte) int {
	for from := 0; from < len(text); {
		to := windowEnd(text, from, foldWindow)
		first := -1
		window := text[from:to]
		for i := range s.literal.pieces {
			if n := s.piece(&s.literal.pieces[i], window); n >= 0 {
				first, window = n, window[:lineEndAt(window, n)]
			}
		}
		s.bytes += to - from
		if first >= 0 {
			return from + first
		}
		from = to
	}
	return -1
}

// piece finds one piece.
func (s *search) piece(p *piece, text []byte) int {
	switch {
	case p.high:
		return indexHigh(text)
	case len(p.text) == 1 && !p.fold:
		return bytes.IndexByte(text, p.text[0])
	case s.wide:
		return p.byPair(text)
	case p.fold:
		return p.folded(text)
	}
	return p.byRareByte(text)
}

// byPair looks for the two rarest bytes and compares the rest around them.
func (p *piece) byPair(text []byte) int {
	last := len(text) - len(p.text)
	for from, misses := 0, 0; from <= last; from++ {
		n := p.pair.index(text[from+p.pair.at : last+p.pair.at+p.pair.gap+1])
		if n < 0 {
			return -1
		}
		if from += n; p.begins(text[from:]) {
			return from
		}
		if misses++; !p.fold && misses > probeMisses && misses*minBytesPerMiss > from {
			return p.otherwise(text, from+1)
		}
	}
	return -1
}

// begins reports whether text, which is long enough, begins with the piece.
func (p *piece) begins(text []byte) bool {
	text = text[:len(p.text)]
	return string(text) == p.text || p.fold && equalFolded(text, p.text)
}

// otherwise looks for a piece whose rare bytes are not rare here.
func (p *piece) otherwise(text []byte, from int) int {
	if n := bytes.Index(text[from:], []byte(p.text)); n >= 0 {
		return from + n
	}
	return -1
}

// byRareByte looks for the rarest byte and compares the rest around it.
func (p *piece) byRareByte(text []byte) int {
	misses := 0
	for at := p.rare; at < len(text); at++ {
		n := bytes.IndexByte(text[at:], p.text[p.rare])
		if n < 0 {
			return -1
		}
		at += n
		if start := at - p.rare; start+len(p.text) <= len(text) && p.begins(text[start:]) {
			return start
		}
		if misses++; misses > probeMisses && misses*minBytesPerMiss > at {
			return p.otherwise(text, at+1-p.rare)
		}
	}
	return -1
}

// folded looks for both cases of the rarest byte, window by window.
func (p *piece) folded(text []byte) int {
	last := len(text) - len(p.text)
	for from := 0; from <= last; from += foldWindow {
		window := text[from+p.rare : min(from+foldWindow, last+1)+p.rare]
		first := foldedIn(p, text[from:], window, p.text[p.rare])
		if upper := upperOf(p.text[p.rare]); upper != p.text[p.rare] {
			if first >= 0 {
				window = window[:first]
			}
			if n := foldedIn(p, text[from:], window, upper); n >= 0 {
				first = n
			}
		}
		if first >= 0 {
			return from + first
		}
	}
	return -1
}

// foldedIn looks for the byte in the window, which is text from the rarest
// byte on, and returns where the piece begins in text.
func foldedIn(p *piece, text, window []byte, rare byte) int {
	for at := 0; at < len(window); at++ {
		n := bytes.IndexByte(window[at:], rare)
		if n < 0 {
			return -1
		}
		if at += n; equalFolded(text[at:at+len(p.text)], p.text) {
			return at
		}
	}
	return -1
}

// equalFolded compares text with lower-case ASCII.
func equalFolded(text []byte, lower string) bool {
	for i := range len(lower) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
