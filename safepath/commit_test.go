package safepath_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"septet/safepath"
)

func TestCommitNewFile(t *testing.T) {
	w := newWorld(t)
	done, err := w.write("a/b/c", "text")
	if err != nil {
		t.Fatal(err)
	}
	want := safepath.Committed{Created: true, ModeAfter: 0o666 &^ umask(t), MadeDirs: 2}
	if done != want {
		t.Errorf("%+v, want %+v", done, want)
	}
	w.wantContent("a/b/c", "text")
}

// umask finds the process's umask by making a file.
func umask(t *testing.T) fs.FileMode {
	t.Helper()
	name := t.TempDir() + "/f"
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return 0o666 &^ st.Mode().Perm()
}

func TestCommitNewFileWithMode(t *testing.T) {
	w := newWorld(t)
	p := w.mustResolve("x", safepath.Write, safepath.File)
	done, err := safepath.Commit(p, safepath.Replacement{Content: []byte("#!"), Perm: 0o755})
	if err != nil || done.ModeAfter != 0o755 {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestCommitKeepsMode(t *testing.T) {
	w := newWorld(t, "f x=1")
	for _, mode := range []fs.FileMode{0o755, 0o600, 0o666, 0o640} {
		if err := os.Chmod(w.ws+"/x", mode); err != nil {
			t.Fatal(err)
		}
		done, err := w.write("x", mode.String())
		if err != nil || done.ModeBefore != mode || done.ModeAfter != mode {
			t.Errorf("%v: %+v, %v", mode, done, err)
		}
		if st, _ := os.Stat(w.ws + "/x"); st.Mode() != mode {
			t.Errorf("mode is %v, want %v", st.Mode(), mode)
		}
	}
}

func TestCommitDropsSetID(t *testing.T) {
	for _, mode := range []fs.FileMode{fs.ModeSetuid | 0o755, fs.ModeSetgid | 0o755} {
		w := newWorld(t, "f x=1")
		if err := os.Chmod(w.ws+"/x", mode); err != nil {
			t.Fatal(err)
		}
		done, err := w.write("x", "2")
		if err != nil || !done.DroppedSetID || done.ModeBefore != mode || done.ModeAfter != 0o755 {
			t.Errorf("%+v, %v", done, err)
		}
		if st, _ := os.Stat(w.ws + "/x"); st.Mode() != 0o755 {
			t.Errorf("mode is %v", st.Mode())
		}
	}
}

func TestCommitStale(t *testing.T) {
	for name, change := range map[string]func(w *world){
		"in place":            func(w *world) { w.make("f x=other") },
		"in place, same size": func(w *world) { w.make("f x=2") },
		"longer":              func(w *world) { w.make("f x=1 and more") },
		"by a rename":         func(w *world) { w.make("f y=other"); os.Rename(w.ws+"/y", w.ws+"/x") },
		"same time, same size": func(w *world) {
			st, _ := os.Stat(w.ws + "/x")
			w.make("f x=2")
			os.Chtimes(w.ws+"/x", st.ModTime(), st.ModTime())
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "f x=1")
			p := w.mustResolve("x", safepath.Write, safepath.File)
			_, was, err := safepath.ReadVersion(p, readLimit)
			if err != nil {
				t.Fatal(err)
			}
			change(w)
			before, _ := os.ReadFile(w.ws + "/x")
			_, err = safepath.Commit(p, safepath.Replacement{Content: []byte("mine"), Was: was})
			wantCode(t, err, safepath.Stale)
			w.wantContent("x", string(before))
			_, err = safepath.Remove(p, was)
			wantCode(t, err, safepath.Stale)
			w.wantContent("x", string(before))
		})
	}
}

