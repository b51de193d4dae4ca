package journal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"septet/backend"
	"septet/safepath"
)

// damages are ways in which a database is lost; each takes what is in the file.
var damages = map[string]func([]byte) []byte{
	"not a database":  func(b []byte) []byte { return bytes.Repeat([]byte("garbage "), len(b)/8) },
	"pages destroyed": func(b []byte) []byte { return append(b[:100], bytes.Repeat([]byte{0xff}, len(b)-100)...) },
	"cut short":       func(b []byte) []byte { return b[:len(b)/2] },
	"emptied":         func([]byte) []byte { return nil },
	"zeroed":          func(b []byte) []byte { return make([]byte, len(b)) },
	"begun anew":      func([]byte) []byte { return emptyDatabase },
}

// emptyDatabase is a whole SQLite database that holds nothing.
var emptyDatabase = func() []byte {
	b := make([]byte, 512)
	copy(b, "SQLite format 3\x00\x02\x00\x02\x02\x00\x40\x20\x20\x00\x00\x00\x01\x00\x00\x00\x01")
	b[47] = 4                                 // schema format
	b[59] = 1                                 // UTF-8
	b[95] = 1                                 // version-valid-for
	copy(b[100:], "\x0d\x00\x00\x00\x00\x02") // an empty leaf; its content begins at 512
	return b
}()

// damage closes the store, damages its file and returns what is in it then,
// and the place as the next process has it.
func (p *place) damage(how func([]byte) []byte) (*place, []byte) {
	p.t.Helper()
	must(p.t, p.store.Close())
	raw, err := os.ReadFile(p.store.Path())
	must(p.t, err)
	raw = how(raw)
	must(p.t, os.WriteFile(p.store.Path(), raw, 0o600))
	return p.again(), raw
}

func (p *place) asides() []string {
	p.t.Helper()
	found, err := p.store.SetAside()
	must(p.t, err)
	var paths []string
	for _, a := range found {
		paths = append(paths, a.Path)
	}
	return paths
}

// A damaged journal does not stop the work: it is kept, the next one begins,
// and that is said once.
func TestADamagedJournalIsSetAside(t *testing.T) {
	for name, how := range damages {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			lost := p.write("a.txt", "one\n")
			must(t, p.store.Check(t.Context()))
			p, raw := p.damage(how)
			told := wantCode(t, p.store.Check(t.Context()), backend.JournalFailed)
			if told.Hint == "" {
				t.Errorf("%q without a hint", told.Fact)
			}
			_, err := p.history.List(t.Context(), backend.RecordQuery{})
			wantCode(t, err, backend.JournalFailed)
			_, err = p.history.Undo(p.call(""), backend.UndoRequest{ChangeIDs: []string{lost.ID}})
			wantCode(t, err, backend.JournalFailed)
			if found := p.asides(); len(found) > 0 || len(p.notices) > 0 {
				t.Fatalf("a question set aside %v: %v", found, p.notices)
			}

			kept := p.write("a.txt", "two\n")
			must(t, p.store.Check(t.Context()))
			p.wantStates("a.txt", backend.Applied)
			found := p.asides()
			if len(found) != 1 {
				t.Fatalf("%d databases were set aside, want 1: %v", len(found), p.notices)
			}
			if now, err := os.ReadFile(found[0]); err != nil || !bytes.Equal(now, raw) {
				t.Errorf("what was set aside has %d bytes, %v; want the %d there were", len(now), err, len(raw))
			}
			if len(p.notices) != 1 || !strings.Contains(p.notices[0], found[0]) {
				t.Errorf("told %q, want once, with %s", p.notices, found[0])
			}
			p.wantLost(lost.ID, found[0])

			again := p.again()
			again.wantLost(lost.ID, found[0])
			again.undo(backend.UndoRequest{ChangeIDs: []string{kept.ID}})
			if len(again.notices) > 0 || again.read("a.txt") != "one\n" {
				t.Errorf("told again %q; the file is %q", again.notices, again.read("a.txt"))
			}
		})
	}
}

// wantLost wants the truth about a change that is in a database set aside.
func (p *place) wantLost(id, aside string) {
	p.t.Helper()
	before := p.tree()
	_, err := p.history.Undo(p.call(""), backend.UndoRequest{ChangeIDs: []string{id}})
	if told := wantCode(p.t, err, safepath.NotFound); !strings.Contains(told.Fact, "damaged") || !strings.Contains(told.Fact, aside) {
		p.t.Errorf("undo of a lost change says %q", told.Fact)
	}
	_, err = p.history.Get(p.t.Context(), id)
	if told := wantCode(p.t, err, safepath.NotFound); !strings.Contains(told.Fact, aside) {
		p.t.Errorf("show of a lost change says %q", told.Fact)
	}
	sameTree(p.t, p.tree(), before)
}

