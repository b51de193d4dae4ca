package search

import (
	"context"

	"septet/backend"
)

// glob finds names below a directory.
func (s *Searcher) glob(ctx context.Context, at *place, f filter, q backend.GlobQuery) (backend.GlobResult, error) {
	r := globResult{query: q, at: at, ticker: ticker{tell: q.Progress}, directories: f.pattern.Directories()}
	p := parallel{tree: &tree{at: at, filter: f}, workers: s.config.Workers, commit: r.commit}
	err := p.run(ctx)
	if r.Summary.Stopped == "" {
		r.Summary.Stopped = stopped(ctx)
	}
	return r.GlobResult, err
}

// globResult collects what a glob commits.
type globResult struct {
	backend.GlobResult
	query       backend.GlobQuery
	at          *place
	ticker      ticker
	directories bool
}

// commit adds an outcome and reports whether the result is complete.
func (r *globResult) commit(o *outcome) (enough bool) {
	add(&r.Summary, o.summary)
	r.Summary.Files += o.names
	r.ticker.tick(r.Summary.Files)
	for _, path := range o.paths {
		if r.directories {
			path += "/"
		}
		r.Paths = append(r.Paths, r.at.shown(path))
		if len(r.Paths) == r.query.MaxResults {
			r.Summary.Stopped = backend.StoppedAtLimit
			return true
		}
	}
	return false
}
