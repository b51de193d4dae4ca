package search

import (
	"context"
	"io"

	"septet/backend"
	"septet/backend/search/line"
)

// grep searches the files of a place.
func (s *Searcher) grep(ctx context.Context, at *place, f filter, e *line.Expression, q backend.GrepQuery) (backend.GrepResult, error) {
	r := grepResult{query: q, at: at, ticker: ticker{tell: q.Progress}}
	p := parallel{
		tree: &tree{at: at, filter: f}, workers: s.config.Workers, commit: r.commit,
		search: func() *reader { return newReader(e, q) },
	}
	var err error
	if at.file != nil {
		p.file(ctx, &r)
	} else {
		err = p.run(ctx)
	}
	r.end(ctx)
	return r.GrepResult, err
}

// file searches the file that was named itself, however large it is.
func (p *parallel) file(ctx context.Context, r *grepResult) {
	at, one := p.tree.at, p.search()
	if p.tree.filter.pattern != nil && !p.tree.filter.takesPath(at.below) {
		return
	}
	st, err := at.file.Stat()
	if err != nil {
		r.Summary.Unreadable++
		return
	}
	if one.splits(st.Size) {
		p.units(ctx, split(&bigFile{from: at.file, size: st.Size, close: func() error { return nil }}))
		return
	}
	o := one.search(ctx, at.file, st.Size)
	r.commit(&o)
}

// reader searches files for one worker.
type reader struct {
	find *line.Matcher
	want wanted
	buf  []byte
}

func newReader(e *line.Expression, q backend.GrepQuery) *reader {
	r := &reader{find: e.NewMatcher(), buf: make([]byte, blockBytes)}
	switch q.Mode {
	case backend.GrepFiles:
		r.want = wanted{first: true}
	case backend.GrepContent:
		r.want = wanted{lines: q.MaxResults, context: q.Context}
	}
	return r
}

// splits reports whether a file is searched in segments. Context would reach
// over their ends.
func (r *reader) splits(size int64) bool { return size >= minSplitBytes && r.want.context == 0 }

// file searches one file of the tree, or opens it for its segments.
func (r *reader) file(ctx context.Context, d *directory, it item) (outcome, *bigFile) {
	h, err := d.handle.open(it.name)
	if err != nil {
		return unreadable(err), nil
	}
	if r.splits(h.Size()) && h.Size() <= backend.MaxSearchFileBytes {
		return outcome{}, &bigFile{from: h, size: h.Size(), close: h.Close, shown: d.showing(it.name)}
	}
	defer h.Close()
	if h.Size() > backend.MaxSearchFileBytes {
		return outcome{summary: backend.SearchSummary{TooLarge: 1}}, nil
	}
	o := r.search(ctx, h, h.Size())
	if o.found.count > 0 {
		o.shown = d.showing(it.name)
	}
	return o, nil
}

func unreadable(err error) outcome {
	if gone(err) {
		return outcome{}
	}
	return outcome{summary: backend.SearchSummary{Unreadable: 1}}
}

// search searches the first size bytes of a file.
func (r *reader) search(ctx context.Context, h io.ReaderAt, size int64) outcome {
	s := scanner{from: h, size: size, find: r.find, buf: r.buf, want: r.want}
	err := s.run(ctx)
	r.keep(s.buf)
	o := outcome{found: s.out}
	ended := ctx.Err() != nil
	switch {
	case s.out.binary:
		o.summary.Binary++
	case err != nil && !ended:
		o.summary.Unreadable++
	default:
		o.summary.Files++
	}
	if err != nil && !r.want.first && r.want.lines == 0 {
		o.found.count = 0 // half a count is a wrong one
	}
	return o
}

// keep keeps a buffer that has grown for the next file, unless it is huge.
func (r *reader) keep(buf []byte) {
	if len(buf) <= MaxLineBytes/4 {
		r.buf = buf
	}
}
