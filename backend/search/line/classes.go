package line

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"
)

// classes sorts characters by what the expression can tell apart: those of one
// class are interchangeable.
type classes struct {
	ascii  [256]uint8 // by byte; multibyte for the bytes of longer characters
	starts []rune     // where the runs of one class begin, sorted; the first is 0
	class  []uint8    // of each run
	sample []rune     // one character of each class
	word   []bool     // beside sample: the class consists of word characters
	short  []uint8    // of the characters under len(short), which text has most
}

const (
	// multibyte stands for a character that has to be decoded.
	multibyte uint8 = iota
	// lineEnd is the class of the line feed and of the end of the text.
	lineEnd
	// carriageReturn is alone, for it may be part of a line end.
	carriageReturn
	firstClass
)

// newClasses returns nil when there would be too many.
func newClasses(prog *syntax.Prog) *classes {
	c := &classes{sample: []rune{-1, '\n', '\r'}, word: []bool{false, false, false}}
	tests := runeTests(prog)
	known := map[string]uint8{}
	for _, start := range boundaries(tests) {
		id, ok := c.classOf(start, tests, known)
		if !ok {
			return nil
		}
		if n := len(c.class); n > 0 && c.class[n-1] == id {
			continue
		}
		c.starts = append(c.starts, start)
		c.class = append(c.class, id)
	}
	c.fillTables()
	return c
}

// runeTests returns the instructions that test a character, each kind once.
func runeTests(prog *syntax.Prog) []*syntax.Inst {
	var tests []*syntax.Inst
	seen := map[string]bool{}
	for i := range prog.Inst {
		in := &prog.Inst[i]
		switch in.Op {
		case syntax.InstRune, syntax.InstRune1:
			key := binary.LittleEndian.AppendUint32(nil, in.Arg)
			for _, r := range in.Rune {
				key = binary.LittleEndian.AppendUint32(key, uint32(r))
			}
			if !seen[string(key)] {
				seen[string(key)] = true
				tests = append(tests, in)
			}
		}
	}
	return tests
}

// boundaries returns every character at which some test, or the question
// whether it is a word character, may change its answer.
func boundaries(tests []*syntax.Inst) []rune {
	at := []rune{0, '\n', '\n' + 1, '\r', '\r' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1, utf8.RuneSelf}
	for _, in := range tests {
		if len(in.Rune) == 1 {
			for r := unicode.SimpleFold(in.Rune[0]); ; r = unicode.SimpleFold(r) {
				at = append(at, r, r+1)
				if r == in.Rune[0] {
					break
				}
			}
			continue
		}
		for i := 0; i+1 < len(in.Rune); i += 2 {
			at = append(at, in.Rune[i], in.Rune[i+1]+1)
		}
	}
	slices.Sort(at)
	return slices.DeleteFunc(slices.Compact(at), func(r rune) bool { return r > unicode.MaxRune })
}

// classOf finds the class of the characters from r to the next boundary by the
// answers to all tests.
func (c *classes) classOf(r rune, tests []*syntax.Inst, known map[string]uint8) (uint8, bool) {
	switch r {
	case '\n':
		return lineEnd, true
	case '\r':
		return carriageReturn, true
	}
	answers := make([]byte, len(tests)/8+1)
	word := syntax.IsWordChar(r)
	if word {
		answers[len(tests)/8] |= 1 << (len(tests) % 8)
	}
	for i, in := range tests {
		if in.MatchRune(r) {
			answers[i/8] |= 1 << (i % 8)
		}
	}
	if id, ok := known[string(answers)]; ok {
		return id, true
	}
	if len(c.sample) >= MaxClasses {
		return 0, false
	}
	id := uint8(len(c.sample))
	known[string(answers)] = id
	c.sample = append(c.sample, r)
	c.word = append(c.word, word)
	return id, true
}

func (c *classes) fillTables() {
	for b := range rune(utf8.RuneSelf) {
		c.ascii[b] = c.search(b)
	}
	c.short = make([]uint8, 0x800)
	for r := range rune(len(c.short)) {
		c.short[r] = c.search(r)
	}
}

func (c *classes) search(r rune) uint8 {
	i := sort.Search(len(c.starts), func(i int) bool { return c.starts[i] > r })
	return c.class[i-1]
}

// decode returns the class and the length of the character that text begins
// with. A byte that is not UTF-8 is U+FFFD, as package regexp reads it.
func (c *classes) decode(text []byte) (class uint8, size int) {
	r, size := utf8.DecodeRune(text)
	if int(r) < len(c.short) {
		return c.short[r], size
	}
	return c.search(r), size
}

// count is how many classes there are.
func (c *classes) count() int { return len(c.sample) }
