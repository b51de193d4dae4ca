package search

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"septet/backend"
	"septet/backend/search/line"
)

// compile reads the pattern. Errors are *backend.Error with InvalidPattern.
func compile(q backend.GrepQuery) (*line.Expression, error) {
	text := q.Pattern
	if len(text) > MaxPatternBytes {
		return nil, patternError(fmt.Sprintf("the pattern has %d bytes; at most %d are allowed", len(text), MaxPatternBytes), "search for a part of it")
	}
	if strings.Contains(text, "\n") {
		return nil, patternError("the pattern holds a line end, and lines are searched one by one", "search for one of its lines, with context to see the others")
	}
	if q.Literal {
		text = regexp.QuoteMeta(text)
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, parseError(q.Pattern, err)
	}
	if hasLineFeed(parsed) {
		return nil, patternError(`the pattern asks for \n, and lines are searched one by one`, "search for one of its lines, with context to see the others")
	}
	e, err := line.Compile(text, q.CaseInsensitive)
	if err != nil {
		return nil, parseError(q.Pattern, err)
	}
	return e, nil
}

func patternError(fact, hint string) error {
	return &backend.Error{Code: backend.InvalidPattern, Fact: fact, Hint: hint}
}

// parseError says what is wrong and where.
func parseError(pattern string, err error) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return patternError(err.Error(), "")
	}
	fact := fmt.Sprintf("the pattern is not valid at byte %d: %s: %q", errorOffset(pattern, e), e.Code, e.Expr)
	return patternError(fact, "correct it (RE2 syntax), or call again with literal=true to search for the text itself")
}

// errorOffset finds the place; the parser gives only the part it dislikes, and
// for parentheses the whole pattern.
func errorOffset(pattern string, e *syntax.Error) int {
	if e.Code == syntax.ErrMissingParen || e.Code == syntax.ErrUnexpectedParen {
		return unbalanced(pattern)
	}
	if e.Code == syntax.ErrTrailingBackslash {
		return len(pattern) - 1
	}
	return max(strings.LastIndex(pattern, e.Expr), 0)
}

// unbalanced returns the offset of the first ")" without its "(", or of the
// last "(" without its ")".
func unbalanced(pattern string) int {
	var open []int
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			if end := strings.IndexByte(pattern[min(i+2, len(pattern)):], ']'); end >= 0 {
				i += 2 + end
			}
		case '(':
			open = append(open, i)
		case ')':
			if len(open) == 0 {
				return i
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return 0
	}
	return open[len(open)-1]
}

// hasLineFeed reports that a line feed is asked for by itself, which no line
// holds; a class that merely has it among others is harmless.
func hasLineFeed(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral {
		for _, r := range re.Rune {
			if r == '\n' {
				return true
			}
		}
	}
	for _, sub := range re.Sub {
		if hasLineFeed(sub) {
			return true
		}
	}
	return false
}
