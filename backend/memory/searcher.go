package memory

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"septet/backend"
	"septet/safepath"
)

// Searcher is the obvious searcher: it reads every file whole, one after the
// other, knows no ignore rules and cuts no line. It works on any volume and
// serves as the plain answer that a fast searcher is compared with. It is safe
// for concurrent use.
type Searcher struct{}

var _ backend.Searcher = Searcher{}

// versionControl are the directories no search enters.
var versionControl = map[string]bool{".git": true, ".hg": true, ".svn": true, ".jj": true}

// Grep searches the lines of the files below p, or of the file p.
func (Searcher) Grep(ctx context.Context, p *safepath.CheckedPath, q backend.GrepQuery) (backend.GrepResult, error) {
	expression, err := compile(q)
	if err != nil {
		return backend.GrepResult{}, &backend.Error{Code: backend.InvalidPattern, Fact: err.Error(), Err: err}
	}
	g := grep{query: q, expression: expression}
	if safepath.StatOf(p).Kind == safepath.KindFile {
		h, err := safepath.Open(p)
		if err != nil {
			return backend.GrepResult{}, err
		}
		defer h.Close()
		g.result.Summary.Files++
		g.file(p.String(), h)
		return g.result, nil
	}
	err = tree(ctx, p, &g.result.Summary, g.visit)
	return g.result, err
}

func compile(q backend.GrepQuery) (*regexp.Regexp, error) {
	pattern := q.Pattern
	if q.Literal {
		pattern = regexp.QuoteMeta(pattern)
	}
	if q.CaseInsensitive {
		pattern = "(?i)" + pattern
	}
	return regexp.Compile(pattern)
}

// Glob finds the files and links below p whose path from p matches; with a "/"
// at the end of the pattern, the directories.
func (Searcher) Glob(ctx context.Context, p *safepath.CheckedPath, q backend.GlobQuery) (backend.GlobResult, error) {
	var r backend.GlobResult
	pattern, directories := strings.CutSuffix(q.Pattern, "/")
	wanted := strings.Split(pattern, "/")
	if _, err := path.Match(pattern, ""); err != nil {
		return r, &backend.Error{Code: backend.InvalidPattern, Fact: err.Error(), Err: err}
	}
	err := tree(ctx, p, &r.Summary, func(f found) bool {
		r.Summary.Files++
		if (f.kind == safepath.KindDirectory) != directories || !matches(wanted, strings.Split(f.relative, "/")) {
			return true
		}
		if len(r.Paths) == q.MaxResults {
			r.Summary.Stopped = backend.StoppedAtLimit
			return false
		}
		r.Paths = append(r.Paths, f.shown)
		return true
	})
	return r, err
}

// matches compares component by component; "**" stands for any number of them.
func matches(pattern, names []string) bool {
	if len(pattern) == 0 {
		return len(names) == 0
	}
	if pattern[0] == "**" {
		return matches(pattern[1:], names) || len(names) > 0 && matches(pattern, names[1:])
	}
	if len(names) == 0 {
		return false
	}
	ok, _ := path.Match(pattern[0], names[0]) // the syntax was checked
	return ok && matches(pattern[1:], names[1:])
}

// found is one name a walk met.
type found struct {
	dir      safepath.Dir
	name     string
	kind     safepath.Kind
	relative string // to the start of the walk
	shown    string // for display
}

// tree visits everything below p in order. visit says whether to go on.
func tree(ctx context.Context, p *safepath.CheckedPath, s *backend.SearchSummary, visit func(found) bool) error {
	d, err := safepath.OpenDir(p)
	if err != nil {
		return err
	}
	defer d.Close()
	shown := p.String()
	if shown == "." {
		shown = ""
	}
	below(ctx, d, "", shown, s, visit)
	return nil
}

func below(ctx context.Context, d safepath.Dir, relative, shown string, s *backend.SearchSummary, visit func(found) bool) bool {
	entries, err := d.ReadNames()
	if err != nil {
		s.Unreadable++
		return true
	}
	slices.SortFunc(entries, func(a, b safepath.Entry) int { return cmp.Compare(a.Name, b.Name) })
	for _, e := range entries {
		if ctx.Err() != nil {
			s.Stopped = stopReason(ctx)
			return false
		}
		st, err := d.Lookup(e.Name)
		if err != nil || versionControl[e.Name] {
			continue
		}
		f := found{
			dir: d, name: e.Name, kind: st.Kind,
			relative: path.Join(relative, e.Name), shown: path.Join(shown, safepath.Escape(e.Name)),
		}
		if !visit(f) || st.Kind == safepath.KindDirectory && !enter(ctx, f, s, visit) {
			return false
		}
	}
	return true
}

func enter(ctx context.Context, f found, s *backend.SearchSummary, visit func(found) bool) bool {
	next, err := f.dir.OpenDir(f.name)
	if err != nil {
		s.Unreadable++
		return true
	}
	defer next.Close()
	return below(ctx, next, f.relative, f.shown, s, visit)
}

func stopReason(ctx context.Context) backend.StopReason {
	if ctx.Err() == context.DeadlineExceeded {
		return backend.StoppedTimedOut
	}
	return backend.StoppedCanceled
}
