package line

import (
	"encoding/binary"
	"unicode/utf8"
)

// pair is two bytes that are looked for together, some bytes apart: two that
// are rare in text stand so seldom at that distance that hardly a place has to
// be looked at which does not hold what is wanted.
type pair struct {
	at            int // offset of the first in the piece
	gap           int // bytes from the first to the second; may be 0
	first, second letter
}

// letter is a byte, or a letter of ASCII whatever its case.
type letter struct {
	lower byte
	fold  byte // the bit that makes an upper-case letter a lower-case one, or 0
}

func (l letter) is(b byte) bool { return b|l.fold == l.lower }

// newPair chooses the two rarest bytes of a piece.
func newPair(p *piece) pair {
	other := p.rare
	for i := range len(p.text) {
		if i != p.rare && (other == p.rare || p.rank(i) < p.rank(other)) {
			other = i
		}
	}
	from, to := min(p.rare, other), max(p.rare, other)
	return pair{at: from, gap: to - from, first: p.letter(from), second: p.letter(to)}
}

// letter returns the byte of the piece at i.
func (p *piece) letter(i int) letter {
	l := letter{lower: p.text[i]}
	if p.fold && upperOf(l.lower) != l.lower {
		l.fold = 'a' - 'A'
	}
	return l
}

// index returns where in text the pair begins first, or -1.
func (p *pair) index(text []byte) int {
	if len(text)-p.gap >= wideBytes {
		return indexWide(text, p.gap, p.first, p.second)
	}
	for i := 0; i+p.gap < len(text); i++ {
		if p.first.is(text[i]) && p.second.is(text[i+p.gap]) {
			return i
		}
	}
	return -1
}

// indexHigh returns where text has its first byte that is no ASCII, or -1.
func indexHigh(text []byte) int {
	const high = 0x8080808080808080
	i := 0
	for ; i+32 <= len(text); i += 32 {
		b := text[i:][:32]
		if (word(b[0:])|word(b[8:])|word(b[16:])|word(b[24:]))&high != 0 {
			break
		}
	}
	for ; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return i
		}
	}
	return -1
}

func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
