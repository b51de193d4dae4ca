package glob

import (
	"fmt"
	"strings"
)

// splitBraces replaces the braces that reach over a component by
// alternatives; the others stay, for they are read component by component, so
// that a name which looks like them can be told apart.
func splitBraces(pattern string) ([]string, error) {
	if n, err := countAlternatives(pattern); err != nil {
		return nil, err
	} else if n > MaxAlternatives {
		return nil, invalid(fmt.Sprintf("the braces stand for more than %d alternatives", MaxAlternatives), "use several calls, or a wider pattern")
	}
	var all []string
	for _, a := range expand(pattern, func(brace string) bool { return strings.Contains(brace, "/") }) {
		if hidesSpecial(a) {
			all = append(all, expandAll(a)...)
		} else {
			all = append(all, a)
		}
	}
	return all, nil
}

// hidesSpecial reports that braces may stand for something that is no name:
// "{..,a}/b" leaves the directory.
func hidesSpecial(alternative string) bool {
	for _, text := range splitSlashes(alternative) {
		if nextBrace(text, 0) < 0 {
			continue
		}
		for _, name := range expandAll(text) {
			if name == "" || name == "." || name == ".." || name == "**" {
				return true
			}
		}
	}
	return false
}

// expandAll replaces every brace. The pattern was counted before.
func expandAll(pattern string) []string {
	return expand(pattern, func(string) bool { return true })
}

func expand(pattern string, wanted func(brace string) bool) []string {
	for open := nextBrace(pattern, 0); open >= 0; open = nextBrace(pattern, open+1) {
		end, commas := closeBrace(pattern, open)
		if end < 0 || !wanted(pattern[open:end+1]) {
			continue
		}
		var all []string
		from := open + 1
		for _, to := range append(commas, end) {
			all = append(all, expand(pattern[:open]+pattern[from:to]+pattern[end+1:], wanted)...)
			from = to + 1
		}
		return all
	}
	return []string{pattern}
}

// countAlternatives counts without building them; it stops soon after the
// bound, for the true number can have hundreds of digits.
func countAlternatives(pattern string) (int, error) {
	total := 1
	for open := nextBrace(pattern, 0); open >= 0; {
		end, commas := closeBrace(pattern, open)
		if end < 0 {
			return 0, invalid(fmt.Sprintf("the brace at byte %d is not closed", open), `write "\{" for the character itself`)
		}
		sum, from := 0, open+1
		for _, to := range append(commas, end) {
			n, err := countAlternatives(pattern[from:to])
			if err != nil {
				return 0, err
			}
			sum, from = sum+n, to+1
		}
		if total *= sum; total > MaxAlternatives {
			return total, nil
		}
		open = nextBrace(pattern, end+1)
	}
	return total, nil
}

// nextBrace finds the next opening brace that is not quoted or in a class.
func nextBrace(pattern string, from int) int {
	for i := from; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			i = classEnd(pattern, i)
		case '{':
			return i
		}
	}
	return -1
}

// closeBrace finds the end of the brace at open and the commas of its level.
func closeBrace(pattern string, open int) (end int, commas []int) {
	depth := 0
	for i := open; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			i = classEnd(pattern, i)
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i, commas
			}
		case ',':
			if depth == 1 {
				commas = append(commas, i)
			}
		}
	}
	return -1, nil
}

// classEnd returns the place of the bracket that closes the class at open, or
// open itself when none does before the next slash.
func classEnd(pattern string, open int) int {
	i := open + 1
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		i++
	}
	for first := i; i < len(pattern) && pattern[i] != '/'; i++ {
		switch {
		case pattern[i] == '\\':
			i++
		case pattern[i] == ']' && i > first:
			return i
		}
	}
	return open
}

// splitSlashes splits at the slashes outside braces; those inside were
// expanded before. A class holds no slash.
func splitSlashes(pattern string) []string { return strings.Split(pattern, "/") }