func TestCommitTargetDeletedOrMade(t *testing.T) {
	w := newWorld(t, "f x=1")
	p := w.mustResolve("x", safepath.Write, safepath.File)
	_, was, err := safepath.ReadVersion(p, readLimit)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(w.ws + "/x")
	_, err = safepath.Commit(p, safepath.Replacement{Content: []byte("mine"), Was: was})
	wantCode(t, err, safepath.Stale)
	w.wantMissing("$WS/x")

	p = w.mustResolve("n/e/w", safepath.Write, safepath.File)
	w.make("f n/e/w=theirs")
	_, err = safepath.Commit(p, safepath.Replacement{Content: []byte("mine")})
	wantCode(t, err, safepath.Exists)
	w.wantContent("n/e/w", "theirs")
}

// A commit that fails takes the parents it made away again.
func TestFailedCommitLeavesNoParents(t *testing.T) {
	w := newWorld(t, "f x=1")
	p := w.mustResolve("a/b/c", safepath.Write, safepath.File)
	_, err := safepath.Commit(p, safepath.Replacement{Content: []byte("x"), Was: safepath.Version{Exists: true}})
	wantCode(t, err, safepath.Stale)
	w.wantMissing("$WS/a")
}

func TestCommitTargetSwappedForLink(t *testing.T) {
	w := newWorld(t, "f x=1")
	p := w.mustResolve("x", safepath.Write, safepath.File)
	_, was, err := safepath.ReadVersion(p, readLimit)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(w.ws + "/x")
	w.make("l x -> $OUT/secret")
	_, err = safepath.Commit(p, safepath.Replacement{Content: []byte("mine"), Was: was})
	wantCode(t, err, safepath.PathChanged)
	_, err = safepath.Open(p)
	wantCode(t, err, safepath.PathChanged)
	if target, _ := os.Readlink(w.ws + "/x"); target != w.out+"/secret" {
		t.Errorf("the link became %q", target)
	}
}

func TestCommitParentMoved(t *testing.T) {
	w := newWorld(t, "f p/x=1", "d other/p")
	p := w.mustResolve("p/x", safepath.Write, safepath.File)
	_, was, err := safepath.ReadVersion(p, readLimit)
	if err != nil {
		t.Fatal(err)
	}
	os.Rename(w.ws+"/p", w.ws+"/moved")
	os.Rename(w.ws+"/other/p", w.ws+"/p")
	done, err := safepath.Commit(p, safepath.Replacement{Content: []byte("2"), Was: was})
	if err != nil || !done.ParentMoved {
		t.Errorf("%+v, %v", done, err)
	}
	w.wantContent("moved/x", "2")
	w.wantMissing("$WS/p/x")
}

func TestCommitParentDeleted(t *testing.T) {
	w := newWorld(t, "d p")
	p := w.mustResolve("p/x", safepath.Write, safepath.File)
	os.Remove(w.ws + "/p")
	_, err := safepath.Commit(p, safepath.Replacement{Content: []byte("2")})
	wantCode(t, err, safepath.NotFound)
	w.wantMissing("$WS/p")
}

func TestCommitHardLinks(t *testing.T) {
	w := newWorld(t, "f x=1")
	os.Link(w.ws+"/x", w.ws+"/y")
	os.Link(w.ws+"/x", w.ws+"/z")
	done, err := w.write("x", "2")
	if err != nil || done.HardLinks != 2 {
		t.Errorf("%+v, %v", done, err)
	}
	w.wantContent("x", "2")
	w.wantContent("y", "1")
	w.wantContent("z", "1")
}

func TestCommitKeepsLink(t *testing.T) {
	w := newWorld(t, "f real/x=1", "l s -> real/x")
	if _, err := w.write("s", "2"); err != nil {
		t.Fatal(err)
	}
	w.wantContent("real/x", "2")
	if target, err := os.Readlink(w.ws + "/s"); target != "real/x" {
		t.Errorf("%q, %v", target, err)
	}
}

