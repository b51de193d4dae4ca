package glob

import "unicode/utf8"

type tokenKind uint8

const (
	tokenLiteral tokenKind = iota // one given character
	tokenAny                      // one character
	tokenSet                      // one character of a class
	tokenStar                     // any run
)

type token struct {
	kind tokenKind
	char string // one character, or one byte that is not UTF-8
	set  *class
}

// wildcard matches a name without ever going back further than the last star:
// the stars before it can stay where they first fitted, for the last one takes
// up whatever lies between. So the time is bounded by the length of the name
// times the longest part between two stars. A byte that is not UTF-8 counts as
// one character.
type wildcard struct {
	tokens []token
	stars  int
	exotic bool // written in a way that gobwas/glob reads otherwise
}

// Match reports whether the whole name matches.
func (w *wildcard) Match(name string) bool {
	matched, _ := w.match(name)
	return matched
}

// match also counts its steps.
func (w *wildcard) match(name string) (matched bool, steps int) {
	if len(w.tokens)-w.stars > len(name) {
		return false, 0
	}
	at, i := 0, 0         // the next token, the next byte
	star, resume := -1, 0 // the last star passed, and where its run ends for now
	for at < len(w.tokens) || i < len(name) {
		steps++
		if at < len(w.tokens) && w.tokens[at].kind == tokenStar {
			star, resume = at, i
			at++
			continue
		}
		if n := w.take(at, name[i:]); n > 0 {
			at, i = at+1, i+n
			continue
		}
		if star < 0 || resume >= len(name) {
			return false, steps
		}
		_, n := utf8.DecodeRuneInString(name[resume:])
		resume += n
		at, i = star+1, resume
	}
	return true, steps
}

// take returns the length of what the token at takes from the front of rest,
// or 0.
func (w *wildcard) take(at int, rest string) int {
	if at == len(w.tokens) || rest == "" {
		return 0
	}
	t := &w.tokens[at]
	r, n := utf8.DecodeRuneInString(rest)
	if t.kind == tokenLiteral && t.char != rest[:n] || t.kind == tokenSet && !t.set.has(r) {
		return 0
	}
	return n
}
