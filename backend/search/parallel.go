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
	search  func() *reader // makes a worker's own; nil to report names
	commit  func(*outcome) (enough bool)
}

// run searches the tree until the end, until commit has enough or until ctx
// ends. The error is for a place that cannot be read at all.
func (p *parallel) run(ctx context.Context) error {
	if ctx.Err() != nil {
		return nil
	}
	root := p.tree.root()
	c, err := p.tree.content(root, newScratch())
	if err != nil {
		return startError(p.tree.at.display, err)
	}
	first := &unit{outcomes: []outcome{c.outcome()}}
	p.units(ctx, append([]*unit{first}, p.content(root, c.items)...))
	return nil
}

// units deals with the units, and with those that come from them, in order.
func (p *parallel) units(ctx context.Context, units []*unit) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSchedule(p.workers, cancel, p.commit)
	defer s.close()
	defer context.AfterFunc(ctx, s.interrupt)()
	s.begin(units)
	var all sync.WaitGroup
	for range p.workers {
		w := &worker{parallel: p, schedule: s, scratch: newScratch()}
		if p.search != nil {
			w.reader = p.search()
		}
		all.Go(func() {
			defer s.rescue()
			w.run(ctx)
		})
	}
	all.Wait()
	if s.panicked != nil {
		panic(s.panicked)
	}
}

// content makes units of a directory's items, in their order.
func (p *parallel) content(d *directory, items []item) []*unit {
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
	reader   *reader
	scratch  *scratch
}

func (w *worker) run(ctx context.Context) {
	for u := w.schedule.take(); u != nil; u = w.schedule.take() {
		switch {
		case u.enter != nil:
			w.directory(u)
		case u.segment != nil:
			w.schedule.emit(u, w.reader.segment(ctx, u.segment))
		default:
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
	c, err := w.tree.content(d, w.scratch)
	if err != nil {
		w.unreadable(u, err)
		return
	}
	w.schedule.emit(u, c.outcome())
	w.schedule.replace(u, w.content(d, c.items))
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
	for i, it := range u.files {
		if ctx.Err() != nil {
			break
		}
		o, big := w.reader.file(ctx, u.parent, it)
		if big != nil {
			rest := &unit{parent: u.parent, files: u.files[i+1:]}
			w.schedule.replace(u, append(split(big), rest))
			break
		}
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
