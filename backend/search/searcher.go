// Package search looks through trees on held directories: it never opens
// anything by path, follows no link and reads regular files only.
package search

import (
	"context"
	"runtime"

	"septet/backend"
	"septet/safepath"
)

// Config is what a Searcher is made from. The zero value works.
type Config struct {
	// Environment gives a variable's value, or "": HOME, XDG_CONFIG_HOME and
	// git's own lead to the user's git configuration and global excludes.
	// Optional; without it there are no global excludes.
	Environment func(name string) string
	// Workers is how many files are read at once. Optional; the number of
	// processors.
	Workers int
}

// Searcher implements backend.Searcher on any volume. It is safe for
// concurrent use and keeps nothing between searches.
type Searcher struct{ config Config }

var _ backend.Searcher = (*Searcher)(nil)

// New makes a Searcher.
func New(c Config) *Searcher {
	if c.Environment == nil {
		c.Environment = func(string) string { return "" }
	}
	if c.Workers < 1 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	return &Searcher{config: c}
}

// Grep implements backend.Searcher.
func (s *Searcher) Grep(ctx context.Context, p *safepath.CheckedPath, q backend.GrepQuery) (backend.GrepResult, error) {
	e, err := compile(q)
	if err != nil {
		return backend.GrepResult{}, err
	}
	filter, err := newFilter(q.Glob)
	if err != nil {
		return backend.GrepResult{}, err
	}
	at, err := s.begin(p, q.IncludeIgnored)
	if err != nil {
		return backend.GrepResult{}, err
	}
	defer at.close()
	return s.grep(ctx, at, filter, e, q)
}

// Glob implements backend.Searcher.
func (s *Searcher) Glob(ctx context.Context, p *safepath.CheckedPath, q backend.GlobQuery) (backend.GlobResult, error) {
	filter, err := newGlobFilter(q.Pattern)
	if err != nil {
		return backend.GlobResult{}, err
	}
	at, err := s.begin(p, q.IncludeIgnored)
	if err != nil {
		return backend.GlobResult{}, err
	}
	defer at.close()
	return s.glob(ctx, at, filter, q)
}
