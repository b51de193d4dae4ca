package search

import (
	"septet/backend/search/glob"
	"septet/safepath"
)

// filter chooses names by a pattern. The zero filter takes every file.
type filter struct {
	pattern *glob.Pattern
	names   bool // names are looked for, not files to read: links count, directories may
}

// newFilter makes the filter of a grep.
func newFilter(pattern string) (filter, error) {
	if pattern == "" {
		return filter{}, nil
	}
	p, err := glob.ParseFilter(pattern)
	return filter{pattern: p}, err
}

// newGlobFilter makes the filter of a glob.
func newGlobFilter(pattern string) (filter, error) {
	p, err := glob.Parse(pattern)
	return filter{pattern: p, names: true}, err
}

// start is the state of the directory with these components below the root. A
// glob is relative to that directory, a grep's filter to the root.
func (f filter) start(below []string) glob.State {
	if f.pattern == nil {
		return glob.State{}
	}
	s := f.pattern.Start()
	if f.names {
		return s
	}
	for _, name := range below {
		s = on(s, name).Below(name)
	}
	return s
}

// on is the state of a directory of which only the name on the way matters.
func on(s glob.State, name string) glob.State {
	return s.Here(func(other string) bool { return other == name })
}

// here takes a listing into account.
func (f filter) here(s glob.State, l *listing) glob.State {
	if f.pattern == nil {
		return s
	}
	return s.Here(l.has)
}

// wants reports whether the entry is one to report or to read.
func (f filter) wants(s glob.State, e safepath.Entry) bool {
	switch {
	case f.pattern == nil:
		return e.Kind == safepath.KindFile
	case f.pattern.Directories():
		return f.names && e.Kind == safepath.KindDirectory && s.Matches(e.Name)
	case e.Kind == safepath.KindFile || f.names && e.Kind == safepath.KindSymlink:
		return s.Matches(e.Name)
	}
	return false
}

// below is the state in the directory name, and whether to go there.
func (f filter) below(s glob.State, name string) (glob.State, bool) {
	if f.pattern == nil {
		return s, true
	}
	s = s.Below(name)
	return s, !s.Empty()
}

// takesPath reports whether the pattern takes the path with these components.
func (f filter) takesPath(below []string) bool {
	if len(below) == 0 {
		return false
	}
	last := len(below) - 1
	return on(f.start(below[:last]), below[last]).Matches(below[last])
}
