package safepath_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"septet/safepath"
)

// world is a directory with an authorised writable root, a read-only one, and
// a place outside of both that must never change.
type world struct {
	t      *testing.T
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
	w := &world{t: t, dir: dir, ws: dir + "/w/proj", ro: dir + "/ro", out: dir + "/out"}
	w.make("d $WS", "d $RO", "f $RO/r=readonly", "d $OUT", "f $OUT/secret=secret", "d $OUT/sub", "f $OUT/sub/x=outside", "d $WS-evil", "f $WS-evil/x=outside")
	w.config = safepath.Config{
		WorkingDirectory: w.ws,
		Roots:            []safepath.Root{{Path: w.ws, Writable: true}, {Path: w.ro}},
	}
	w.make(setup...)
	outside := w.snapshot()
	t.Cleanup(func() {
		if w.r != nil {
			w.r.Close()
		}
		if now := w.snapshot(); now != outside {
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
	at := func(p string) string {
		if !filepath.IsAbs(p) {
			p = w.ws + "/" + p
		}
		os.MkdirAll(filepath.Dir(p), 0o755)
		return p
	}
	switch kind {
	case "d":
		return os.MkdirAll(at(rest), 0o755)
	case "f":
		name, text, _ := strings.Cut(rest, "=")
		return os.WriteFile(at(name), []byte(text), 0o644)
	case "l":
		name, target, _ := strings.Cut(rest, " -> ")
		return os.Symlink(target, at(name))
	}
	return fmt.Errorf("no such line: %q", line)
}

// snapshot describes everything outside the workspace.
func (w *world) snapshot() string {
	var b strings.Builder
	filepath.WalkDir(w.dir, func(p string, d fs.DirEntry, err error) error {
		if p == w.ws {
			return fs.SkipDir
		}
		if err != nil || p == filepath.Dir(w.ws) {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		fmt.Fprintf(&b, "%s %s", p, info.Mode())
		if info.Mode().IsRegular() && info.Size() < 1<<20 {
			content, _ := os.ReadFile(p)
			fmt.Fprintf(&b, " %x", sha256.Sum256(content))
		}
		b.WriteByte('\n')
		return nil
	})
	return b.String()
}

func (w *world) checkNoTemporaries() {
	filepath.WalkDir(w.dir, func(p string, d fs.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(p), ".~") {
			w.t.Errorf("temporary file left: %s", p)
		}
		return nil
	})
}

// resolver is made on first use, after the test had its say in the config.
func (w *world) resolver() *safepath.Resolver {
	w.t.Helper()
	if w.r == nil {
		r, err := safepath.NewResolver(safepath.OS(), w.config)
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
	p := w.expand(path)
	if !filepath.IsAbs(p) {
		p = w.ws + "/" + p
	}
	got, err := os.ReadFile(p)
	if err != nil || string(got) != want {
		w.t.Errorf("%s holds %q (%v), want %q", path, got, err, want)
	}
}

func (w *world) wantMissing(path string) {
	w.t.Helper()
	if _, err := os.Lstat(w.expand(path)); !errors.Is(err, fs.ErrNotExist) {
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
