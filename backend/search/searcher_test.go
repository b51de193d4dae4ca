package search

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"septet/backend"
	"septet/safepath"
)

// world is a real directory with a resolver on it.
type world struct {
	*testing.T
	root   string
	paths  *safepath.Resolver
	search *Searcher
}

// newWorld makes files: each argument is "path", with a slash at its end for a
// directory, "path=content" or "path->target".
func newWorld(t *testing.T, files ...string) *world {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, root: root, search: New(Config{})}
	for _, f := range files {
		w.make(f)
	}
	w.paths = w.resolver(safepath.Config{WorkingDirectory: root, Roots: []safepath.Root{{Path: root}}})
	return w
}

func (w *world) resolver(c safepath.Config) *safepath.Resolver {
	w.Helper()
	r, err := safepath.NewResolver(safepath.OS(), c)
	w.must(err)
	return r
}

func (w *world) make(spec string) {
	w.Helper()
	if name, target, ok := strings.Cut(spec, "->"); ok {
		w.must(os.MkdirAll(filepath.Dir(filepath.Join(w.root, name)), 0o755))
		w.must(os.Symlink(target, filepath.Join(w.root, name)))
		return
	}
	name, content, _ := strings.Cut(spec, "=")
	path := filepath.Join(w.root, name)
	if strings.HasSuffix(name, "/") {
		w.must(os.MkdirAll(path, 0o755))
		return
	}
	w.must(os.MkdirAll(filepath.Dir(path), 0o755))
	w.must(os.WriteFile(path, []byte(content), 0o644))
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) resolve(path string) *safepath.CheckedPath {
	w.Helper()
	p, err := w.paths.Resolve(path, safepath.Read, safepath.FileOrDirectory)
	w.must(err)
	w.Cleanup(func() { p.Close() })
	return p
}

func (w *world) glob(path, pattern string, change ...func(*backend.GlobQuery)) backend.GlobResult {
	w.Helper()
	q := backend.GlobQuery{Pattern: pattern, MaxResults: 2000}
	for _, c := range change {
		c(&q)
	}
	r, err := w.search.Glob(context.Background(), w.resolve(path), q)
	w.must(err)
	return r
}

func (w *world) grep(path, pattern string, change ...func(*backend.GrepQuery)) backend.GrepResult {
	w.Helper()
	q := backend.GrepQuery{Pattern: pattern, Mode: backend.GrepContent, MaxResults: 2000}
	for _, c := range change {
		c(&q)
	}
	r, err := w.search.Grep(context.Background(), w.resolve(path), q)
	w.must(err)
	return r
}

// shown gives a result in one line: "path:line:text" and so on.
func shown(r backend.GrepResult) string {
	var b strings.Builder
	for _, m := range r.Matches {
		fmt.Fprintf(&b, "%s:%d:%q", m.Path, m.Line, m.Text)
		if m.Before != nil || m.After != nil {
			fmt.Fprintf(&b, "%q%q", m.Before, m.After)
		}
		b.WriteString(" ")
	}
	for _, f := range r.Files {
		b.WriteString(f + " ")
	}
	for _, c := range r.Counts {
		fmt.Fprintf(&b, "%s:%d ", c.Path, c.Count)
	}
	return strings.TrimSuffix(b.String(), " ")
}
