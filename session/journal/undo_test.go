package journal_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"septet/backend"
	"septet/safepath"
)

// randomText makes a small text of a random shape: line ends of both kinds,
// with and without a last one, or nothing at all.
func randomText(r *rand.Rand) string {
	end := []string{"\n", "\r\n"}[r.IntN(2)]
	var b strings.Builder
	for range r.IntN(12) {
		fmt.Fprintf(&b, "line %d%s", r.IntN(6), end)
	}
	text := b.String()
	if r.IntN(3) == 0 {
		text = strings.TrimSuffix(text, end)
	}
	return text
}

// randomChange writes or edits one of twenty files, most of them in
// directories that need not be there.
func (p *place) randomChange(r *rand.Rand) {
	path := fmt.Sprintf("%s%d.txt", []string{"", "a/", "a/b/", "c/d/e/"}[r.IntN(4)], r.IntN(5))
	_, err := p.change(p.call(fmt.Sprintf("t%d", r.IntN(3))), path, func(b backend.Before) ([]byte, error) {
		if r.IntN(2) == 0 {
			return []byte(randomText(r)), nil
		}
		return bytes.Replace(b.Content, []byte("line"), []byte("text of a line"), 1+r.IntN(2)), nil
	})
	must(p.t, err)
}

// someFiles fills a workspace with what was there before anybody worked in it.
func (p *place) someFiles(r *rand.Rand) {
	for i := range 5 {
		path := p.at(fmt.Sprintf("a/b/%d.txt", i))
		must(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(p.t, os.WriteFile(path, []byte(randomText(r)), 0o600))
		must(p.t, os.Chmod(path, []os.FileMode{0o600, 0o644, 0o755, 0o440, 0o664}[i]))
	}
}

// Undoing everything gives the tree back byte for byte with its modes, and
// undoing that gives the work back.
func TestUndoAllAndUndoThat(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			p := newPlace(t)
			p.someFiles(r)
			start := p.tree()
			for range 45 {
				p.randomChange(r)
			}
			end := p.tree()
			done := p.undo(backend.UndoRequest{Session: "s1", Last: 1000})
			sameTree(t, p.tree(), start)
			p.undo(backend.UndoRequest{ChangeIDs: done.Recorded})
			sameTree(t, p.tree(), end)
			p.undo(backend.UndoRequest{Session: "s1", Last: 1000})
			sameTree(t, p.tree(), start)
		})
	}
}

func TestUndoOfAFileThatWasCreatedAndEditedRemovesIt(t *testing.T) {
	p := newPlace(t)
	before := p.tree()
	created := p.write("new/deep/a.txt", "one\n")
	edited := p.write("new/deep/a.txt", "two\n")
	done := p.undo(backend.UndoRequest{ChangeIDs: []string{created.ID, edited.ID, created.ID}})
	if want := []string{edited.ID, created.ID}; !slices.Equal(done.Undone, want) {
		t.Errorf("undone %v, want %v", done.Undone, want)
	}
	sameTree(t, p.tree(), before)
}

func TestDirectoriesThatHoldSomethingElseStay(t *testing.T) {
	p := newPlace(t)
	p.write("new/deep/a.txt", "one\n")
	must(t, os.WriteFile(p.at("new/mine"), nil, 0o644))
	p.undo(backend.UndoRequest{Last: 1})
	if _, err := os.Stat(p.at("new/deep")); !os.IsNotExist(err) {
		t.Errorf("the empty directory stayed: %v", err)
	}
	if _, err := os.Stat(p.at("new/mine")); err != nil {
		t.Error(err)
	}
}

func TestUndoIsRecordedAndMarks(t *testing.T) {
	p := newPlace(t)
	made := p.writeIn("t1", "a.txt", "one\n")
	done := p.undo(backend.UndoRequest{Turn: "t1", Session: "s1"})
	records := p.list(backend.RecordQuery{})
	if len(records) != 2 {
		t.Fatalf("%d records, want 2", len(records))
	}
	undo, original := records[0], records[1]
	if undo.ID != done.Recorded[0] || undo.Tool != "undo" || undo.Turn != "" || undo.Undoes != made.ID ||
		undo.Kind != backend.Deleted || undo.State != backend.Applied || undo.Session != "s1" {
		t.Errorf("the record of the undo is %+v", undo)
	}
	if original.State != backend.Undone {
		t.Errorf("the undone change is %s", original.State)
	}
}

