package journal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"septet/backend"
)

// mounted gives a place a state directory on a small file system of its own.
func mounted(t *testing.T) *place {
	if os.Getuid() != 0 {
		t.Skip("mounting a small file system needs root")
	}
	p := newPlace(t)
	must(t, os.Mkdir(p.state, 0o700))
	if err := unix.Mount("journal", p.state, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	t.Cleanup(func() { unix.Unmount(p.state, unix.MNT_DETACH) })
	return p
}

// fill takes all the room that is left and returns what gives it back.
func (p *place) fill() (empty func()) {
	p.t.Helper()
	path := filepath.Join(p.state, "ballast")
	f, err := os.Create(path)
	must(p.t, err)
	defer f.Close()
	for size := 64 << 10; size > 0; {
		if _, err := f.Write(bytes.Repeat([]byte("x"), size)); err != nil {
			size /= 2
		}
	}
	return func() { must(p.t, os.Remove(path)) }
}

func TestFullDisk(t *testing.T) {
	p := mounted(t)
	p.write("a.txt", "one\n")
	empty := p.fill()
	var last backend.Change
	for range 100 { // the log may have room of its own for some
		c, err := p.change(p.call(""), "b.txt", func(b backend.Before) ([]byte, error) {
			return append(bytes.Clone(b.Content), strings.Repeat("y", 4<<10)...), nil
		})
		if err != nil {
			break
		}
		last = c
	}
	p.refuses("the disk is full")
	empty()
	p.write("c.txt", "three\n")
	if r, err := p.history.Get(t.Context(), last.ID); last.ID != "" && (err != nil || r.State != backend.Applied) {
		t.Errorf("the last answered change is %s, %v", r.State, err)
	}
	p.wantStates("a.txt", backend.Applied)
}

func TestFullDiskBeforeTheFirstChange(t *testing.T) {
	p := mounted(t)
	empty := p.fill()
	p.refuses("the disk is full")
	empty()
	p.write("a.txt", "one\n")
}

// The outcome cannot be stored: the change stands and says so, and the next
// look settles it.
func TestFullDiskAfterTheRename(t *testing.T) {
	p := mounted(t)
	p.write("a.txt", "one\n")
	var empty func()
	p.files = p.store.Wrap(&pausing{FileSystem: p.plain, pause: func() { empty = p.fill() }})
	c := p.write("a.txt", strings.Repeat("two\n", 50000)) // a diff that finds no room
	if !c.Unrecorded || len(c.Caveats()) == 0 {
		t.Error("the change does not say that its record is open")
	}
	empty()
	p.wantStates("a.txt", backend.Applied, backend.Applied)
	r, err := p.history.Get(t.Context(), c.ID)
	must(t, err)
	if len(r.Hunks) == 0 || r.Added != c.Added {
		t.Errorf("settled with %d hunks, +%d, want +%d", len(r.Hunks), r.Added, c.Added)
	}
}

func TestReadOnlyStore(t *testing.T) {
	p := mounted(t)
	p.write("a.txt", "one\n")
	must(t, p.store.Close())
	p = p.again()
	must(t, unix.Mount("", p.state, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	p.refuses("cannot be written")
	p.wantStates("a.txt", backend.Applied)
	c := p.list(backend.RecordQuery{})[0]
	if r, err := p.history.Get(t.Context(), c.ID); err != nil || len(r.Hunks) != 1 {
		t.Errorf("%d hunks, %v", len(r.Hunks), err)
	}
	if r := p.undo(backend.UndoRequest{Last: 1, DryRun: true}); len(r.Undone) != 1 {
		t.Errorf("an undo would undo %q", r.Undone)
	}
	_, err := p.history.Undo(p.call(""), backend.UndoRequest{Last: 1})
	if told := wantCode(t, err, backend.JournalFailed); !strings.Contains(told.Fact, "cannot be written") {
		t.Errorf("the undo says %q", told.Fact)
	}
	must(t, unix.Mount("", p.state, "", unix.MS_REMOUNT, "size=1m"))
	p.write("a.txt", "two\n")
	p.wantStates("a.txt", backend.Applied, backend.Applied)
}
