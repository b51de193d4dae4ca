package search

import (
	"context"

	"septet/backend"
)

// visitor is told what a walk comes to, in order. It returns false to end it.
type visitor func(d *directory, it item) bool

// walk goes through the tree one name after the other, in order.
type walk struct {
	tree    *tree
	summary *backend.SearchSummary
	visit   visitor
	names   int64 // looked at
}

// run walks until the end, until the visitor has enough or until ctx ends. The
// error is for a place that cannot be read at all.
func (w *walk) run(ctx context.Context) error {
	root := w.tree.root()
	c, err := w.tree.content(root)
	if err != nil {
		return startError(w.tree.at.display, err)
	}
	w.content(ctx, root, c)
	return nil
}

func (w *walk) content(ctx context.Context, d *directory, c content) bool {
	w.summary.Ignored += c.ignored
	w.names += c.names
	for _, it := range c.items {
		if ctx.Err() != nil {
			w.summary.Stopped = stopped(ctx)
			return false
		}
		if it.wanted && !w.visit(d, it) {
			return false
		}
		if it.enter && !w.directory(ctx, d, it) {
			return false
		}
	}
	return true
}

func (w *walk) directory(ctx context.Context, parent *directory, it item) bool {
	d, err := w.tree.enter(parent, it)
	if err != nil {
		w.unreadable(err)
		return true
	}
	defer d.handle.Close()
	c, err := w.tree.content(d)
	if err != nil {
		w.unreadable(err)
		return true
	}
	return w.content(ctx, d, c)
}

func (w *walk) unreadable(err error) {
	if !gone(err) {
		w.summary.Unreadable++
	}
}
