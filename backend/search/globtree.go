package search

import (
	"context"

	"septet/backend"
)

// globTree finds names below a directory.
func globTree(ctx context.Context, at *place, f filter, q backend.GlobQuery) (backend.GlobResult, error) {
	var r backend.GlobResult
	t := &tree{at: at, filter: f}
	w := walk{tree: t, summary: &r.Summary, visit: func(d *directory, it item) bool {
		below := d.showing(it.name)
		if f.pattern.Directories() {
			below += "/"
		}
		r.Paths = append(r.Paths, at.shown(below))
		if len(r.Paths) < q.MaxResults {
			return true
		}
		r.Summary.Stopped = backend.StoppedAtLimit
		return false
	}}
	err := w.run(ctx)
	r.Summary.Files = w.names
	return r, err
}
