package journal_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"septet/backend"
	"septet/safepath"
)

func TestNothingIsOpenedBeforeTheFirstChange(t *testing.T) {
	p := newPlace(t)
	if found := p.list(backend.RecordQuery{}); len(found) != 0 {
		t.Errorf("an unused workspace has records: %v", found)
	}
	_, err := p.history.Get(t.Context(), "abcdef")
	wantCode(t, err, safepath.NotFound)
	if _, err := os.Stat(p.state); !os.IsNotExist(err) {
		t.Errorf("the state directory was made for a question: %v", err)
	}
}

func TestAChangeIsRecordedWithItsProvenance(t *testing.T) {
	p := newPlace(t)
	made := p.writeIn("t1", "src/a.txt", "one\ntwo\n")
	found := p.list(backend.RecordQuery{})
	if len(found) != 1 {
		t.Fatalf("%d records, want 1", len(found))
	}
	want := backend.Record{Change: made, Provenance: backend.Provenance{Session: "s1", Turn: "t1", CallID: "c1", Tool: "write"}, State: backend.Applied}
	want.Hunks = nil
	if !reflect.DeepEqual(found[0], want) {
		t.Errorf("listed\n%+v\nwant\n%+v", found[0], want)
	}
}

func TestNoChangeLeavesNoRecord(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "same\n")
	if c := p.write("a.txt", "same\n"); c.Kind != backend.Unchanged {
		t.Errorf("kind %s, want unchanged", c.Kind)
	}
	if found := p.list(backend.RecordQuery{}); len(found) != 1 {
		t.Errorf("%d records, want 1", len(found))
	}
}

func TestAnotherProcessSeesTheSameRecordsAndHunks(t *testing.T) {
	p := newPlace(t)
	first := p.write("a.txt", strings.Repeat("line\n", 30)+"end")
	second := p.write("a.txt", strings.Repeat("line\n", 10)+"changed\n"+strings.Repeat("line\n", 19)+"end\n")
	must(t, p.store.Close())
	other := p.again()
	for _, made := range []backend.Change{first, second} {
		r, err := other.history.Get(t.Context(), made.ID)
		must(t, err)
		if !reflect.DeepEqual(r.Change, made) {
			t.Errorf("reloaded\n%+v\nwant\n%+v", r.Change, made)
		}
	}
}

func TestAShortIDIsEnoughWhileItIsUnique(t *testing.T) {
	p := newPlace(t)
	made := p.write("a.txt", "x\n")
	r, err := p.history.Get(t.Context(), strings.ToUpper(made.ID[:4]))
	must(t, err)
	if r.ID != made.ID {
		t.Errorf("found %s, want %s", r.ID, made.ID)
	}
	for _, id := range []string{"", made.ID[:3], made.ID + "x", "%", "____"} {
		_, err := p.history.Get(t.Context(), id)
		wantCode(t, err, safepath.NotFound)
	}
}

func TestOtherUsersCannotReachTheJournal(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "secret\n")
	for d := filepath.Dir(p.store.Path()); len(d) >= len(p.state); d = filepath.Dir(d) {
		info, err := os.Stat(d)
		must(t, err)
		if info.Mode().Perm() != 0o700 {
			t.Errorf("%s has mode %v", d, info.Mode())
		}
	}
}

// A journal at rest is one file: the log is merged at the end.
func TestCloseMergesTheLog(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "one\n")
	p.undo(backend.UndoRequest{Last: 1})
	must(t, p.store.Close())
	if _, err := os.Stat(p.store.Path() + "-wal"); !os.IsNotExist(err) {
		t.Errorf("the log is left: %v", err)
	}
}

func BenchmarkEdit(b *testing.B) {
	text := strings.Repeat("a line of some twenty kilobytes of text\n", 512)
	for _, with := range []string{"journal", "plain"} {
		b.Run(with, func(b *testing.B) {
			p := newPlace(b)
			if with == "plain" {
				p.files = p.plain
			}
			p.write("a.txt", text)
			n := 0
			for b.Loop() {
				n++
				p.write("a.txt", text[:n%20000]+"changed\n"+text[n%20000:])
			}
		})
	}
}
