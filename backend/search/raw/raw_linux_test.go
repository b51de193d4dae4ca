package raw

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"septet/safepath"
)

func open(t *testing.T, path string) *Dir {
	t.Helper()
	held, err := safepath.OS().OpenRoot(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { held.Close() })
	d, ok, err := Open(held)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// TestEveryWay: whatever the kernel can say at once, the answers are the same.
func TestEveryWay(t *testing.T) {
	root := t.TempDir()
	content := bytes.Repeat([]byte("some text\n"), 20_000)
	must(t, os.WriteFile(filepath.Join(root, "file"), content, 0o644))
	must(t, os.MkdirAll(filepath.Join(root, "dir/below"), 0o755))
	must(t, os.Symlink("file", filepath.Join(root, "link")))
	must(t, os.Symlink("dir", filepath.Join(root, "dirlink")))
	must(t, unix.Mkfifo(filepath.Join(root, "pipe"), 0o644))
	for _, way := range []struct{ local, noOpen, noRead bool }{{true, false, false}, {true, true, false}, {true, false, true}, {false, false, false}} {
		d := open(t, root)
		d.device.local = way.local
		d.device.noCachedOpen.Store(way.noOpen)
		d.device.noCachedReads.Store(way.noRead)
		names, err := d.ReadNames(make([]byte, 4096), nil)
		slices.SortFunc(names, func(a, b safepath.Entry) int { return strings.Compare(a.Name, b.Name) })
		want := []safepath.Entry{{Name: "dir", Kind: safepath.KindDirectory}, {Name: "dirlink", Kind: safepath.KindSymlink}, {Name: "file", Kind: safepath.KindFile}, {Name: "link", Kind: safepath.KindSymlink}, {Name: "pipe", Kind: safepath.KindOther}}
		if err != nil || !slices.Equal(names, want) {
			t.Errorf("%+v: got %v, %v", way, names, err)
		}
		f, err := d.OpenFile("file")
		must(t, err)
		got, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
		if err != nil || !bytes.Equal(got, content) || f.Size() != int64(len(content)) {
			t.Errorf("%+v: got %d bytes, %v", way, len(got), err)
		}
		if n, err := f.ReadAt(make([]byte, 10), f.Size()-4); n != 4 || err != io.EOF {
			t.Errorf("%+v: at the end: got %d, %v", way, n, err)
		}
		must(t, f.Close())
		for _, name := range []string{"link", "pipe", "dir"} {
			if _, err := d.OpenFile(name); safepath.CodeOf(err) != safepath.NotRegularFile {
				t.Errorf("%+v: file %s: got %v", way, name, err)
			}
		}
		for _, name := range []string{"dirlink", "file", "pipe"} {
			if _, err := d.OpenDir(name); safepath.CodeOf(err) != safepath.NotRegularFile {
				t.Errorf("%+v: directory %s: got %v", way, name, err)
			}
		}
		if _, err := d.OpenFile("none"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%+v: got %v", way, err)
		}
		in, err := d.OpenDir("dir")
		must(t, err)
		if in.Kind("below") != safepath.KindDirectory || in.Kind("none") != safepath.KindUnknown {
			t.Errorf("%+v: wrong kinds", way)
		}
		in.Close()
	}
}

// TestPseudoFiles: reading one would run code of the kernel.
func TestPseudoFiles(t *testing.T) {
	d := open(t, "/proc/self")
	if _, err := d.OpenFile("status"); safepath.CodeOf(err) != safepath.NotRegularFile {
		t.Errorf("got %v", err)
	}
}

// TestOtherMount: a directory that is mounted from elsewhere is taken for what
// it is, although its parent's file system is known.
func TestOtherMount(t *testing.T) {
	d := open(t, "/")
	if !d.device.local {
		t.Skip("the root directory is on no local file system")
	}
	proc, err := d.OpenDir("proc")
	must(t, err)
	defer proc.Close()
	if !proc.device.pseudo {
		t.Error("it is taken for a part of the root's file system")
	}
	if _, err := proc.OpenFile("version"); safepath.CodeOf(err) != safepath.NotRegularFile {
		t.Errorf("got %v", err)
	}
}

// TestManyNames: a directory that takes several calls is read to its end.
func TestManyNames(t *testing.T) {
	root := t.TempDir()
	for i := range 1000 {
		must(t, os.WriteFile(filepath.Join(root, strings.Repeat("n", i%100)+strconv.Itoa(i)), nil, 0o644))
	}
	for _, local := range []bool{true, false} {
		d := open(t, root)
		d.device.local = local
		names, err := d.ReadNames(make([]byte, 4096), nil)
		slices.SortFunc(names, func(a, b safepath.Entry) int { return strings.Compare(a.Name, b.Name) })
		names = slices.Compact(names)
		if err != nil || len(names) != 1000 {
			t.Errorf("local %v: got %d names, %v", local, len(names), err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
