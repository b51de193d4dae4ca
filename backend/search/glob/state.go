package glob

import "slices"

// State is how far a pattern is matched by the path of a directory: the
// components that may come next. It is immutable.
type State struct {
	pattern *Pattern
	at      []int  // places in the pattern's segments, sorted; each "**" has what follows it beside it
	literal []bool // beside at: the text exists as a name here, so it is no pattern; nil when none does
}

// Start is the state of the directory that the pattern is relative to.
func (p *Pattern) Start() State {
	var at []int
	for _, i := range p.starts {
		at = p.reach(at, i)
	}
	return State{pattern: p, at: sorted(at)}
}

// reach adds the place i, and what follows it when it is a "**".
func (p *Pattern) reach(at []int, i int) []int {
	at = append(at, i)
	if p.segments[i].deep && !p.segments[i].last {
		at = append(at, i+1)
	}
	return at
}

func sorted(at []int) []int {
	slices.Sort(at)
	return slices.Compact(at)
}

// Empty reports that nothing below the directory can match.
func (s State) Empty() bool { return len(s.at) == 0 }

// Here takes the names of the directory into account: where the text of a
// component is itself a name, such as "[id].tsx", it means that name.
func (s State) Here(exists func(name string) bool) State {
	for k, i := range s.at {
		m := &s.pattern.segments[i].match
		if !m.disguised || !exists(m.text) {
			continue
		}
		if s.literal == nil {
			s.literal = make([]bool, len(s.at))
		}
		s.literal[k] = true
	}
	return s
}

// Matches reports whether the name, in the directory of s, is one to find.
func (s State) Matches(name string) bool {
	for k, i := range s.at {
		seg := &s.pattern.segments[i]
		if seg.last && (seg.deep || s.takes(k, name)) {
			return true
		}
	}
	return false
}

// Below is the state of the directory name in the directory of s.
func (s State) Below(name string) State {
	var space [8]int
	at := space[:0]
	for k, i := range s.at {
		seg := &s.pattern.segments[i]
		switch {
		case seg.deep:
			at = s.pattern.reach(at, i)
		case !seg.last && s.takes(k, name):
			at = s.pattern.reach(at, i+1)
		}
	}
	if at = sorted(at); slices.Equal(at, s.at) {
		at = s.at // as below most "**": nothing new to keep
	} else {
		at = slices.Clone(at)
	}
	return State{pattern: s.pattern, at: at}
}

func (s State) takes(k int, name string) bool {
	m := &s.pattern.segments[s.at[k]].match
	if s.literal != nil && s.literal[k] {
		return m.text == name
	}
	return m.reads(name)
}
