package glob

import (
	"strings"
	"unicode/utf8"
)

// The oracle reads patterns by recursion, character by character, and tries
// every choice. It is slow and obvious.

// oracleMatch reports whether the path matches the pattern.
func oracleMatch(pattern, path string) bool {
	for _, p := range oracleExpand(pattern) {
		if oraclePath(components(p), strings.Split(path, "/")) {
			return true
		}
	}
	return false
}

func components(p string) []string {
	var parts []string
	for _, s := range strings.Split(p, "/") {
		if s != "" && s != "." {
			parts = append(parts, s)
		}
	}
	return parts
}

func oraclePath(pattern, path []string) bool {
	if len(pattern) == 0 {
		return len(path) == 0
	}
	if pattern[0] == "**" {
		if len(pattern) == 1 {
			return len(path) > 0
		}
		for i := range path {
			if oraclePath(pattern[1:], path[i:]) {
				return true
			}
		}
		return false
	}
	return len(path) > 0 && oracleName(pattern[0], path[0]) && oraclePath(pattern[1:], path[1:])
}

func oracleName(p, name string) bool {
	if p == "" {
		return name == ""
	}
	switch p[0] {
	case '*':
		for i := 0; i <= len(name); {
			if oracleName(p[1:], name[i:]) {
				return true
			}
			_, n := utf8.DecodeRuneInString(name[i:])
			i += max(n, 1)
		}
		return false
	case '?':
		_, n := utf8.DecodeRuneInString(name)
		return n > 0 && oracleName(p[1:], name[n:])
	case '[':
		r, n := utf8.DecodeRuneInString(name)
		in, rest := oracleClass(p[1:], r)
		return n > 0 && in && oracleName(rest, name[n:])
	case '\\':
		p = p[1:]
	}
	_, n := utf8.DecodeRuneInString(p)
	_, m := utf8.DecodeRuneInString(name)
	return p[:n] == name[:m] && oracleName(p[n:], name[m:])
}

// oracleClass reads the class behind its bracket.
func oracleClass(p string, r rune) (in bool, rest string) {
	negated := p[0] == '!' || p[0] == '^'
	if negated {
		p = p[1:]
	}
	one := func() rune {
		if p[0] == '\\' {
			p = p[1:]
		}
		c, n := utf8.DecodeRuneInString(p)
		p = p[n:]
		return c
	}
	for first := true; first || p[0] != ']'; first = false {
		low := one()
		high := low
		if p[0] == '-' && p[1] != ']' {
			p = p[1:]
			high = one()
		}
		in = in || low <= r && r <= high
	}
	return in != negated, p[1:]
}

// oracleExpand replaces the first brace and goes on with each result.
func oracleExpand(p string) []string {
	depth, open, quoted, class := 0, -1, false, -1
	var cuts []int
	for i, c := range []byte(p) {
		switch {
		case quoted:
			quoted = false
		case c == '\\':
			quoted = true
		case class >= 0:
			if c == ']' && i > class {
				class = -1
			}
		case c == '[':
			class = i + 1
			if i+1 < len(p) && (p[i+1] == '!' || p[i+1] == '^') {
				class++
			}
		case c == '{':
			if depth++; depth == 1 {
				open, cuts = i, []int{i}
			}
		case c == ',' && depth == 1:
			cuts = append(cuts, i)
		case c == '}' && depth > 0:
			if depth--; depth > 0 {
				continue
			}
			var all []string
			for k, cut := range cuts {
				end := i
				if k+1 < len(cuts) {
					end = cuts[k+1]
				}
				all = append(all, oracleExpand(p[:open]+p[cut+1:end]+p[i+1:])...)
			}
			return all
		}
	}
	return []string{p}
}
