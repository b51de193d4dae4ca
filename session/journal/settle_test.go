package journal_test

import (
	"context"
	"os"
	"reflect"
	"slices"
	"testing"

	"septet/backend"
	"septet/safepath"
)

// crash ends a process in the middle of a replacement, as far as anybody can
// see: nothing after this point is done, and its lock becomes free.
type crash struct {
	backend.FileSystem
	renamed bool // after the rename, not before it
}

type crashed struct{}

func (c crash) Replace(ctx context.Context, p *safepath.CheckedPath, r backend.Replacement) (backend.Change, error) {
	decide := r.Make
	r.Make = func(b backend.Before) ([]byte, error) {
		after, err := decide(b) // the intent is durable now
		if err == nil && !c.renamed {
			panic(crashed{})
		}
		return after, err
	}
	if _, err := c.FileSystem.Replace(ctx, p, r); err != nil {
		return backend.Change{}, err
	}
	panic(crashed{})
}

// dies runs do in a process that dies in its first replacement.
func (p *place) dies(renamed bool, do func(*place)) {
	p.t.Helper()
	dying := p.again()
	dying.files = dying.store.Wrap(crash{dying.plain, renamed})
	dying.history = dying.store.History(dying.files, dying.paths)
	func() {
		defer func() {
			if _, died := recover().(crashed); !died {
				p.t.Fatal("the process did not die")
			}
		}()
		do(dying)
	}()
	must(p.t, dying.store.Close())
}

func (p *place) states(path string) []backend.RecordState {
	p.t.Helper()
	var states []backend.RecordState
	for _, r := range p.list(backend.RecordQuery{Path: path}) {
		states = append(states, r.State)
	}
	return states
}

func (p *place) wantStates(path string, want ...backend.RecordState) {
	p.t.Helper()
	if got := p.states(path); !slices.Equal(got, want) {
		p.t.Errorf("the records of %s are %v, want %v", path, got, want)
	}
}

func TestACrashBeforeTheRenameNeverHappened(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "one\n")
	p.dies(false, func(p *place) { p.write("a.txt", "two\n") })
	p.dies(false, func(p *place) { p.write("b.txt", "two\n") })
	p.wantStates(".", backend.Applied)
	if p.read("a.txt") != "one\n" {
		t.Error("the file was touched")
	}
}

func TestACrashAfterTheRenameIsRecordedAsIfItHadEnded(t *testing.T) {
	p, twin := newPlace(t), newPlace(t)
	for _, p := range []*place{p, twin} {
		must(t, os.WriteFile(p.at("a.txt"), []byte("zero\none\n"), 0o640))
	}
	p.dies(true, func(p *place) { p.write("a.txt", "one\ntwo") })
	want := twin.write("a.txt", "one\ntwo")
	found := p.list(backend.RecordQuery{})
	if len(found) != 1 {
		t.Fatalf("%d records, want 1", len(found))
	}
	got, err := p.history.Get(t.Context(), found[0].ID)
	must(t, err)
	want.ID, want.At = got.ID, got.At
	if got.State != backend.Applied || !reflect.DeepEqual(got.Change, want) {
		t.Errorf("settled as %s\n%+v\nwant\n%+v", got.State, got.Change, want)
	}
	p.undo(backend.UndoRequest{Last: 1})
	if p.read("a.txt") != "zero\none\n" {
		t.Errorf("undone to %q", p.read("a.txt"))
	}
}

func TestACrashWithAnotherWriteAfterItIsUnknown(t *testing.T) {
	p := newPlace(t)
	p.dies(true, func(p *place) { p.write("a.txt", "one\n") })
	must(t, os.WriteFile(p.at("a.txt"), []byte("mine\n"), 0o644))
	p.wantStates("a.txt", backend.Unknown)
	_, err := p.history.Undo(p.call(""), backend.UndoRequest{Last: 1})
	wantCode(t, err, backend.NotUndoable)
	if p.read("a.txt") != "mine\n" {
		t.Error("the file was touched")
	}
}

func TestACrashIsSettledByTheNextChangeOfTheFile(t *testing.T) {
	p := newPlace(t)
	p.dies(true, func(p *place) { p.write("a.txt", "one\n") })
	p.again().write("a.txt", "two\n")
	p.wantStates("a.txt", backend.Applied, backend.Applied)

	p.dies(true, func(p *place) { p.write("a.txt", "three\n") })
	p.dies(true, func(p *place) { p.write("a.txt", "four\n") })
	p.dies(false, func(p *place) { p.write("a.txt", "five\n") })
	p.wantStates("a.txt", backend.Applied, backend.Applied, backend.Applied, backend.Applied)
	p.undo(backend.UndoRequest{Last: 4})
	if left := p.tree(); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestACrashInAnUndoIsSettledWithItsMark(t *testing.T) {
	p := newPlace(t)
	must(t, os.WriteFile(p.at("a.txt"), []byte("one\n"), 0o755))
	p.write("a.txt", "two\n")
	p.dies(false, func(p *place) { p.undo(backend.UndoRequest{Last: 1}) })
	p.wantStates("a.txt", backend.Applied)
	p.dies(true, func(p *place) { p.undo(backend.UndoRequest{Last: 1}) })
	p.wantStates("a.txt", backend.Applied, backend.Undone)
}

func TestACrashInTheUndoOfACreationKeepsTheMode(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "one\n")
	must(t, os.Chmod(p.at("a.txt"), 0o755))
	p.dies(true, func(p *place) {
		checked, err := p.paths.Resolve("a.txt", safepath.Write, safepath.File)
		must(p.t, err)
		defer checked.Close()
		p.files.Replace(p.call(""), checked, backend.Replacement{Delete: true,
			Make: func(backend.Before) ([]byte, error) { return nil, nil }})
	})
	deletion := p.list(backend.RecordQuery{})[0]
	p.undo(backend.UndoRequest{ChangeIDs: []string{deletion.ID}})
	info, err := os.Stat(p.at("a.txt"))
	must(t, err)
	if info.Mode() != 0o755 {
		t.Errorf("mode %v, want 0755", info.Mode())
	}
}

// An intent whose process lives is its own business, whatever the disk says.
func TestTheIntentOfALivingProcessIsNotSettled(t *testing.T) {
	p := newPlace(t)
	working := p.again()
	working.files = working.store.Wrap(&pausing{FileSystem: working.plain, pause: func() {
		p.wantStates(".")
		working.wantStates(".")
	}})
	working.write("a.txt", "one\n")
	p.wantStates(".", backend.Applied)
}

// pausing does something between the intent and the rename.
type pausing struct {
	backend.FileSystem
	pause func()
}

func (f *pausing) Replace(ctx context.Context, p *safepath.CheckedPath, r backend.Replacement) (backend.Change, error) {
	decide := r.Make
	r.Make = func(b backend.Before) ([]byte, error) {
		after, err := decide(b)
		f.pause()
		return after, err
	}
	return f.FileSystem.Replace(ctx, p, r)
}

func TestAFailedChangeIsNotListed(t *testing.T) {
	p := newPlace(t)
	p.files = p.store.Wrap(&pausing{FileSystem: p.plain, pause: func() {
		must(t, os.WriteFile(p.at("a.txt"), []byte("mine\n"), 0o644))
	}})
	_, err := p.change(p.call(""), "a.txt", func(backend.Before) ([]byte, error) { return []byte("two\n"), nil })
	wantCode(t, err, safepath.Exists)
	p.wantStates(".")
	if p.read("a.txt") != "mine\n" {
		t.Error("the file was touched")
	}
}
