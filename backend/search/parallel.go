package search

import (
	"context"
	"sync"

	"septet/backend"
)

// parallel searches a tree with several workers; results come in order.
type parallel struct {
	tree    *tree
	workers int
	search  func() fileSearch // a worker's own way to search files; nil to report names
	commit  func(*outcome) (enough bool)
}

// fileSearch searches one file of a directory.
type fileSearch func(ctx context.Context, d *directory, it item) outcome

// run searches until the end, until commit has enough or until ctx ends. The
// error is for a place that cannot be read at all.
func (p *parallel) run(ctx context.Context) error {
	if ctx.Err() != nil {
		return nil
	}
	root := p.tree.root()
	c, err := p.tree.content(root)
	if err != nil {
		return startError(p.tree.at.display, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSchedule(p.workers, cancel, p.commit)
	defer s.close()
	defer context.AfterFunc(ctx, s.interrupt)()
	first := &unit{parent: root, outcomes: []outcome{{summary: backend.SearchSummary{Ignored: c.ignored}, names: c.names}}}
	s.replace(&s.ends, append([]*unit{first}, p.units(root, c.items)...))
	s.settle()
	var all sync.WaitGroup
	for range p.workers {
		w := &worker{parallel: p, schedule: s}
		if p.search != nil {
			w.search = p.search()
		}
		all.Go(func() { w.run(ctx) })
	}
	all.Wait()
	return nil
}

// units makes units of a directory's items, in their order.
func (p *parallel) units(d *directory, items []item) []*unit {
	var units []*unit
	for i := 0; i < len(items); {
		from := i
		for i < len(items) && items[i].wanted && !items[i].enter {
			i++
		}
		if i > from {
			units = append(units, p.files(d, items[from:i]))
		}
		if i == len(items) {
			break
		}
		it := &items[i]
		if it.wanted {
			units = append(units, p.files(d, items[i:i+1]))
		}
		units = append(units, &unit{parent: d, enter: it})
		i++
	}
	return units
}

// files is the unit of names that follow each other: to be searched, or ready
// when only the names are asked for.
func (p *parallel) files(d *directory, items []item) *unit {
	if p.search != nil {
		return &unit{parent: d, files: items}
	}
	o := outcome{paths: make([]string, len(items))}
	for i, it := range items {
		o.paths[i] = d.showing(it.name)
	}
	return &unit{parent: d, outcomes: []outcome{o}}
}

// worker takes one unit after the other.
type worker struct {
	*parallel
	schedule *schedule
	search   fileSearch
}

func (w *worker) run(ctx context.Context) {
	for u := w.schedule.take(); u != nil; u = w.schedule.take() {
		if u.enter != nil {
			w.directory(u)
		} else {
			w.batch(ctx, u)
		}
		w.schedule.finish(u)
	}
}

// directory puts the content of a directory in its place.
func (w *worker) directory(u *unit) {
	d, err := w.tree.enter(u.parent, *u.enter)
	if err != nil {
		w.unreadable(u, err)
		return
	}
	defer d.release()
	c, err := w.tree.content(d)
	if err != nil {
		w.unreadable(u, err)
		return
	}
	w.schedule.emit(u, outcome{summary: backend.SearchSummary{Ignored: c.ignored}, names: c.names})
	w.schedule.replace(u, w.units(d, c.items))
}

func (w *worker) unreadable(u *unit, err error) {
	if !gone(err) {
		w.schedule.emit(u, outcome{summary: backend.SearchSummary{Unreadable: 1}})
	}
}

// batch searches the files of a unit. Counts of files without a match wait for
// the next file with one: each emit takes the lock that all workers share.
func (w *worker) batch(ctx context.Context, u *unit) {
	var counts backend.SearchSummary
	for _, it := range u.files {
		if ctx.Err() != nil {
			break
		}
		o := w.search(ctx, u.parent, it)
		add(&o.summary, counts)
		counts = o.summary
		if o.found.count > 0 {
			w.schedule.emit(u, o)
			counts = backend.SearchSummary{}
		}
	}
	if counts != (backend.SearchSummary{}) {
		w.schedule.emit(u, outcome{summary: counts})
	}
}

// add adds counts.
func add(to *backend.SearchSummary, more backend.SearchSummary) {
	to.Files += more.Files
	to.Binary += more.Binary
	to.TooLarge += more.TooLarge
	to.Unreadable += more.Unreadable
	to.Ignored += more.Ignored
}