func TestRedoPutsAChangeInForceAgain(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "one\n")
	made := p.write("a.txt", "two\n")
	for range 3 {
		done := p.undo(backend.UndoRequest{Last: 1})
		if !slices.Equal(done.Undone, []string{made.ID}) || p.read("a.txt") != "one\n" {
			t.Fatalf("undone %v, content %q", done.Undone, p.read("a.txt"))
		}
		p.undo(backend.UndoRequest{ChangeIDs: done.Recorded})
		if p.read("a.txt") != "two\n" {
			t.Fatalf("content after the redo is %q", p.read("a.txt"))
		}
	}
}

func TestLastCountsWhatIsInForceInTheSession(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "one\n")
	b := p.write("b.txt", "one\n")
	other := p.again()
	other.session = "s2"
	other.write("c.txt", "one\n")
	if done := p.undo(backend.UndoRequest{Session: "s1", Last: 1}); !slices.Equal(done.Undone, []string{b.ID}) {
		t.Errorf("undone %v, want %s", done.Undone, b.ID)
	}
	p.undo(backend.UndoRequest{Last: 2})
	if left := p.tree(); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestATurnIsUndoneAlone(t *testing.T) {
	p := newPlace(t)
	p.writeIn("t1", "a.txt", "one\n")
	p.writeIn("t2", "b.txt", "one\n")
	p.writeIn("t1", "c.txt", "one\n")
	p.undo(backend.UndoRequest{Session: "s1", Turn: "t1"})
	if left := p.tree(); len(left) != 2 || left["/b.txt"] == "" {
		t.Errorf("left: %v", left)
	}
	_, err := p.history.Undo(p.call(""), backend.UndoRequest{Session: "s1", Turn: "t3"})
	wantCode(t, err, safepath.NotFound)
}

func TestADryRunChangesNothing(t *testing.T) {
	p := newPlace(t)
	made := p.write("a.txt", "one\n")
	before := p.tree()
	done := p.undo(backend.UndoRequest{Last: 1, DryRun: true})
	if !slices.Equal(done.Undone, []string{made.ID}) || done.Recorded != nil {
		t.Errorf("dry run says %+v", done)
	}
	sameTree(t, p.tree(), before)
	if r := p.list(backend.RecordQuery{}); len(r) != 1 || r[0].State != backend.Applied {
		t.Errorf("records: %+v", r)
	}
}

func TestOddNamesAreUndone(t *testing.T) {
	p := newPlace(t)
	before := p.tree()
	for _, name := range []string{"sp ace", "new\nline", "esc\x1b[m", "\u00fcml\u00e4ut", "back\\slash", "quote\"s", "bidi\u202e", "di\nr/f", "#hash?"} {
		p.write(name, "one\n")
		p.write(name, "two\n")
	}
	if done := p.undo(backend.UndoRequest{Last: 100}); len(done.Undone) != 18 {
		t.Errorf("undone: %+v", done)
	}
	sameTree(t, p.tree(), before)
}

// A refusal in the middle of a batch is found before its beginning.
func TestARefusedPathIsFoundBeforeTheFirstStep(t *testing.T) {
	p := newPlace(t)
	p.write("locked/a.txt", "one\n")
	p.write("b.txt", "one\n")
	before := p.tree()
	strict, err := safepath.NewResolver(p.plain.Volume(), safepath.Config{
		WorkingDirectory: p.workspace, Roots: []safepath.Root{{Path: p.workspace, Writable: true}}, Protect: []string{"locked"},
	})
	must(t, err)
	defer strict.Close()
	_, err = p.store.History(p.files, strict).Undo(p.call(""), backend.UndoRequest{Last: 2})
	wantCode(t, err, safepath.ProtectedPath)
	sameTree(t, p.tree(), before)
}

func TestWhatCannotBeUndoneIsRefused(t *testing.T) {
	p := newPlace(t)
	made := p.write("a.txt", "one\n")
	p.undo(backend.UndoRequest{Last: 1})
	for name, tt := range map[string]struct {
		request backend.UndoRequest
		code    safepath.Code
	}{
		"already undone": {backend.UndoRequest{ChangeIDs: []string{made.ID}}, backend.NotUndoable},
		"unknown id":     {backend.UndoRequest{ChangeIDs: []string{"aaaaaaaaaaaa"}}, safepath.NotFound},
		"nothing named":  {backend.UndoRequest{}, backend.NotUndoable},
		"two ways":       {backend.UndoRequest{Turn: "t", Last: 1}, backend.NotUndoable},
		"negative":       {backend.UndoRequest{Last: -1}, backend.NotUndoable},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.history.Undo(p.call(""), tt.request)
			wantCode(t, err, tt.code)
		})
	}
}
