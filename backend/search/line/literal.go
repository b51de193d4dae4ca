package line

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// literal is text of which a matching line holds at least one piece.
type literal struct {
	pieces []piece
	whole  bool // a line that holds a piece matches
	first  bool // every match begins with a piece
}

// piece is one text.
type piece struct {
	text string // lower case when fold is set, and ASCII
	fold bool
	high bool // not a text: any byte that is no ASCII
	rare int  // offset of the byte that is rarest in text files
	pair pair
}

// required finds the text that a match needs; nil when there is none that is
// worth looking for.
func required(re *syntax.Regexp) *literal {
	pieces, whole := need(re)
	if len(pieces) == 0 {
		return nil
	}
	for _, p := range pieces {
		if p.worth() == 0 {
			return nil
		}
	}
	l := &literal{pieces: pieces, whole: whole}
	if begin, _ := need(beginning(re)); worth(begin)+prefixBonus > worth(pieces) && isPrefix(beginning(re)) {
		l.pieces, l.first = begin, true
	}
	return l
}

// beginning returns the part of the expression that a match begins with.
func beginning(re *syntax.Regexp) *syntax.Regexp {
	for re.Op == syntax.OpCapture || re.Op == syntax.OpConcat && len(re.Sub) > 0 {
		re = re.Sub[0]
	}
	return re
}

// isPrefix reports that the piece of a literal is all of it.
func isPrefix(re *syntax.Regexp) bool {
	_, whole := need(re)
	return re.Op == syntax.OpLiteral && whole
}

// need returns texts of which a match holds at least one; whole when any of
// them is a match by itself.
func need(re *syntax.Regexp) (pieces []piece, whole bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return needLiteral(re)
	case syntax.OpCharClass:
		// The characters of a class are sorted, so the first tells.
		if len(re.Rune) > 0 && re.Rune[0] >= utf8.RuneSelf {
			return []piece{{high: true}}, false
		}
		return nil, false
	case syntax.OpCapture:
		return need(re.Sub[0])
	case syntax.OpPlus:
		pieces, _ = need(re.Sub[0])
		return pieces, false
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if p, _ := need(sub); worth(p) > worth(pieces) {
				pieces = p
			}
		}
		return pieces, false
	case syntax.OpAlternate:
		whole = true
		for _, sub := range re.Sub {
			p, w := need(sub)
			if len(p) == 0 || len(pieces)+len(p) > maxPieces {
				return nil, false
			}
			pieces = append(pieces, p...)
			whole = whole && w
		}
		return pieces, whole
	}
	return nil, false
}

// needLiteral takes the best part of a literal that is the same bytes in every
// text it matches. U+FFFD also matches bytes that are not UTF-8; without case,
// K and S also match signs that are not ASCII.
func needLiteral(re *syntax.Regexp) (pieces []piece, whole bool) {
	fold := re.Flags&syntax.FoldCase != 0
	text := strings.Map(func(r rune) rune {
		if fold && r < utf8.RuneSelf && 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, string(re.Rune))
	parts := strings.FieldsFunc(text, func(r rune) bool {
		return r == utf8.RuneError || fold && (r >= utf8.RuneSelf || r == 'k' || r == 's')
	})
	for _, part := range parts {
		if fold {
			part = part[:min(len(part), maxFoldedBytes)]
		}
		if p := newPiece(part, fold); pieces == nil || p.worth() > pieces[0].worth() {
			pieces = []piece{p}
		}
	}
	return pieces, len(parts) == 1 && pieces[0].text == text
}

func newPiece(text string, fold bool) piece {
	p := piece{text: text, fold: fold && hasLetter(text)}
	for i := range len(text) {
		if p.rank(i) < p.rank(p.rare) {
			p.rare = i
		}
	}
	p.pair = newPair(&p)
	return p
}

func hasLetter(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return 'a' <= r && r <= 'z' })
}

// rank is how common the byte at i is, both cases together.
func (p *piece) rank(i int) int {
	r := int(byteRank[p.text[i]])
	if upper := upperOf(p.text[i]); p.fold && upper != p.text[i] {
		r = max(r, int(byteRank[upper])) + 1
	}
	return r
}

// worth is how much looking for the piece finds out; 0 for nothing.
func (p *piece) worth() int {
	if p.high {
		return highWorth
	}
	rank := p.rank(p.rare)
	if rank >= commonRank && len(p.text) < 3 {
		return 0
	}
	return 1 + 300 - rank + 8*min(len(p.text), 16)
}

// worth is that of the weakest.
func worth(pieces []piece) int {
	least := 0
	for i, p := range pieces {
		if w := p.worth(); i == 0 || w < least {
			least = w
		}
	}
	return least
}

func upperOf(b byte) byte {
	if 'a' <= b && b <= 'z' {
		return b - 'a' + 'A'
	}
	return b
}

// byteRank orders bytes by how common they are, 0 the rarest: counted over 540
// MB of source text, manuals and headers in several languages.
var byteRank = [256]byte{
	0, 17, 3, 11, 4, 1, 6, 26, 13, 241, 246, 18, 28, 31, 20, 19,
	22, 14, 12, 16, 2, 15, 27, 7, 21, 23, 10, 30, 5, 8, 9, 24,
	255, 167, 223, 185, 169, 166, 168, 188, 227, 226, 209, 173, 239, 207, 230, 234,
	245, 231, 222, 213, 208, 202, 204, 193, 203, 199, 221, 186, 191, 211, 192, 156,
	161, 219, 190, 216, 200, 229, 198, 187, 181, 218, 163, 177, 210, 194, 214, 212,
	206, 164, 215, 228, 225, 189, 183, 176, 184, 178, 162, 180, 182, 179, 152, 242,
	170, 248, 220, 243, 240, 254, 238, 224, 232, 251, 174, 201, 244, 233, 252, 247,
	237, 172, 249, 250, 253, 236, 205, 197, 235, 217, 175, 196, 171, 195, 165, 25,
	154, 149, 151, 140, 116, 121, 79, 92, 125, 87, 90, 110, 123, 84, 68, 86,
	77, 75, 67, 72, 150, 101, 85, 99, 91, 100, 69, 73, 112, 89, 71, 117,
	158, 130, 70, 96, 143, 120, 107, 94, 103, 118, 81, 93, 105, 98, 78, 76,
	137, 122, 109, 108, 124, 132, 88, 153, 144, 131, 128, 129, 139, 133, 136, 111,
	64, 65, 159, 155, 97, 80, 55, 62, 50, 66, 59, 48, 104, 63, 145, 115,
	160, 148, 61, 54, 58, 49, 60, 106, 113, 114, 44, 45, 39, 37, 40, 41,
	141, 142, 157, 147, 127, 146, 135, 119, 126, 102, 82, 134, 138, 95, 53, 74,
	83, 43, 56, 52, 42, 34, 57, 35, 47, 32, 38, 33, 51, 46, 36, 29,
}
