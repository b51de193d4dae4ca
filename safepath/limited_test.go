package safepath_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"septet/safepath"
)

// limitedVolume is the machine's file system with fewer abilities, and with
// something that happens just before a rename.
type limitedVolume struct {
	safepath.Volume
	refuse map[safepath.RenameMode]error
	before func(n int, how safepath.RenameMode) // n counts the renames from 1
	n      int
}

func (v *limitedVolume) OpenRoot(abs string) (safepath.Dir, error) {
	d, err := v.Volume.OpenRoot(abs)
	return v.wrap(d, err)
}

func (v *limitedVolume) wrap(d safepath.Dir, err error) (safepath.Dir, error) {
	if err != nil {
		return nil, err
	}
	return &limitedDir{Dir: d, volume: v}, nil
}

type limitedDir struct {
	safepath.Dir
	volume *limitedVolume
}

func (d *limitedDir) OpenDir(name string) (safepath.Dir, error) {
	next, err := d.Dir.OpenDir(name)
	return d.volume.wrap(next, err)
}

func (d *limitedDir) Rename(from, to string, how safepath.RenameMode) error {
	if err := d.volume.refuse[how]; err != nil {
		return &fs.PathError{Op: "rename", Path: to, Err: err}
	}
	d.volume.n++
	if d.volume.before != nil {
		d.volume.before(d.volume.n, how)
	}
	return d.Dir.Rename(from, to, how)
}

// limit makes the world's resolver on a limited volume.
func (w *world) limit(refuse map[safepath.RenameMode]error) *limitedVolume {
	w.t.Helper()
	v := &limitedVolume{Volume: safepath.OS(), refuse: refuse}
	r, err := safepath.NewResolver(v, w.config)
	if err != nil {
		w.t.Fatal(err)
	}
	w.r = r
	return v
}

func TestWithoutExchange(t *testing.T) {
	w := newWorld(t, "f x=1", "f d/y=1")
	w.limit(map[safepath.RenameMode]error{safepath.Exchange: errors.ErrUnsupported})
	done, err := w.write("x", "2")
	if err != nil || !done.ReplaceWindow || done.NonAtomic {
		t.Errorf("%+v, %v", done, err)
	}
	w.wantContent("x", "2")
	if done, err := w.write("d/new", "2"); err != nil || done.ReplaceWindow {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestWithoutAnyAtomicRename(t *testing.T) {
	w := newWorld(t, "f x=1")
	w.limit(map[safepath.RenameMode]error{safepath.Exchange: errors.ErrUnsupported, safepath.NoReplace: errors.ErrUnsupported})
	for _, name := range []string{"x", "new"} {
		if done, err := w.write(name, "2"); err != nil || !done.ReplaceWindow {
			t.Errorf("%+v, %v", done, err)
		}
		w.wantContent(name, "2")
	}
	p := w.mustResolve("made", safepath.Write, safepath.File)
	w.make("f made=theirs")
	_, err := safepath.Commit(p, safepath.Replacement{Content: []byte("mine")})
	wantCode(t, err, safepath.Exists)
	w.wantContent("made", "theirs")
	if done, err := w.remove("x"); err != nil || !done.ReplaceWindow {
		t.Errorf("%+v, %v", done, err)
	}
	w.wantMissing("$WS/x")
}

// replaceFile is how another program saves a file.
func replaceFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name+".theirs", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+".theirs", name); err != nil {
		t.Fatal(err)
	}
}

func TestChangedJustBeforeTheExchange(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, name string){
		"by a rename": func(t *testing.T, name string) { replaceFile(t, name, "theirs") },
		"in place": func(t *testing.T, name string) {
			if err := os.WriteFile(name, []byte("theirs"), 0o644); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "f x=1")
			w.limit(nil).before = func(n int, _ safepath.RenameMode) {
				if n == 1 {
					change(t, w.ws+"/x")
				}
			}
			_, err := w.write("x", "mine")
			wantCode(t, err, safepath.Stale)
			w.wantContent("x", "theirs")
		})
	}
}

func TestSwappedForLinkJustBeforeTheExchange(t *testing.T) {
	w := newWorld(t, "f x=1")
	w.limit(nil).before = func(n int, _ safepath.RenameMode) {
		if n == 1 {
			os.Remove(w.ws + "/x")
			os.Symlink(w.out+"/secret", w.ws+"/x")
		}
	}
	_, err := w.write("x", "mine")
	wantCode(t, err, safepath.PathChanged)
	if target, _ := os.Readlink(w.ws + "/x"); target != w.out+"/secret" {
		t.Errorf("the link became %q", target)
	}
}

func TestThirdWriter(t *testing.T) {
	w := newWorld(t, "f x=1")
	w.limit(nil).before = func(n int, _ safepath.RenameMode) {
		if n <= 2 {
			replaceFile(t, w.ws+"/x", []string{"second", "third"}[n-1])
		}
	}
	_, err := w.write("x", "mine")
	wantCode(t, err, safepath.Stale)
	w.wantContent("x", "third")
	kept, _ := filepath.Glob(w.ws + "/x.conflict-*")
	if len(kept) != 1 || !strings.Contains(err.Error(), filepath.Base(kept[0])) {
		t.Fatalf("kept %v, error %v", kept, err)
	}
	w.wantContent(kept[0], "second")
}

func TestDeletedJustBeforeItIsTakenBack(t *testing.T) {
	w := newWorld(t, "f x=1")
	w.limit(nil).before = func(n int, _ safepath.RenameMode) {
		switch n {
		case 1:
			replaceFile(t, w.ws+"/x", "theirs")
		case 2:
			os.Remove(w.ws + "/x")
		}
	}
	_, err := w.write("x", "mine")
	wantCode(t, err, safepath.Stale)
	w.wantContent("x", "theirs")
}

func TestDeletedJustBeforeTheExchange(t *testing.T) {
	w := newWorld(t, "f x=1")
	w.limit(nil).before = func(n int, _ safepath.RenameMode) { os.Remove(w.ws + "/x") }
	_, err := w.write("x", "mine")
	wantCode(t, err, safepath.Stale)
	w.wantMissing("$WS/x")
}

func TestMadeJustBeforeTheRename(t *testing.T) {
	w := newWorld(t)
	w.limit(nil).before = func(n int, _ safepath.RenameMode) { replaceFile(t, w.ws+"/x", "theirs") }
	_, err := w.write("x", "mine")
	wantCode(t, err, safepath.Exists)
	w.wantContent("x", "theirs")
}

func TestChangedJustBeforeTheRemoval(t *testing.T) {
	w := newWorld(t, "f x=1")
	v := w.limit(nil)
	v.before = func(n int, _ safepath.RenameMode) {
		if n == 1 {
			replaceFile(t, w.ws+"/x", "theirs")
		}
	}
	_, err := w.remove("x")
	wantCode(t, err, safepath.Stale)
	w.wantContent("x", "theirs")

	v.n = 0
	v.before = func(n int, _ safepath.RenameMode) {
		if n <= 2 {
			replaceFile(t, w.ws+"/x", []string{"second", "third"}[n-1])
		}
	}
	_, err = w.remove("x")
	wantCode(t, err, safepath.Stale)
	w.wantContent("x", "third")
	kept, _ := filepath.Glob(w.ws + "/x.conflict-*")
	if len(kept) != 1 {
		t.Fatalf("kept %v", kept)
	}
	w.wantContent(kept[0], "second")
}
