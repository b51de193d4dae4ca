package safepath_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"septet/safepath"
)

// world is a directory with an authorised writable root, a read-only one, and
// a place outside of both that must never change.
type world struct {
	t      *testing.T
	at     place
	dir    string
	ws     string
	ro     string
	out    string
	config safepath.Config
	r      *safepath.Resolver
}

// newWorld makes the world and, at the end of the test, asserts that nothing
// outside changed and that no temporary file is left.
func newWorld(t *testing.T, setup ...string) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return newWorldAt(t, disk{}, dir, setup...)
}

func newWorldAt(t *testing.T, at place, dir string, setup ...string) *world {
	t.Helper()
	w := &world{t: t, at: at, dir: dir, ws: dir + "/w/proj", ro: dir + "/ro", out: dir + "/out"}
	w.make("d $WS", "d $RO", "f $RO/r=readonly", "d $OUT", "f $OUT/secret=secret", "d $OUT/sub", "f $OUT/sub/x=outside", "d $WS-evil", "f $WS-evil/x=outside")
	w.config = safepath.Config{
		WorkingDirectory: w.ws,
		Roots:            []safepath.Root{{Path: w.ws, Writable: true}, {Path: w.ro}},
	}
	w.make(setup...)
	outside := snapshot(at, dir, w.ws)
	t.Cleanup(func() {
		if w.r != nil {
			w.r.Close()
		}
		if now := snapshot(at, dir, w.ws); now != outside {
			t.Errorf("outside changed:\nbefore\n%s\nafter\n%s", outside, now)
		}
		w.checkNoTemporaries()
	})
	return w
}

// expand replaces the names of the places by their paths.
func (w *world) expand(s string) string {
	return strings.NewReplacer("$WS", w.ws, "$RO", w.ro, "$OUT", w.out, "$DIR", w.dir).Replace(s)
}

// make builds a tree: "d PATH" a directory, "f PATH=TEXT" a file, "l PATH ->
// TARGET" a link. A relative path is in the workspace.
func (w *world) make(lines ...string) {
	w.t.Helper()
	for _, line := range lines {
		if err := w.makeOne(w.expand(line)); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *world) makeOne(line string) error {
	kind, rest := line[:1], line[2:]
	switch kind {
	case "d":
		return w.at.mkdir(w.abs(rest))
	case "f":
		name, text, _ := strings.Cut(rest, "=")
		return w.at.writeFile(w.abs(name), text)
	case "l":
		name, target, _ := strings.Cut(rest, " -> ")
		name = w.abs(name)
		if err := w.at.mkdir(filepath.Dir(name)); err != nil {
			return err
		}
		return w.at.symlink(target, name)
	}
	return fmt.Errorf("no such line: %q", line)
}

// abs makes a path in the workspace absolute.
func (w *world) abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return w.ws + "/" + name
}

func (w *world) checkNoTemporaries() {
	w.at.walk(w.dir, func(name, _ string) bool {
		if strings.HasPrefix(filepath.Base(name), ".~") {
			w.t.Errorf("temporary file left: %s", name)
		}
		return true
	})
}

// resolver is made on first use, after the test had its say in the config.
func (w *world) resolver() *safepath.Resolver {
	w.t.Helper()
	if w.r == nil {
		r, err := safepath.NewResolver(w.at.volume(), w.config)
		if err != nil {
			w.t.Fatal(err)
		}
		w.r = r
	}
	return w.r
}

func (w *world) resolve(raw string, access safepath.Access, intent safepath.Intent) (*safepath.CheckedPath, error) {
	w.t.Helper()
	p, err := w.resolver().Resolve(w.expand(raw), access, intent)
	if err == nil {
		w.t.Cleanup(func() { p.Close() })
	}
	return p, err
}

func (w *world) mustResolve(raw string, access safepath.Access, intent safepath.Intent) *safepath.CheckedPath {
	w.t.Helper()
	p, err := w.resolve(raw, access, intent)
	if err != nil {
		w.t.Fatalf("%s: %v (%s)", raw, err, safepath.CodeOf(err))
	}
	return p
}

const readLimit = 1 << 20

func (w *world) read(raw string) (string, error) {
	w.t.Helper()
	p, err := w.resolve(raw, safepath.Read, safepath.File)
	if err != nil {
		return "", err
	}
	h, err := safepath.Open(p)
	if err != nil {
		return "", err
	}
	h.Close()
	content, _, err := safepath.ReadVersion(p, readLimit)
	return string(content), err
}

func (w *world) write(raw, content string) (safepath.Committed, error) {
	w.t.Helper()
	return writeVia(w.resolver(), w.expand(raw), content)
}

func writeVia(r *safepath.Resolver, raw, content string) (safepath.Committed, error) {
	p, err := r.Resolve(raw, safepath.Write, safepath.File)
	if err != nil {
		return safepath.Committed{}, err
	}
	defer p.Close()
	_, was, err := safepath.ReadVersion(p, readLimit)
	if err != nil {
		return safepath.Committed{}, err
	}
	return safepath.Commit(p, safepath.Replacement{Content: []byte(content), Was: was})
}

func (w *world) remove(raw string) (safepath.Committed, error) {
	w.t.Helper()
	p, err := w.resolve(raw, safepath.Write, safepath.File)
	if err != nil {
		return safepath.Committed{}, err
	}
	_, was, err := safepath.ReadVersion(p, readLimit)
	if err != nil {
		return safepath.Committed{}, err
	}
	return safepath.Remove(p, was)
}

func (w *world) wantContent(path, want string) {
	w.t.Helper()
	got, err := w.at.readFile(w.abs(w.expand(path)))
	if err != nil || got != want {
		w.t.Errorf("%s holds %q (%v), want %q", path, got, err, want)
	}
}

func (w *world) wantMissing(path string) {
	w.t.Helper()
	if _, err := w.at.volume().Lstat(w.expand(path)); !errors.Is(err, fs.ErrNotExist) {
		w.t.Errorf("%s is there (%v)", path, err)
	}
}

func wantCode(t *testing.T, err error, want safepath.Code) {
	t.Helper()
	var e *safepath.Error
	if want == "" && err == nil {
		return
	}
	if !errors.As(err, &e) {
		t.Fatalf("error %v carries no code, want %q", err, want)
	}
	if e.Code != want {
		t.Errorf("code %q (%v), want %q", e.Code, err, want)
	}
	if e.Fact == "" || strings.ContainsAny(e.Fact+e.Hint, "\n\r\x1b\u202e") {
		t.Errorf("fact %q, hint %q are not one safe line", e.Fact, e.Hint)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
