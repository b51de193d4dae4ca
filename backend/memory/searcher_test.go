package memory_test

import (
	"fmt"
	"testing"

	"septet/backend"
	"septet/backend/memory"
	"septet/safepath"
)

func TestSearcher(t *testing.T) {
	v := memory.NewVolume()
	p := place(t, v)
	for name, content := range map[string]string{
		"a.go": "\ufeffone\ntwo\nONE\n", "sub/b.go": "one\n", "sub/c.txt": "one\nx\none", "bin": "one\x00", ".git/x": "one",
	} {
		check(t, v.WriteFile(p.Root+"/"+name, content, 0o644))
	}
	for _, tt := range []struct {
		path  string
		query backend.GrepQuery
		want  string
	}{
		{".", backend.GrepQuery{Pattern: "^one$", Mode: backend.GrepContent, MaxResults: 10}, "a.go:1:one sub/b.go:1:one sub/c.txt:1:one sub/c.txt:3:one; 4 in 3"},
		{".", backend.GrepQuery{Pattern: "^one$", Mode: backend.GrepContent, MaxResults: 3}, "a.go:1:one sub/b.go:1:one sub/c.txt:1:one; 3 in 3 maxResults"},
		{".", backend.GrepQuery{Pattern: "one", CaseInsensitive: true, Glob: "*.go", Mode: backend.GrepCount, MaxResults: 10}, "a.go=2 sub/b.go=1; 3 in 2"},
		{".", backend.GrepQuery{Pattern: "one", Glob: "sub/*", Mode: backend.GrepFiles, MaxResults: 1}, "sub/b.go; 1 in 1 maxResults"},
		{"sub/c.txt", backend.GrepQuery{Pattern: "o.e", Literal: true, Mode: backend.GrepContent, MaxResults: 1}, "; 0 in 0"},
		{"sub/c.txt", backend.GrepQuery{Pattern: "x", Mode: backend.GrepContent, MaxResults: 1, Context: 1}, "sub/c.txt:2:x[one] [one]; 1 in 1"},
	} {
		r, err := memory.Searcher{}.Grep(t.Context(), checked(t, p.Resolver, tt.path), tt.query)
		check(t, err)
		if got := show(r); got != tt.want {
			t.Errorf("%s %+v: got %q, want %q", tt.path, tt.query, got, tt.want)
		}
	}
	_, err := memory.Searcher{}.Grep(t.Context(), checked(t, p.Resolver, "."), backend.GrepQuery{Pattern: "("})
	if safepath.CodeOf(err) != backend.InvalidPattern {
		t.Errorf("a bad pattern: %v", err)
	}
	for pattern, want := range map[string]string{
		"*": "[a.go bin]", "**/*.go": "[a.go sub/b.go]", "sub/**": "[sub/b.go sub/c.txt]", "*/": "[sub]",
	} {
		r, err := memory.Searcher{}.Glob(t.Context(), checked(t, p.Resolver, "."), backend.GlobQuery{Pattern: pattern, MaxResults: 10})
		if err != nil || fmt.Sprint(r.Paths) != want {
			t.Errorf("%s: got %v (%v), want %s", pattern, r.Paths, err, want)
		}
	}
}

func checked(t *testing.T, r *safepath.Resolver, path string) *safepath.CheckedPath {
	t.Helper()
	p, err := r.Resolve(path, safepath.Read, safepath.FileOrDirectory)
	check(t, err)
	t.Cleanup(func() { p.Close() })
	return p
}

func show(r backend.GrepResult) string {
	text := ""
	for _, m := range r.Matches {
		text += fmt.Sprintf(" %s:%d:%s", m.Path, m.Line, m.Text)
		if len(m.Before)+len(m.After) > 0 {
			text += fmt.Sprint(m.Before, m.After)
		}
	}
	for _, name := range r.Files {
		text += " " + name
	}
	for _, c := range r.Counts {
		text += fmt.Sprintf(" %s=%d", c.Path, c.Count)
	}
	text = fmt.Sprintf("%s; %d in %d", text, r.MatchCount, r.FileCount)
	if r.Summary.Stopped != "" {
		text += " " + string(r.Summary.Stopped)
	}
	if text[0] == ' ' {
		text = text[1:]
	}
	return text
}
