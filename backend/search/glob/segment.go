package glob

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gobwas/glob"
)

// segmentMatcher matches one name.
type segmentMatcher struct {
	text         string // as it was written
	literal      bool   // the text has no special characters
	alternatives []matcher
	disguised    bool // the text, taken as a name, is not matched by its reading as a pattern
}

type matcher interface{ Match(name string) bool }

func compileSegment(text string) (segmentMatcher, error) {
	s := segmentMatcher{text: text, literal: !strings.ContainsAny(text, `*?[{\`)}
	if s.literal {
		return s, nil
	}
	for _, a := range expandAll(text) {
		m, err := compileAlternative(a)
		if err != nil {
			return s, err
		}
		s.alternatives = append(s.alternatives, m)
	}
	s.disguised = !s.reads(text)
	return s, nil
}

// reads reports whether name matches the text read as a pattern.
func (s *segmentMatcher) reads(name string) bool {
	if s.literal {
		return s.text == name
	}
	for _, m := range s.alternatives {
		if m.Match(name) {
			return true
		}
	}
	return false
}

// compileAlternative chooses the matcher. gobwas/glob is quick and backtracks
// without bound: it gets only patterns with one run to choose, and of those
// only the ones whose syntax it shares.
func compileAlternative(text string) (matcher, error) {
	w, err := parseWildcard(text)
	if err != nil {
		return nil, err
	}
	if w.stars > 1 || w.exotic || !utf8.ValidString(text) {
		return w, nil
	}
	g, err := glob.Compile(text, '/')
	if err != nil {
		return w, nil
	}
	return g, nil
}

// parseWildcard reads a pattern without braces.
func parseWildcard(text string) (*wildcard, error) {
	w := &wildcard{}
	for i := 0; i < len(text); {
		switch text[i] {
		case '*':
			w.star()
			i++
		case '?':
			w.tokens = append(w.tokens, token{kind: tokenAny})
			i++
		case '[':
			end := classEnd(text, i)
			if end == i {
				return nil, invalid(fmt.Sprintf("the class %q is not closed", text[i:]), `write "\[" for the character itself`)
			}
			set, err := parseClass(text[i+1 : end])
			if err != nil {
				return nil, err
			}
			w.tokens = append(w.tokens, token{kind: tokenSet, set: set})
			w.exotic = w.exotic || set.exotic
			i = end + 1
		case '\\':
			if i++; i == len(text) {
				return nil, invalid("the pattern ends in a backslash", `write "\\" for the character itself`)
			}
			w.exotic = true
			fallthrough
		default:
			_, n := utf8.DecodeRuneInString(text[i:])
			w.tokens = append(w.tokens, token{kind: tokenLiteral, char: text[i : i+n]})
			w.exotic = w.exotic || text[i] == '}'
			i += n
		}
	}
	return w, nil
}

// star adds a run; two stars that follow each other mean one.
func (w *wildcard) star() {
	if n := len(w.tokens); n > 0 && w.tokens[n-1].kind == tokenStar {
		w.exotic = true
		return
	}
	w.tokens = append(w.tokens, token{kind: tokenStar})
	w.stars++
}

// class is a set of characters.
type class struct {
	negated bool
	ranges  []runeRange
	exotic  bool // gobwas/glob reads it otherwise or not at all
}

type runeRange struct{ low, high rune }

func parseClass(text string) (*class, error) {
	c := &class{}
	if text[0] == '!' || text[0] == '^' {
		c.negated = true
		c.exotic = text[0] == '^'
		text = text[1:]
	}
	c.exotic = c.exotic || strings.ContainsAny(text, `\[]`)
	for text != "" {
		low, rest := classRune(text)
		high := low
		if len(rest) > 1 && rest[0] == '-' {
			c.exotic = c.exotic || len(c.ranges) > 0
			high, rest = classRune(rest[1:])
			c.exotic = c.exotic || rest != ""
		}
		if high < low {
			return nil, invalid(fmt.Sprintf("the range %c-%c in the pattern is backwards", low, high), fmt.Sprintf("write %c-%c", high, low))
		}
		c.ranges = append(c.ranges, runeRange{low, high})
		text = rest
	}
	return c, nil
}

// classRune takes one character, which a backslash may quote.
func classRune(text string) (rune, string) {
	if text[0] == '\\' && len(text) > 1 {
		text = text[1:]
	}
	r, n := utf8.DecodeRuneInString(text)
	return r, text[n:]
}

func (c *class) has(r rune) bool {
	for _, in := range c.ranges {
		if in.low <= r && r <= in.high {
			return !c.negated
		}
	}
	return c.negated
}
