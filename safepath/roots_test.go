package safepath_test

import (
	"os"
	"strings"
	"testing"

	"septet/safepath"
)

func (w *world) roots(roots ...safepath.Root) {
	for i := range roots {
		roots[i].Path = w.expand(roots[i].Path)
	}
	w.config.Roots = roots
}

func TestNestedRootsLongestWins(t *testing.T) {
	t.Run("writable inside read-only", func(t *testing.T) {
		w := newWorld(t, "f f=1")
		w.roots(safepath.Root{Path: "$DIR/w"}, safepath.Root{Path: "$WS", Writable: true})
		if _, err := w.write("f", "2"); err != nil {
			t.Error(err)
		}
		_, err := w.write("$DIR/w/new", "2")
		wantCode(t, err, safepath.ReadOnlyRoot)
	})
	t.Run("read-only inside writable", func(t *testing.T) {
		w := newWorld(t, "f vendor/f=1", "f vendor2/f=1")
		w.roots(safepath.Root{Path: "$WS", Writable: true}, safepath.Root{Path: "$WS/vendor"})
		_, err := w.write("vendor/f", "2")
		wantCode(t, err, safepath.ReadOnlyRoot)
		_, err = w.write("vendor/n/e/w", "2")
		wantCode(t, err, safepath.ReadOnlyRoot)
		if _, err := w.write("vendor2/f", "2"); err != nil {
			t.Error(err)
		}
	})
	t.Run("read-only inside writable, renamed", func(t *testing.T) {
		w := newWorld(t, "f vendor/f=1")
		w.roots(safepath.Root{Path: "$WS", Writable: true}, safepath.Root{Path: "$WS/vendor"})
		w.resolver()
		if err := os.Rename(w.ws+"/vendor", w.ws+"/other"); err != nil {
			t.Fatal(err)
		}
		_, err := w.write("other/f", "2")
		wantCode(t, err, safepath.ReadOnlyRoot)
	})
}

func TestRootGivenAsLink(t *testing.T) {
	w := newWorld(t, "f f=1", "l $DIR/link -> $WS")
	w.roots(safepath.Root{Path: "$DIR/link/", Writable: true})
	w.config.WorkingDirectory = w.dir + "/link"
	for _, raw := range []string{"f", "$WS/f", "$DIR/link/f", "../../link/f"} {
		p, err := w.resolve(raw, safepath.Write, safepath.File)
		if err != nil || p.String() != "f" {
			t.Errorf("%s: %v, %v", raw, p, err)
		}
	}
}

func TestRootIsTheWholeFileSystem(t *testing.T) {
	w := newWorld(t, "f f=1")
	w.roots(safepath.Root{Path: "/"})
	if got, err := w.read("$WS/f"); got != "1" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	_, err := w.write("f", "2")
	wantCode(t, err, safepath.ReadOnlyRoot)
}

// The names of a root are as they are on disk, also one that reads like the
// escaped form of its neighbour.
func TestRootNamedLikeAnEscape(t *testing.T) {
	w := newWorld(t, "f a\\u000ab/f=1", "f a\nb/f=2")
	w.config.WorkingDirectory = w.ws + `/a\u000ab`
	w.roots(safepath.Root{Path: w.ws + `/a\u000ab`, Writable: true})
	for raw, want := range map[string]string{"f": "1", "./no/../f": "1"} {
		if got, err := w.read(raw); got != want || err != nil {
			t.Errorf("%s: %q, %v", raw, got, err)
		}
	}
	_, err := w.read("$WS/a\\u000ab/f")
	wantCode(t, err, safepath.OutsideRoots)
}

func TestRootReplaced(t *testing.T) {
	w := newWorld(t, "f f=1")
	w.resolver()
	if err := os.Rename(w.ws, w.dir+"/w/proj-old"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(w.dir + "/w/proj-old") })
	_, err := w.read("f")
	wantCode(t, err, safepath.RootUnavailable)
	w.make("f $WS/f=2")
	_, err = w.read("f")
	wantCode(t, err, safepath.RootChanged)
	_, err = w.write("new", "2")
	wantCode(t, err, safepath.RootChanged)
	_, err = w.resolve(".", safepath.Read, safepath.Directory)
	wantCode(t, err, safepath.RootChanged)
	// The old directory comes back.
	os.RemoveAll(w.ws)
	if err := os.Rename(w.dir+"/w/proj-old", w.ws); err != nil {
		t.Fatal(err)
	}
	if got, err := w.read("f"); got != "1" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestRootMissingIsRetried(t *testing.T) {
	w := newWorld(t, "f f=1")
	w.roots(safepath.Root{Path: "$WS", Writable: true}, safepath.Root{Path: "$WS/later", Writable: true}, safepath.Root{Path: "$WS/f"})
	w.resolver()
	_, err := w.write("later/x", "1")
	wantCode(t, err, safepath.RootUnavailable)
	_, err = w.read("f")
	wantCode(t, err, safepath.RootUnavailable)
	w.make("d later")
	if _, err := w.write("later/x", "1"); err != nil {
		t.Error(err)
	}
	w.wantContent("later/x", "1")
}