func TestRemove(t *testing.T) {
	w := newWorld(t, "f a/x=1")
	done, err := w.remove("a/x")
	if err != nil || done.ModeBefore != 0o666&^umask(t)&^0o022 || done.ModeAfter != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	w.wantMissing("$WS/a/x")
	w.make("f a/y=1")
	d := w.mustResolve("a", safepath.Write, safepath.Directory)
	wantCode(t, safepath.RemoveEmptyDir(d), safepath.Exists)
	os.Remove(w.ws + "/a/y")
	if err := safepath.RemoveEmptyDir(d); err != nil {
		t.Error(err)
	}
	w.wantMissing("$WS/a")
	wantCode(t, safepath.RemoveEmptyDir(d), safepath.NotFound)
	_, err = safepath.Remove(w.mustResolve("none", safepath.Write, safepath.File), safepath.Version{})
	wantCode(t, err, safepath.NotFound)
}

func TestUncheckedPathsAreRefused(t *testing.T) {
	w := newWorld(t, "f x=1", "d d")
	var none *safepath.CheckedPath
	read := w.mustResolve("x", safepath.Read, safepath.File)
	closed := w.mustResolve("x", safepath.Write, safepath.File)
	closed.Close()
	for name, p := range map[string]*safepath.CheckedPath{"nil": none, "zero": new(safepath.CheckedPath), "for reading": read, "closed": closed} {
		_, err := safepath.Commit(p, safepath.Replacement{})
		wantCode(t, err, safepath.InvalidPath)
		_, err = safepath.Remove(p, safepath.Version{})
		wantCode(t, err, safepath.InvalidPath)
		wantCode(t, safepath.RemoveEmptyDir(p), safepath.InvalidPath)
		if name == "nil" && (safepath.StatOf(p) != safepath.Stat{} || safepath.NameOf(p) != "" || safepath.VolumeOf(p) != nil || p.Close() != nil) {
			t.Error("a nil path is something")
		}
		if name != "for reading" {
			_, err = safepath.Open(p)
			wantCode(t, err, safepath.InvalidPath)
			_, err = safepath.OpenDir(p)
			wantCode(t, err, safepath.InvalidPath)
			_, _, err = safepath.ReadVersion(p, 1)
			wantCode(t, err, safepath.InvalidPath)
			_, err = safepath.CommandDir(p)
			wantCode(t, err, safepath.InvalidPath)
		}
	}
	d := w.openDir("d")
	if _, err := d.Create("x", 0o644); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a directory opened for reading makes files: %v", err)
	}
	for name, err := range map[string]error{"mkdir": d.Mkdir("x", 0o755), "unlink": d.Unlink("x"), "rmdir": d.Rmdir("x"), "rename": d.Rename("x", "y", safepath.Overwrite)} {
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNamesStayInTheDirectory(t *testing.T) {
	w := newWorld(t, "f d/x=1")
	d := w.openDir("d")
	for _, name := range []string{"", ".", "..", "../f", "/etc/passwd", "x/..", "a\x00"} {
		if _, err := d.Lookup(name); err == nil {
			t.Errorf("lookup of %q", name)
		}
		if _, err := d.OpenDir(name); err == nil {
			t.Errorf("open of %q", name)
		}
		if _, err := d.OpenFile(name); err == nil {
			t.Errorf("open of %q", name)
		}
	}
}

func TestLockKey(t *testing.T) {
	w := newWorld(t, "f d/x=1", "l s -> d/x", "f d/y=1")
	key := func(raw string) string {
		return safepath.LockKey(w.mustResolve(raw, safepath.Write, safepath.File))
	}
	first := key("d/x")
	if first == "" || key("s") != first || key("d/y") == first {
		t.Errorf("%q %q %q", first, key("s"), key("d/y"))
	}
	if _, err := w.write("d/x", "2"); err != nil {
		t.Fatal(err)
	}
	if again := key("d/x"); again != first {
		t.Errorf("the key changed from %q to %q with a replace", first, again)
	}
	early := w.mustResolve("n/e/w", safepath.Write, safepath.File)
	before := safepath.LockKey(early)
	w.make("d n/e")
	if after := safepath.LockKey(early); after == before || after != key("n/e/w") {
		t.Errorf("%q, then %q, want %q", before, after, key("n/e/w"))
	}
}

func TestTooLarge(t *testing.T) {
	w := newWorld(t, "f x=12345")
	p := w.mustResolve("x", safepath.Read, safepath.File)
	if _, _, err := safepath.ReadVersion(p, 5); err != nil {
		t.Error(err)
	}
	_, _, err := safepath.ReadVersion(p, 4)
	wantCode(t, err, safepath.TooLarge)
	if err := os.Truncate(w.ws+"/x", 1<<40); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	_, _, err = safepath.ReadVersion(p, 1<<20)
	wantCode(t, err, safepath.TooLarge)
}

func TestCloseNames(t *testing.T) {
	w := newWorld(t, "f Docs/Read Me.txt=1", "f Docs/caf\u00e9=1", "f Docs/Screenshot\u202f1.png=1", "f A=1", "f a=1", "f \u00e0=1")
	for raw, hint := range map[string]string{
		"Docs/read me.txt":        `there is "Docs/Read Me.txt"`,
		"docs/Read Me.txt":        `there is "Docs/Read Me.txt"`,
		"Docs/cafe\u0301":         "there is \"Docs/caf\u00e9\"",
		"Docs/Screenshot 1.png":   `there is "Docs/Screenshot\u202f1.png"`,
		"Docs/Read\u00a0Me.txt":   `there is "Docs/Read Me.txt"`,
		"Docs/quite another name": `list with path="Docs" shows the names there`,
	} {
		_, err := w.resolve(raw, safepath.Read, safepath.File)
		wantCode(t, err, safepath.NotFound)
		var e *safepath.Error
		if errors.As(err, &e) && e.Hint != hint {
			t.Errorf("%s: hint %q, want %q", raw, e.Hint, hint)
		}
	}
	for _, name := range []string{"Xa", "xA", "XA", "xa"} {
		w.make("f " + name + "Y=1")
	}
	_, err := w.resolve("xay", safepath.Read, safepath.File)
	var e *safepath.Error
	if !errors.As(err, &e) || e.Hint != `there is "XAY", "XaY", "xAY"` {
		t.Errorf("%v, hint %q", err, e.Hint)
	}
}

func TestDirectoryListsLinksOnly(t *testing.T) {
	w := newWorld(t, "f d/f=1", "l d/out -> $OUT/sub", "l d/secret -> $OUT/secret", "d d/sub")
	d := w.openDir("d")
	entries, err := d.ReadNames()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]safepath.Kind{}
	for _, e := range entries {
		st, err := d.Lookup(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != safepath.KindUnknown && e.Kind != st.Kind {
			t.Errorf("%s is %v in the listing, %v by itself", e.Name, e.Kind, st.Kind)
		}
		kinds[e.Name] = st.Kind
	}
	want := map[string]safepath.Kind{"f": safepath.KindFile, "out": safepath.KindSymlink, "secret": safepath.KindSymlink, "sub": safepath.KindDirectory}
	if len(kinds) != len(want) {
		t.Errorf("%v", kinds)
	}
	for name, kind := range want {
		if kinds[name] != kind {
			t.Errorf("%s is %v, want %v", name, kinds[name], kind)
		}
	}
	if _, err := d.OpenDir("out"); err == nil {
		t.Error("a link was entered")
	}
	if _, err := d.OpenFile("secret"); safepath.CodeOf(err) != safepath.NotRegularFile {
		t.Errorf("a link was opened: %v", err)
	}
}

func TestFolderOfManyNames(t *testing.T) {
	w := newWorld(t, "d many")
	for i := range 3000 {
		w.make("f many/" + filepath.Base(time.Duration(i).String()) + "=")
	}
	entries, err := w.openDir("many").ReadNames()
	if err != nil || len(entries) != 3000 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}