// Damage several times in a second takes no name from what was set aside
// before.
func TestNothingThatIsSetAsideIsReplaced(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "0\n")
	for i := range 3 {
		p, _ = p.damage(func([]byte) []byte { return bytes.Repeat([]byte{byte('a' + i)}, 4096) })
		p.write("a.txt", strings.Repeat("x", i+1))
	}
	found := p.asides()
	if len(found) != 3 {
		t.Fatalf("set aside: %v", found)
	}
	first := map[byte]bool{}
	for _, path := range found {
		content, err := os.ReadFile(path)
		must(t, err)
		first[content[0]] = true
	}
	if len(first) != 3 {
		t.Errorf("what was set aside begins with %v", first)
	}
}

// A log without its database, as somebody leaves it who removes one file, is
// not taken for the log of the new one.
func TestALogThatWasLeftIsNotTakenOver(t *testing.T) {
	p := newPlace(t)
	for i := range 5 {
		p.write("a.txt", strings.Repeat("x", i+1))
	}
	log, err := os.ReadFile(p.store.Path() + "-wal") // while it is open
	must(t, err)
	must(t, p.store.Close())
	must(t, os.Remove(p.store.Path()))
	must(t, os.WriteFile(p.store.Path()+"-wal", log, 0o600))
	p = p.again()
	p.write("b.txt", "new\n")
	p.wantStates(".", backend.Applied)
	kept, _ := filepath.Glob(p.store.Path() + ".damaged-*-wal")
	if len(kept) != 1 {
		t.Errorf("the log that was left is gone: %v", kept)
	}
}

// Two servers have the store open when it is damaged: both work on, in one new
// database, and each change that is answered is recorded.
func TestDamageWhileTwoProcessesWork(t *testing.T) {
	p := newPlace(t)
	other := p.again()
	p.write("a.txt", "one\n")
	other.write("b.txt", "one\n")
	must(t, os.WriteFile(p.store.Path(), make([]byte, 8192), 0o600))
	must(t, os.WriteFile(p.store.Path()+"-wal", nil, 0o600))
	p.write("a.txt", "two\n")
	other.write("b.txt", "two\n")
	p.write("a.txt", "three\n")
	if len(p.asides()) == 0 {
		t.Fatal("the damage was not noticed")
	}
	third := p.again()
	if n := len(third.list(backend.RecordQuery{Path: "b.txt"})); n == 0 {
		t.Error("the other process records where nobody looks")
	}
	if third.read("a.txt") != "three\n" || len(third.list(backend.RecordQuery{Path: "a.txt"})) == 0 {
		t.Error("changes are not recorded")
	}
}

// The store is removed under a server: what it does from then on is recorded,
// and what another process sees is the same.
func TestAStoreThatIsRemovedWhileItIsUsed(t *testing.T) {
	for name, remove := range map[string]func(p *place) error{
		"all of it":    func(p *place) error { return os.RemoveAll(p.state) },
		"the database": func(p *place) error { return os.Remove(p.store.Path()) },
		"moved away":   func(p *place) error { return os.Rename(p.state, p.state+"-away") },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.write("a.txt", "one\n")
			must(t, remove(p))
			if found := p.list(backend.RecordQuery{}); len(found) > 0 {
				t.Errorf("listed from a file that is gone: %v", found)
			}
			p.write("a.txt", "two\n")
			p.write("a.txt", "three\n")
			p.wantStates("a.txt", backend.Applied, backend.Applied)
			p.again().wantStates("a.txt", backend.Applied, backend.Applied)
			if len(p.notices) != 1 || !strings.Contains(p.notices[0], "removed") {
				t.Errorf("told %q", p.notices)
			}
			p.again().undo(backend.UndoRequest{Last: 2})
			if p.read("a.txt") != "one\n" {
				t.Errorf("undone to %q", p.read("a.txt"))
			}
		})
	}
}

// The store goes between the intent and the outcome: the change is recorded
// all the same, with what it takes to undo it.
func TestAStoreThatIsRemovedInTheMiddleOfAChange(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "one\n")
	p.files = p.store.Wrap(&pausing{FileSystem: p.plain, pause: func() { must(t, os.RemoveAll(p.state)) }})
	c := p.write("a.txt", "two\n")
	if c.Unrecorded {
		t.Error("the change says that its record is open")
	}
	p.again().wantStates("a.txt", backend.Applied)
	p.again().undo(backend.UndoRequest{ChangeIDs: []string{c.ID}})
	if p.read("a.txt") != "one\n" {
		t.Errorf("undone to %q", p.read("a.txt"))
	}
}
