package search

import (
	"context"

	"septet/backend"
	"septet/backend/search/line"
	"septet/safepath"
)

// grep searches the files of a place.
func (s *Searcher) grep(ctx context.Context, at *place, f filter, e *line.Expression, q backend.GrepQuery) (backend.GrepResult, error) {
	r := grepResult{query: q, at: at, ticker: ticker{tell: q.Progress}}
	if at.file != nil {
		o := namedFile(ctx, newReader(e, q), at, f)
		r.commit(&o)
		r.end(ctx)
		return r.GrepResult, nil
	}
	p := parallel{
		tree: &tree{at: at, filter: f}, workers: s.config.Workers, commit: r.commit,
		search: func() fileSearch { return newReader(e, q).file },
	}
	err := p.run(ctx)
	r.end(ctx)
	return r.GrepResult, err
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

// namedFile searches the file that was named itself, however large it is.
func namedFile(ctx context.Context, r *reader, at *place, f filter) outcome {
	if f.pattern != nil && !f.takesPath(at.below) {
		return outcome{}
	}
	st, err := at.file.Stat()
	if err != nil {
		return outcome{summary: backend.SearchSummary{Unreadable: 1}}
	}
	return r.search(ctx, at.file, st.Size)
}

// file searches one file of the tree.
func (r *reader) file(ctx context.Context, d *directory, it item) outcome {
	h, err := d.handle.OpenFile(it.name)
	if err != nil {
		return unreadable(err)
	}
	defer h.Close()
	st, err := h.Stat()
	if err != nil {
		return unreadable(err)
	}
	if st.Size > backend.MaxSearchFileBytes {
		return outcome{summary: backend.SearchSummary{TooLarge: 1}}
	}
	o := r.search(ctx, h, st.Size)
	if o.found.count > 0 {
		o.shown = d.showing(it.name)
	}
	return o
}

func unreadable(err error) outcome {
	if gone(err) {
		return outcome{}
	}
	return outcome{summary: backend.SearchSummary{Unreadable: 1}}
}

// search searches the first size bytes of a file.
func (r *reader) search(ctx context.Context, h safepath.Handle, size int64) outcome {
	s := scanner{from: h, size: size, find: r.find, buf: r.buf, want: r.want}
	err := s.run(ctx)
	if len(s.buf) <= MaxLineBytes/4 {
		r.buf = s.buf
	}
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
