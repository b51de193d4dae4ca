package shell

import "strings"

// matcher is one component of a file name pattern.
type matcher []element

// element matches one character, or with star any number.
type element struct {
	star   bool
	any    bool
	negate bool
	ranges [][2]rune
}

// compile reads a component; nil means it is plain text. Brackets whose
// reading depends on more than the characters in them are refused.
func compile(part []symbol) (matcher, error) {
	var m matcher
	plain := true
	for i := 0; i < len(part); i++ {
		s := part[i]
		switch {
		case s.quoted || !strings.ContainsRune("*?[", s.r):
			m = append(m, element{ranges: [][2]rune{{s.r, s.r}}})
			continue
		case s.r == '*':
			m = append(m, element{star: true})
		case s.r == '?':
			m = append(m, element{any: true})
		default:
			e, length, err := compileBracket(part[i+1:])
			if err != nil {
				return nil, err
			}
			m = append(m, e)
			i += length
		}
		plain = false
	}
	if plain {
		return nil, nil
	}
	return m, nil
}

// compileBracket reads what follows "[" and says how long it is, "]" included.
func compileBracket(part []symbol) (e element, length int, err error) {
	i := 0
	if len(part) > 0 && !part[0].quoted && (part[0].r == '!' || part[0].r == '^') {
		e.negate = true
		i++
	}
	for start := i; i < len(part); i++ {
		s := part[i]
		switch {
		case s.quoted || strings.ContainsRune(`[\`, s.r) || s.r == ']' && i == start:
			return e, 0, refuse(badGlob, "brackets with a quote, a class or a bracket")
		case s.r == ']':
			return e, i + 1, nil
		case i+2 < len(part) && part[i+1] == symbol{'-', false} && part[i+2] != symbol{']', false}:
			if part[i+2].quoted || part[i+2].r < s.r {
				return e, 0, refuse(badGlob, "brackets with a quote or an empty range")
			}
			e.ranges = append(e.ranges, [2]rune{s.r, part[i+2].r})
			i += 2
		default:
			e.ranges = append(e.ranges, [2]rune{s.r, s.r})
		}
	}
	return e, 0, refuse(badGlob, "a bracket without its end")
}

// matches reports whether the whole name matches. A dot at its start is
// matched by nothing but a dot.
func (m matcher) matches(name string) bool {
	if strings.HasPrefix(name, ".") && !m[0].isDot() {
		return false
	}
	runes := []rune(name)
	star, mark := -1, 0
	i, j := 0, 0
	for i < len(runes) {
		switch {
		case j < len(m) && m[j].star:
			star, mark = j, i
			j++
		case j < len(m) && m[j].matches(runes[i]):
			i, j = i+1, j+1
		case star >= 0:
			mark++
			i, j = mark, star+1
		default:
			return false
		}
	}
	for j < len(m) && m[j].star {
		j++
	}
	return j == len(m)
}

func (e element) isDot() bool {
	return !e.negate && len(e.ranges) == 1 && e.ranges[0] == [2]rune{'.', '.'}
}

func (e element) matches(r rune) bool {
	if e.any {
		return true
	}
	for _, pair := range e.ranges {
		if pair[0] <= r && r <= pair[1] {
			return !e.negate
		}
	}
	return e.negate
}