func TestServerDirectoryDeleted(t *testing.T) {
	w := newWorld(t, "f f=1")
	gone := t.TempDir() + "/gone"
	if err := os.Mkdir(gone, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(gone)
	if err := os.Remove(gone); err != nil {
		t.Skipf("this system keeps a working directory: %v", err)
	}
	if got, err := w.read("f"); got != "1" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestStateDirectoryIsClosed(t *testing.T) {
	w := newWorld(t, "f state/db=1", "f state/spill/s/c.out=output", "f state/spill/other/c.out=other", "l link -> state", "d sub")
	w.config.State = w.ws + "/state"
	w.config.Spill = w.ws + "/state/spill/s"
	for _, raw := range []string{"state/db", "link/db", "state/spill/other/c.out", "state/spill/s/../other/c.out"} {
		_, err := w.read(raw)
		wantCode(t, err, safepath.ProtectedPath)
		_, err = w.write(raw, "2")
		wantCode(t, err, safepath.ProtectedPath)
	}
	_, err := w.resolve("state", safepath.Read, safepath.Directory)
	wantCode(t, err, safepath.ProtectedPath)
	if got, err := w.read("$WS/state/spill/s/c.out"); got != "output" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	_, err = w.write("state/spill/s/c.out", "2")
	wantCode(t, err, safepath.ReadOnlyRoot)

	d := w.openDir(".")
	if _, err := d.OpenDir("state"); safepath.CodeOf(err) != safepath.ProtectedPath {
		t.Errorf("a walk enters the state directory: %v", err)
	}
	if _, err := d.OpenDir("sub"); err != nil {
		t.Error(err)
	}
	// Renamed, it is known by identity.
	if err := os.Rename(w.ws+"/state", w.ws+"/other"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("other", w.ws+"/state"); err != nil {
		t.Fatal(err)
	}
	_, err = w.read("other/db")
	wantCode(t, err, safepath.ProtectedPath)
}

func (w *world) openDir(raw string) safepath.Dir {
	w.t.Helper()
	d, err := safepath.OpenDir(w.mustResolve(raw, safepath.Read, safepath.Directory))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { d.Close() })
	return d
}

func TestSpillOutsideTheRoots(t *testing.T) {
	w := newWorld(t, "f $DIR/state/db=1")
	w.config.State, w.config.Spill = w.dir+"/state", w.dir+"/state/spill/s"
	_, err := w.read("$DIR/state/db")
	wantCode(t, err, safepath.OutsideRoots)
	_, err = w.read("$DIR/state/spill/s/c.out")
	wantCode(t, err, safepath.RootUnavailable)
}

func TestConfigIsChecked(t *testing.T) {
	w := newWorld(t)
	good := w.config
	for name, change := range map[string]func(*safepath.Config){
		"no root":                    func(c *safepath.Config) { c.Roots = nil },
		"relative root":              func(c *safepath.Config) { c.Roots = []safepath.Root{{Path: "x"}} },
		"relative working directory": func(c *safepath.Config) { c.WorkingDirectory = "x" },
		"no working directory":       func(c *safepath.Config) { c.WorkingDirectory = "" },
		"relative state":             func(c *safepath.Config) { c.State = "x" },
		"pattern that does not parse": func(c *safepath.Config) {
			c.Protect = []string{"[a"}
		},
		"pattern of nothing": func(c *safepath.Config) { c.Protect = []string{"/"} },
	} {
		c := good
		change(&c)
		if r, err := safepath.NewResolver(safepath.OS(), c); err == nil {
			r.Close()
			t.Errorf("%s: accepted", name)
		}
	}
}

// A tool argument cannot widen the roots: a directory to start in is resolved
// like any other path.
func TestStartDirectoryFromACall(t *testing.T) {
	w := newWorld(t)
	_, err := w.resolve("$OUT", safepath.Read, safepath.Directory)
	wantCode(t, err, safepath.OutsideRoots)
}

func TestEveryCallResolvesAgain(t *testing.T) {
	w := newWorld(t, "f d/x=1")
	if _, err := w.write("d/x", "2"); err != nil {
		t.Fatal(err)
	}
	os.RemoveAll(w.ws + "/d")
	w.make("l d -> $OUT/sub")
	_, err := w.write("d/x", "3")
	wantCode(t, err, safepath.OutsideRoots)
	_, err = w.read("d/x")
	wantCode(t, err, safepath.OutsideRoots)
}

func TestProtectedDirectoryMadeLater(t *testing.T) {
	w := newWorld(t, "d sub")
	w.resolver()
	w.make("f sub/.git/config=1")
	if _, err := w.write("sub/x", "1"); err != nil { // notes sub/.git
		t.Fatal(err)
	}
	if err := os.Rename(w.ws+"/sub/.git", w.ws+"/sub/plain"); err != nil {
		t.Fatal(err)
	}
	_, err := w.write("sub/plain/config", "2")
	wantCode(t, err, safepath.ProtectedPath)
	if got, err := w.read("sub/plain/config"); got != "1" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestRootNamedLikeHome(t *testing.T) {
	w := newWorld(t, "f ~MyFolder/x=1")
	w.roots(safepath.Root{Path: "$WS/~MyFolder", Writable: true})
	w.config.WorkingDirectory = w.ws + "/~MyFolder"
	if got, err := w.read("x"); got != "1" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// countingVolume counts what is asked by path.
type countingVolume struct {
	safepath.Volume
	asked int
}

func (v *countingVolume) Lstat(abs string) (safepath.Stat, error) {
	v.asked++
	return v.Volume.Lstat(abs)
}

func TestRefusedBeforeAnySystemCall(t *testing.T) {
	w := newWorld(t)
	v := &countingVolume{Volume: safepath.OS()}
	r, err := safepath.NewResolver(v, w.config)
	if err != nil {
		t.Fatal(err)
	}
	w.r = r
	for _, raw := range []string{"../../etc/passwd", "a/../../x", "../", "", "a\x00", "~/x", strings.Repeat("a/", 256), strings.Repeat("a", 5000)} {
		v.asked = 0
		if _, err := r.Resolve(raw, safepath.Read, safepath.File); err == nil || v.asked != 0 {
			t.Errorf("%.20q: %v after %d calls", raw, err, v.asked)
		}
	}
}

// What the user grants by name is not taken back by a protected name above it.
func TestRootInsideProtectedDirectory(t *testing.T) {
	w := newWorld(t, "d .git/info", "d .agents/skills")
	w.roots(safepath.Root{Path: "$WS", Writable: true}, safepath.Root{Path: "$WS/.git/info", Writable: true}, safepath.Root{Path: "$WS/.agents/skills", Writable: true})
	for _, raw := range []string{".git/info/exclude", ".agents/skills/s/SKILL.md"} {
		if _, err := w.write(raw, "1"); err != nil {
			t.Error(err)
		}
	}
	_, err := w.write(".git/config", "1")
	wantCode(t, err, safepath.ProtectedPath)
	_, err = w.write(".agents/skills/s/.git/config", "1")
	wantCode(t, err, safepath.ProtectedPath)
}

func TestProtectedDirectoryRenamedBeforeTheFirstWrite(t *testing.T) {
	w := newWorld(t, "f .git/config=1")
	w.resolver()
	if err := os.Rename(w.ws+"/.git", w.ws+"/plain"); err != nil {
		t.Fatal(err)
	}
	_, err := w.write("plain/config", "2")
	wantCode(t, err, safepath.ProtectedPath)
	w.wantContent("plain/config", "1")
}

func TestParentsThatAppearAreLookedAt(t *testing.T) {
	w := newWorld(t, "f .git/config=1", "f vendor/f=1")
	w.roots(safepath.Root{Path: "$WS", Writable: true}, safepath.Root{Path: "$WS/vendor"})
	for from, code := range map[string]safepath.Code{".git": safepath.ProtectedPath, "vendor": safepath.ReadOnlyRoot} {
		p := w.mustResolve("new/config", safepath.Write, safepath.File)
		if err := os.Rename(w.ws+"/"+from, w.ws+"/new"); err != nil {
			t.Fatal(err)
		}
		_, err := safepath.Commit(p, safepath.Replacement{Content: []byte("2")})
		wantCode(t, err, code)
		if err := os.Rename(w.ws+"/new", w.ws+"/"+from); err != nil {
			t.Fatal(err)
		}
	}
	w.wantContent(".git/config", "1")
	w.wantMissing("$WS/vendor/config")
}

func TestDirectoryReplacedAfterTheCheck(t *testing.T) {
	w := newWorld(t, "d d", "f other/x=1")
	p := w.mustResolve("d", safepath.Read, safepath.Directory)
	os.Rename(w.ws+"/d", w.ws+"/old")
	os.Rename(w.ws+"/other", w.ws+"/d")
	_, err := safepath.OpenDir(p)
	wantCode(t, err, safepath.PathChanged)
	os.Rename(w.ws+"/d", w.ws+"/other")
	w.make("l d -> $OUT")
	_, err = safepath.OpenDir(p)
	wantCode(t, err, safepath.PathChanged)
	_, err = safepath.CommandDir(p)
	wantCode(t, err, safepath.PathChanged)
}
