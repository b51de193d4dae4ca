// Package line finds the lines that a regular expression matches.
//
// Its answer is always the one package regexp gives for each line by itself. It
// comes faster: a line can only match when it holds certain literal text, and
// a deterministic automaton, built as far as the text needs it, decides the
// rest.
//
// A carriage return before a line feed is part of the line end and part of the
// line: "$" matches before it, and it can be searched for.
package line

import (
	"fmt"
	"regexp"
	"regexp/syntax"
)

// Expression is what is looked for. It is immutable and safe for concurrent
// use.
type Expression struct {
	re        *regexp.Regexp
	prog      *syntax.Prog
	classes   *classes // nil when the expression has too many for an automaton
	literal   *literal // text that every matching line holds; nil when there is none
	everyLine bool     // nothing matches everywhere
	anchored  bool     // matches only at the beginning of a line
	fromPiece bool     // whether a line matches is decided from the first piece of literal on
}

// Compile reads an expression in the syntax of package regexp. Errors are
// those of regexp/syntax.
func Compile(text string, fold bool) (*Expression, error) {
	flags := syntax.Perl
	if fold {
		flags |= syntax.FoldCase
		text = "(?i)" + text
	}
	tree, err := syntax.Parse(text, flags)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	tree = tree.Simplify()
	prog, err := syntax.Compile(tree)
	if err != nil {
		return nil, fmt.Errorf("compiling %q: %w", text, err)
	}
	e := &Expression{re: re, prog: prog, literal: required(tree)}
	e.anchored = prog.StartCond()&syntax.EmptyBeginText != 0
	e.classes = newClasses(prog)
	e.everyLine = matchesNothing(tree)
	e.fromPiece = e.literal != nil && e.literal.first && !hasConditions(prog)
	return e, nil
}

// hasConditions reports that the expression looks at what lies around a place.
func hasConditions(prog *syntax.Prog) bool {
	for _, in := range prog.Inst {
		if in.Op == syntax.InstEmptyWidth {
			return true
		}
	}
	return false
}

// matchesNothing reports that the expression matches the empty string without
// any condition, and with it every line.
func matchesNothing(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpStar, syntax.OpQuest:
		return true
	case syntax.OpCapture, syntax.OpPlus:
		return matchesNothing(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min == 0 || matchesNothing(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !matchesNothing(sub) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if matchesNothing(sub) {
				return true
			}
		}
	}
	return false
}

// Regexp is the same expression for package regexp, to find where in a line it
// matches.
func (e *Expression) Regexp() *regexp.Regexp { return e.re }

// MatchLine asks package regexp about one line, without its line feed.
func (e *Expression) MatchLine(line []byte) bool {
	bare := WithoutReturn(line)
	return e.re.Match(bare) || len(bare) < len(line) && e.re.Match(line)
}

// WithoutReturn drops the carriage return at the end of a line.
func WithoutReturn(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}
