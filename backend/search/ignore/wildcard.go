package ignore

import "math/bits"

// tokenKind is one element of a compiled pattern.
type tokenKind uint8

const (
	tokenByte  tokenKind = iota // exactly one given byte
	tokenAny                    // one byte but "/"
	tokenSet                    // one byte of a set
	tokenStar                   // any run of bytes without "/"
	tokenStars                  // any run of bytes
	tokenDirs                   // "**/": nothing, or any run that ends in "/"; the slash is the next token
	tokenNever                  // a malformed class: nothing matches
)

type token struct {
	kind tokenKind
	char byte
	set  *[256]bool
}

// wildcard is a compiled pattern with git's meaning: bytes, not runes; "*" and
// "?" and classes stop at "/"; "**" crosses it only as a whole component.
//
// It runs all alternatives at once, so its time is bounded by the length of
// the pattern times that of the name: an ignore file comes with the tree and
// must not be able to stall a search.
type wildcard struct {
	tokens []token
	tail   string // bytes every match ends with
	least  int    // bytes every match has at least
}

// compile reads a pattern. It must begin where git's matcher begins: after the
// part without special characters.
func compile(p string) wildcard {
	var w wildcard
	for i := 0; i < len(p); {
		var t token
		t, i = nextToken(p, i)
		w.tokens = append(w.tokens, t)
	}
	w.measure()
	return w
}

// nextToken reads the token at i and returns where the next one begins.
func nextToken(p string, i int) (token, int) {
	switch c := p[i]; c {
	case '?':
		return token{kind: tokenAny}, i + 1
	case '*':
		return starToken(p, i)
	case '[':
		return classToken(p, i+1)
	case '\\':
		if i+1 == len(p) {
			return token{kind: tokenNever}, i + 1
		}
		return token{kind: tokenByte, char: p[i+1]}, i + 2
	default:
		return token{kind: tokenByte, char: c}, i + 1
	}
}

// starToken reads a run of stars. Two or more that stand alone between slashes
// cross directories; "**/" may also stand for nothing.
func starToken(p string, i int) (token, int) {
	end := i
	for end < len(p) && p[end] == '*' {
		end++
	}
	rest := p[end:]
	alone := (i == 0 || p[i-1] == '/') &&
		(rest == "" || rest[0] == '/' || len(rest) > 1 && rest[0] == '\\' && rest[1] == '/')
	switch {
	case end-i < 2 || !alone:
		return token{kind: tokenStar}, end
	case rest != "" && rest[0] == '/':
		return token{kind: tokenDirs}, end
	default:
		return token{kind: tokenStars}, end
	}
}

// measure finds the cheap tests that most names fail.
func (w *wildcard) measure() {
	var tail []byte
	for i, t := range w.tokens {
		switch {
		case t.kind == tokenByte && i > 0 && w.tokens[i-1].kind == tokenDirs:
			// The slash of "**/": a match may lack it.
		case t.kind == tokenByte:
			w.least++
			tail = append(tail, t.char)
		case t.kind == tokenAny || t.kind == tokenSet:
			w.least++
			tail = tail[:0]
		default:
			tail = tail[:0]
		}
	}
	w.tail = string(tail)
}

// match reports whether the whole of name matches.
func (w *wildcard) match(name string) bool {
	if len(name) < w.least || len(name) < len(w.tail) || name[len(name)-len(w.tail):] != w.tail {
		return false
	}
	var space [2][8]uint64
	words := len(w.tokens)/64 + 1
	now, next := space[0][:], space[1][:]
	if words > len(now) {
		now, next = make([]uint64, words), make([]uint64, words)
	}
	now, next = now[:words], next[:words]
	w.activate(now, 0)
	for i := range len(name) {
		if !w.step(now, next, name[i]) {
			return false
		}
		now, next = next, now
		clear(next)
	}
	return now[len(w.tokens)/64]&(1<<(len(w.tokens)%64)) != 0
}

// activate marks position i, and those that are reached from it for free.
func (w *wildcard) activate(set []uint64, i int) {
	for {
		set[i/64] |= 1 << (i % 64)
		if i == len(w.tokens) {
			return
		}
		switch w.tokens[i].kind {
		case tokenStar, tokenStars:
			i++
		case tokenDirs:
			w.activate(set, i+1)
			i += 2
		default:
			return
		}
	}
}

// step moves every position in now over c into next; false when none is left.
func (w *wildcard) step(now, next []uint64, c byte) bool {
	alive := false
	for k, word := range now {
		for ; word != 0; word &= word - 1 {
			i := k*64 + bits.TrailingZeros64(word)
			if i == len(w.tokens) {
				continue
			}
			switch t := &w.tokens[i]; {
			case !t.takes(c):
				continue
			case t.kind == tokenDirs:
				// Once something was taken, the slash must follow.
				next[k] |= 1 << (i % 64)
				w.activate(next, i+1)
			case t.kind == tokenStar || t.kind == tokenStars:
				w.activate(next, i)
			default:
				w.activate(next, i+1)
			}
			alive = true
		}
	}
	return alive
}

// takes reports whether c fits the token.
func (t *token) takes(c byte) bool {
	switch t.kind {
	case tokenByte:
		return c == t.char
	case tokenAny, tokenStar:
		return c != '/'
	case tokenSet:
		return t.set[c]
	case tokenStars, tokenDirs:
		return true
	}
	return false
}
