package search

import (
	"context"
	"time"

	"septet/backend"
)

// grepResult collects what a grep commits.
type grepResult struct {
	backend.GrepResult
	query  backend.GrepQuery
	at     *place
	ticker ticker
	bytes  int // of text
}

// commit adds an outcome and reports whether the result is complete.
func (r *grepResult) commit(o *outcome) (enough bool) {
	if o.segmented != nil {
		o.segmented.merge(o, r.query.Mode)
	}
	add(&r.Summary, o.summary)
	r.ticker.tick(r.Summary.Files)
	if o.found.count == 0 {
		return false
	}
	shown := r.at.shown(o.shown)
	if !o.continued {
		r.bytes += len(shown)
	}
	if r.bytes > backend.MaxGrepBytes {
		r.Summary.Stopped = backend.StoppedAtBytes
		return true
	}
	switch r.query.Mode {
	case backend.GrepFiles:
		r.Files = append(r.Files, shown)
	case backend.GrepCount:
		r.Counts = append(r.Counts, backend.FileCount{Path: shown, Count: o.found.count})
	default:
		r.matches(shown, o)
		return r.Summary.Stopped != ""
	}
	r.MatchCount += o.found.count
	r.FileCount++
	if r.FileCount >= r.query.MaxResults {
		r.Summary.Stopped = backend.StoppedAtLimit
	}
	return r.Summary.Stopped != ""
}

// matches adds the matches of one file, as far as the bounds allow.
func (r *grepResult) matches(shown string, o *outcome) {
	all := o.found.matches
	if !o.continued {
		r.FileCount++
	}
	for i, m := range all {
		m.Path = shown
		last := len(r.Matches)+1 == r.query.MaxResults
		if last {
			m.After = contextAfter(m, all[i+1:], r.query.Context)
		}
		if r.bytes += textBytes(m); r.bytes > backend.MaxGrepBytes {
			if i == 0 && !o.continued {
				r.FileCount--
			}
			r.Summary.Stopped = backend.StoppedAtBytes
			return
		}
		r.Matches = append(r.Matches, m)
		r.MatchCount++
		if last {
			r.Summary.Stopped = backend.StoppedAtLimit
			return
		}
	}
}

// contextAfter gives the last match that is shown its context: the lines
// belong to the matches that are not shown any more.
func contextAfter(m backend.Match, rest []backend.Match, context int) []string {
	after := m.After
	for _, n := range rest {
		first := n.Line - len(n.Before)
		for i, text := range append(append(append([]string{}, n.Before...), n.Text), n.After...) {
			if len(after) == context || first+i != m.Line+len(after)+1 {
				return after
			}
			after = append(after[:len(after):len(after)], text)
		}
	}
	return after
}

// end notes why the search ended, when it was not complete.
func (r *grepResult) end(ctx context.Context) {
	if r.Summary.Stopped == "" {
		r.Summary.Stopped = stopped(ctx)
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

// ticker passes progress on, not too often.
type ticker struct {
	tell func(int64)
	last time.Time
	done int64
}

func (t *ticker) tick(done int64) {
	if t.tell == nil || done == t.done {
		return
	}
	if now := time.Now(); now.Sub(t.last) >= tickInterval {
		t.last, t.done = now, done
		t.tell(done)
	}
}
