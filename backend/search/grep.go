package search

import (
	"context"

	"septet/backend"
	"septet/safepath"
)

// grep searches the files of a place.
func grep(ctx context.Context, at *place, f filter, e *expression, q backend.GrepQuery) (backend.GrepResult, error) {
	g := &grepper{query: q, expr: e, buf: make([]byte, blockBytes)}
	if at.file != nil {
		g.named(ctx, at, f)
		return g.result, nil
	}
	t := &tree{at: at, filter: f}
	w := walk{tree: t, summary: &g.result.Summary, visit: func(d *directory, it item) bool {
		return g.file(ctx, d.handle, it.name, at.shown(d.showing(it.name)))
	}}
	err := w.run(ctx)
	return g.result, err
}

// grepper collects the result of a grep, file by file in order.
type grepper struct {
	query  backend.GrepQuery
	expr   *expression
	result backend.GrepResult
	bytes  int // of text in result
	buf    []byte
}

// named searches the file that was named itself, however large it is.
func (g *grepper) named(ctx context.Context, at *place, f filter) {
	if f.pattern != nil && !f.takesPath(at.below) {
		return
	}
	st, err := at.file.Stat()
	if err != nil {
		g.result.Summary.Unreadable++
		return
	}
	g.search(ctx, at.file, st.Size, at.display)
}

// file searches one file of the tree; false when the search is over.
func (g *grepper) file(ctx context.Context, d safepath.Dir, name, shown string) bool {
	s := &g.result.Summary
	h, err := d.OpenFile(name)
	if err != nil {
		if !gone(err) {
			s.Unreadable++
		}
		return true
	}
	defer h.Close()
	st, err := h.Stat()
	switch {
	case err != nil:
		s.Unreadable++
		return true
	case st.Size > backend.MaxSearchFileBytes:
		s.TooLarge++
		return true
	}
	return g.search(ctx, h, st.Size, shown)
}

func (g *grepper) search(ctx context.Context, h safepath.Handle, size int64, shown string) bool {
	sc := scanner{from: h, size: size, expr: g.expr, buf: g.buf, want: g.want()}
	err := sc.run(ctx)
	g.buf = sc.buf
	s := &g.result.Summary
	s.Stopped = stopped(ctx)
	switch {
	case sc.out.binary:
		s.Binary++
		return s.Stopped == ""
	case err != nil && s.Stopped == "":
		s.Unreadable++
	default:
		s.Files++
	}
	if g.query.Progress != nil {
		g.query.Progress(s.Files)
	}
	if err != nil && g.query.Mode == backend.GrepCount {
		sc.out.count = 0 // half a count is a wrong one
	}
	if sc.out.count > 0 {
		g.add(shown, sc.out)
	}
	return s.Stopped == ""
}

func (g *grepper) want() wanted {
	switch g.query.Mode {
	case backend.GrepFiles:
		return wanted{first: true}
	case backend.GrepCount:
		return wanted{}
	}
	return wanted{lines: g.query.MaxResults - len(g.result.Matches), context: g.query.Context}
}

// add takes the matches of one file, as far as the bounds allow.
func (g *grepper) add(shown string, f found) {
	g.bytes += len(shown)
	r := &g.result
	if g.bytes > backend.MaxGrepBytes {
		r.Summary.Stopped = backend.StoppedAtBytes
		return
	}
	switch g.query.Mode {
	case backend.GrepFiles:
		r.Files = append(r.Files, shown)
	case backend.GrepCount:
		r.Counts = append(r.Counts, backend.FileCount{Path: shown, Count: f.count})
	default:
		g.addMatches(shown, f)
		return
	}
	r.MatchCount += f.count
	r.FileCount++
	if r.FileCount >= g.query.MaxResults && r.Summary.Stopped == "" {
		r.Summary.Stopped = backend.StoppedAtLimit
	}
}

func (g *grepper) addMatches(shown string, f found) {
	r := &g.result
	before := len(r.Matches)
	for _, m := range f.matches {
		m.Path = shown
		if g.bytes += textBytes(m); g.bytes > backend.MaxGrepBytes {
			r.Summary.Stopped = backend.StoppedAtBytes
			break
		}
		r.Matches = append(r.Matches, m)
		r.MatchCount++
	}
	if len(r.Matches) > before {
		r.FileCount++
	}
	if len(r.Matches) >= g.query.MaxResults && r.Summary.Stopped == "" {
		r.Summary.Stopped = backend.StoppedAtLimit
	}
}

func textBytes(m backend.Match) int {
	n := len(m.Text)
	for _, lines := range [][]string{m.Before, m.After} {
		for _, l := range lines {
			n += len(l)
		}
	}
	return n
}
