package search

import (
	"slices"
	"strings"
	"testing"

	"septet/backend"
	"septet/safepath"
)

func TestGlob(t *testing.T) {
	w := newWorld(t, "a.go", "b.txt", ".hidden.go", "src/a.go", "src/b/c.go", "src/b/c.d/e.go", "src.go", "app/[id].tsx", "app/i.tsx", "app/d.tsx",
		"app/{x,y}", "app/x", "link->src", "dangling->nowhere", ".git/a.go", ".hg/a.go", "sub/.svn/a.go", "sub/.jj/a.go", "empty/", "line\nfeed.go", "bad\xff.go", "~/t.go", "q/[a/z", "src/é.go")
	for _, c := range []struct{ path, pattern, want string }{
		{".", "*.go", `.hidden.go a.go bad\xff.go line\u000afeed.go src.go`},
		{".", "./*.txt", "b.txt"},
		{".", "**/*.go", `.hidden.go a.go bad\xff.go line\u000afeed.go src/a.go src/b/c.d/e.go src/b/c.go src/é.go src.go ./~/t.go`},
		{".", "src/**", "src/a.go src/b/c.d/e.go src/b/c.go src/é.go"},
		{"src", "b/*.go", "src/b/c.go"},
		{"src", "**/*.go", "src/a.go src/b/c.d/e.go src/b/c.go src/é.go"},
		{".", "src/**/c.go", "src/b/c.go"},
		{".", "src/**/**/e.go", "src/b/c.d/e.go"},
		{".", "**/b/**/*.go", "src/b/c.d/e.go src/b/c.go"},
		{".", "app/[id].tsx", "app/[id].tsx"},
		{".", "**/[id].tsx", "app/[id].tsx"},
		{".", `app/\[id\].tsx`, "app/[id].tsx"},
		{".", "app/[d-i].tsx", "app/d.tsx app/i.tsx"},
		{".", "app/[!d].tsx", "app/i.tsx"},
		{".", "app/[^d].tsx", "app/i.tsx"},
		{".", "app/[a-dx-z].tsx", "app/d.tsx"},
		{".", "app/{x,y}", "app/{x,y}"},
		{".", "{a,src/b/c}.go", "a.go src/b/c.go"},
		{".", "{a.go,src/{a,b/c}.go}", "a.go src/a.go src/b/c.go"},
		{".", "*/", "app/ empty/ q/ src/ sub/ ./~/"},
		{".", "src/**/", "src/b/ src/b/c.d/"},
		{".", "s*", "src.go"},
		{".", "link", "link"},
		{".", "link/**", ""},
		{".", "d*ing", "dangling"},
		{".", "src/?.go", "src/a.go src/é.go"},
		{".", ".git/**", ""},
		{".", "**/nothing", ""},
	} {
		if got := strings.Join(w.glob(c.path, c.pattern).Paths, " "); got != c.want {
			t.Errorf("glob %s in %s: got %q, want %q", c.pattern, c.path, got, c.want)
		}
	}
}

// TestGlobPathsAreUsable: whatever is shown can be asked for.
func TestGlobPathsAreUsable(t *testing.T) {
	w := newWorld(t, "line\nfeed.go", "bad\xff.go", "~/t.go", `back\slash`, `\x41`, "a\u202eb")
	for _, path := range w.glob(".", "**").Paths {
		p, err := w.paths.Resolve(path, safepath.Read, safepath.File)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if p.String() != path {
			t.Errorf("%s is shown as %s", path, p)
		}
		p.Close()
	}
}

func TestGlobRefuses(t *testing.T) {
	w := newWorld(t, "a")
	for _, c := range []struct {
		pattern string
		want    safepath.Code
	}{
		{"../*", safepath.OutsideRoots}, {"/**", safepath.OutsideRoots}, {"a/../../b", safepath.OutsideRoots}, {"{a,../b}", safepath.OutsideRoots},
		{"{../b,a}", safepath.OutsideRoots}, {"{..,a}/b", safepath.OutsideRoots}, {"{/etc,a/b}", safepath.OutsideRoots},
		{"", backend.InvalidPattern}, {"[a", backend.InvalidPattern}, {"{a", backend.InvalidPattern}, {"a\\", backend.InvalidPattern}, {"[z-a]", backend.InvalidPattern},
		{strings.Repeat("a", 1025), backend.InvalidPattern}, {strings.Repeat("{a,b}", 7), backend.InvalidPattern}, {strings.Repeat("{", 500) + strings.Repeat("}", 500), ""},
		{strings.Repeat("{a,b}", 6), ""}, {"[a/b]", backend.InvalidPattern},
	} {
		_, err := w.search.Glob(t.Context(), w.resolve("."), backend.GlobQuery{Pattern: c.pattern, MaxResults: 10})
		if safepath.CodeOf(err) != c.want {
			t.Errorf("%.40q: got %v, want %q", c.pattern, err, c.want)
		}
	}
}

func TestGlobStopsAtLimit(t *testing.T) {
	w := newWorld(t, "a", "b", "c")
	r := w.glob(".", "*", func(q *backend.GlobQuery) { q.MaxResults = 2 })
	if !slices.Equal(r.Paths, []string{"a", "b"}) || r.Summary.Stopped != backend.StoppedAtLimit {
		t.Errorf("got %+v", r)
	}
	r = w.glob(".", "*")
	if len(r.Paths) != 3 || r.Summary.Stopped != "" || r.Summary.Files != 3 {
		t.Errorf("got %+v", r)
	}
}
