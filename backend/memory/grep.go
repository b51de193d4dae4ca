package memory

import (
	"bytes"
	"io"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"septet/backend"
	"septet/safepath"
)

// grep is one search.
type grep struct {
	query      backend.GrepQuery
	expression *regexp.Regexp
	result     backend.GrepResult
}

func (g *grep) visit(f found) bool {
	if f.kind != safepath.KindFile || !g.wanted(f.shown) {
		return true
	}
	h, err := f.dir.OpenFile(f.name)
	if err != nil {
		g.result.Summary.Unreadable++
		return true
	}
	defer h.Close()
	g.result.Summary.Files++
	g.file(f.shown, h)
	return g.result.Summary.Stopped == ""
}

func (g *grep) wanted(shown string) bool {
	switch {
	case g.query.Glob == "":
		return true
	case !strings.Contains(g.query.Glob, "/"):
		ok, _ := path.Match(g.query.Glob, path.Base(shown))
		return ok
	}
	return matches(strings.Split(g.query.Glob, "/"), strings.Split(shown, "/"))
}

// file searches one file and adds what it found.
func (g *grep) file(shown string, h safepath.Handle) {
	content, err := io.ReadAll(h)
	if err != nil {
		g.result.Summary.Unreadable++
		return
	}
	if bytes.IndexByte(content, 0) >= 0 || !utf8.Valid(content) {
		g.result.Summary.Binary++
		return
	}
	lines := strings.Split(strings.TrimSuffix(strings.TrimPrefix(string(content), "\ufeff"), "\n"), "\n")
	var hits []int
	for i, line := range lines {
		if g.expression.MatchString(line) {
			hits = append(hits, i)
		}
	}
	if len(hits) > 0 {
		g.add(shown, lines, hits)
	}
}

// add reports the hits, zero-based lines, as the mode wants.
func (g *grep) add(shown string, lines []string, hits []int) {
	r, q := &g.result, g.query
	if q.Mode != backend.GrepContent && len(r.Files)+len(r.Counts) == q.MaxResults ||
		q.Mode == backend.GrepContent && len(r.Matches) == q.MaxResults {
		r.Summary.Stopped = backend.StoppedAtLimit
		return
	}
	r.FileCount++
	switch q.Mode {
	case backend.GrepFiles:
		r.Files = append(r.Files, shown)
	case backend.GrepCount:
		r.Counts = append(r.Counts, backend.FileCount{Path: shown, Count: int64(len(hits))})
	default:
		if room := q.MaxResults - len(r.Matches); len(hits) > room {
			hits, r.Summary.Stopped = hits[:room], backend.StoppedAtLimit
		}
		for _, i := range hits {
			r.Matches = append(r.Matches, backend.Match{
				Path: shown, Line: i + 1, Text: lines[i],
				Before: lines[max(0, i-q.Context):i], After: lines[i+1 : min(len(lines), i+1+q.Context)],
			})
		}
	}
	r.MatchCount += int64(len(hits))
}
