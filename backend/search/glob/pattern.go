// Package glob matches paths with patterns, one component at a time, in time
// that is bounded by the lengths of the pattern and the name.
package glob

import (
	"fmt"
	"strings"

	"septet/backend"
	"septet/safepath"
)

const (
	// MaxPatternBytes bounds a pattern: the time for one name grows with it.
	MaxPatternBytes = 1 << 10
	// MaxAlternatives bounds what braces stand for, all in all: nested braces
	// double it with every pair.
	MaxAlternatives = 64
)

// Pattern is a compiled pattern. It is immutable and safe for concurrent use.
type Pattern struct {
	segments    []segment // of all alternatives, one after the other
	starts      []int     // where each alternative begins in segments
	directories bool
}

// segment is one component of one alternative.
type segment struct {
	deep  bool // "**": any number of directories
	last  bool // the alternative ends here
	match segmentMatcher
}

// Parse compiles a pattern for paths below a directory. Errors are
// *backend.Error with InvalidPattern or OutsideRoots.
func Parse(pattern string) (*Pattern, error) {
	if err := check(pattern); err != nil {
		return nil, err
	}
	trimmed := strings.TrimRight(pattern, "/")
	p := &Pattern{directories: trimmed != pattern}
	alternatives, err := splitBraces(trimmed)
	if err != nil {
		return nil, err
	}
	for _, a := range alternatives {
		if err := p.add(a); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// ParseFilter compiles a pattern that, without a slash, matches the base name
// at any depth.
func ParseFilter(pattern string) (*Pattern, error) {
	if !strings.Contains(strings.TrimRight(pattern, "/"), "/") {
		if err := check(pattern); err != nil {
			return nil, err
		}
		pattern = "**/" + pattern
	}
	return Parse(pattern)
}

// Directories reports that the pattern is for directories: it ends in "/".
func (p *Pattern) Directories() bool { return p.directories }

// check refuses what no pattern can be. A pattern that leaves the directory
// would look at names outside the roots.
func check(pattern string) error {
	switch {
	case pattern == "":
		return invalid("the pattern is empty", `to find everything, use "**"`)
	case len(pattern) > MaxPatternBytes:
		return invalid(fmt.Sprintf("the pattern has %d bytes; at most %d are allowed", len(pattern), MaxPatternBytes), "use a shorter pattern")
	case strings.ContainsRune(pattern, 0):
		return invalid("the pattern holds a NUL byte", "no name holds one")
	case pattern[0] == '/':
		return outside(pattern, "give the directory as path and the pattern relative to it")
	}
	return nil
}

// add splits one alternative into components.
func (p *Pattern) add(alternative string) error {
	p.starts = append(p.starts, len(p.segments))
	if strings.HasPrefix(alternative, "/") {
		return outside(alternative, "give the directory as path and the pattern relative to it")
	}
	for _, text := range splitSlashes(alternative) {
		switch text {
		case "", ".":
			continue
		case "..":
			return outside(alternative, `".." is not allowed in a pattern; give the directory as path`)
		case "**":
			if !p.endsDeep() {
				p.segments = append(p.segments, segment{deep: true})
			}
			continue
		}
		m, err := compileSegment(text)
		if err != nil {
			return err
		}
		p.segments = append(p.segments, segment{match: m})
	}
	if len(p.segments) == p.starts[len(p.starts)-1] {
		p.starts = p.starts[:len(p.starts)-1] // nothing but slashes and dots: the directory itself
		return nil
	}
	p.segments[len(p.segments)-1].last = true
	return nil
}

// endsDeep reports that the alternative being added ends in "**" so far.
func (p *Pattern) endsDeep() bool {
	n := len(p.segments)
	return n > p.starts[len(p.starts)-1] && p.segments[n-1].deep
}

func invalid(fact, hint string) error {
	return &backend.Error{Code: backend.InvalidPattern, Fact: fact, Hint: hint}
}

func outside(pattern, hint string) error {
	return &backend.Error{Code: safepath.OutsideRoots, Fact: fmt.Sprintf("the pattern %q leaves its directory", pattern), Hint: hint}
}
