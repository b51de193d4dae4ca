package search

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"septet/backend"
)

// expression is what lines are searched for.
type expression struct {
	re *regexp.Regexp
}

// compile reads the pattern. Errors are *backend.Error with InvalidPattern.
func compile(q backend.GrepQuery) (*expression, error) {
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
	if q.CaseInsensitive {
		text = "(?i)" + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, parseError(q.Pattern, err)
	}
	return &expression{re: re}, nil
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

// matches reports whether a line, without its line feed, matches. A carriage
// return at its end belongs to the line end, so that "$" works, and can be
// searched for all the same.
func (e *expression) matches(line []byte) bool {
	bare := withoutReturn(line)
	return e.re.Match(bare) || len(bare) < len(line) && e.re.Match(line)
}

// find returns where the first match of a matching line is.
func (e *expression) find(line []byte) (start, end int) {
	loc := e.re.FindIndex(withoutReturn(line))
	if loc == nil {
		loc = e.re.FindIndex(line)
	}
	if loc == nil {
		return 0, 0
	}
	return loc[0], loc[1]
}

func withoutReturn(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// next returns the first matching line of text, which consists of whole lines,
// without its line feed; len(text) twice when there is none.
func (e *expression) next(text []byte) (start, end int) {
	for start < len(text) {
		end = start + len(text[start:])
		if n := bytes.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n
		}
		if e.matches(text[start:end]) {
			return start, end
		}
		start = end + 1
	}
	return len(text), len(text)
}
