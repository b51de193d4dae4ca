package journal_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"septet/backend"
)

func sum(content string) string {
	s := sha256.Sum256([]byte(content))
	return hex.EncodeToString(s[:])
}

// conflicts are what somebody else can do to a file that holds "two" and was
// changed by us from "one", and what the conflict then says.
var conflicts = map[string]struct {
	meddle func(p *place)
	found  string // digest
	reason string // a part of it
}{
	"edited": {
		func(p *place) { must(p.t, os.WriteFile(p.at("a.txt"), []byte("mine\n"), 0o644)) },
		sum("mine\n"), "content was changed",
	},
	"deleted": {
		func(p *place) { must(p.t, os.Remove(p.at("a.txt"))) },
		"", "does not exist",
	},
	"recreated": {
		func(p *place) {
			must(p.t, os.Remove(p.at("a.txt")))
			must(p.t, os.WriteFile(p.at("a.txt"), []byte("new\n"), 0o644))
		},
		sum("new\n"), "content was changed",
	},
	"replaced by a link": {
		func(p *place) {
			must(p.t, os.Rename(p.at("a.txt"), p.at("moved.txt")))
			must(p.t, os.Symlink("moved.txt", p.at("a.txt")))
		},
		sum("two\n"), "link now leads to moved.txt",
	},
	"replaced by a link to nothing": {
		func(p *place) {
			must(p.t, os.Remove(p.at("a.txt")))
			must(p.t, os.Symlink("nothing", p.at("a.txt")))
		},
		"", "link leads to nothing",
	},
	"replaced by a link that leads out": {
		func(p *place) {
			must(p.t, os.Remove(p.at("a.txt")))
			must(p.t, os.Symlink("/etc/passwd", p.at("a.txt")))
		},
		"", "outside",
	},
	"replaced by a directory": {
		func(p *place) {
			must(p.t, os.Remove(p.at("a.txt")))
			must(p.t, os.Mkdir(p.at("a.txt"), 0o755))
		},
		"", "directory",
	},
	"mode changed": {
		func(p *place) { must(p.t, os.Chmod(p.at("a.txt"), 0o600)) },
		sum("two\n"), "mode was changed from 0644 to 0600",
	},
	"grown": {
		func(p *place) {
			must(p.t, os.WriteFile(p.at("a.txt"), []byte(strings.Repeat("x", backend.MaxTextBytes+1)), 0o644))
		},
		"", "1048577 bytes",
	},
	"no longer text": {
		func(p *place) { must(p.t, os.WriteFile(p.at("a.txt"), []byte("\x00\xff"), 0o644)) },
		sum("\x00\xff"), "content was changed",
	},
}

// A conflict leaves that file and every other file of the batch alone, and
// names both sides.
func TestConflictLeavesEverythingAlone(t *testing.T) {
	for name, tt := range conflicts {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			must(t, os.WriteFile(p.at("a.txt"), []byte("one\n"), 0o644))
			made := p.write("a.txt", "two\n")
			p.write("b.txt", "other\n")
			tt.meddle(p)
			before := p.tree()
			for _, dry := range []bool{true, false} {
				got := p.undo(backend.UndoRequest{Last: 2, DryRun: dry})
				sameTree(t, p.tree(), before)
				if len(got.Undone)+len(got.Recorded) != 0 || len(got.Conflicts) != 1 {
					t.Fatalf("undo says %+v", got)
				}
				want := backend.Conflict{ChangeID: made.ID, Path: "a.txt", Expected: sum("two\n"), Found: tt.found}
				want.Reason = got.Conflicts[0].Reason
				if got.Conflicts[0] != want || !strings.Contains(want.Reason, tt.reason) {
					t.Errorf("conflict %+v, want %+v with %q", got.Conflicts[0], want, tt.reason)
				}
			}
		})
	}
}

// The same, found by the step itself: somebody was faster than the step.
func TestConflictBetweenPlanAndStep(t *testing.T) {
	for name, tt := range conflicts {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			must(t, os.WriteFile(p.at("a.txt"), []byte("one\n"), 0o644))
			made := p.write("a.txt", "two\n")
			last := p.write("b.txt", "other\n")
			p.history = p.store.History(&meddling{FileSystem: p.files, before: 1, meddle: func() { tt.meddle(p) }}, p.paths)
			got := p.undo(backend.UndoRequest{Last: 2})
			if len(got.Conflicts) != 1 || got.Conflicts[0].ChangeID != made.ID || got.Conflicts[0].Found != tt.found {
				t.Fatalf("undo says %+v", got)
			}
			if len(got.Undone) != 1 || got.Undone[0] != last.ID || len(got.Recorded) != 1 {
				t.Errorf("undo says %+v, want that %s was undone before", got, last.ID)
			}
			if r, err := p.history.Get(t.Context(), made.ID); err != nil || r.State != backend.Applied {
				t.Errorf("the change with the conflict is %s, %v", r.State, err)
			}
		})
	}
}

// A file that appears where a deletion is to be undone is not overwritten.
func TestAFileThatAppearedIsNotOverwritten(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "one\n")
	done := p.undo(backend.UndoRequest{Last: 1})
	must(t, os.WriteFile(p.at("a.txt"), []byte("one\n"), 0o644))
	got := p.undo(backend.UndoRequest{ChangeIDs: done.Recorded})
	if len(got.Conflicts) != 1 || got.Conflicts[0].Expected != "" || got.Conflicts[0].Found != sum("one\n") {
		t.Errorf("undo says %+v", got)
	}
}

// Undoing an older change below a newer one would lose the newer.
func TestAnOlderChangeOfTheSameFileIsAConflict(t *testing.T) {
	p := newPlace(t)
	older := p.write("a.txt", "one\n")
	p.write("a.txt", "two\n")
	got := p.undo(backend.UndoRequest{ChangeIDs: []string{older.ID}})
	if len(got.Conflicts) != 1 || got.Conflicts[0].Found != sum("two\n") {
		t.Errorf("undo says %+v", got)
	}
}
