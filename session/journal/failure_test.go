package journal_test

import (
	"database/sql"
	"os"
	"strings"
	"testing"

	"septet/backend"
)

// refuses wants a write to fail because of the journal, with words about why,
// before the file is touched.
func (p *place) refuses(words string) {
	p.t.Helper()
	before := p.tree()
	_, err := p.change(p.call(""), "a.txt", func(backend.Before) ([]byte, error) { return []byte("refused\n"), nil })
	told := wantCode(p.t, err, backend.JournalFailed)
	if !strings.Contains(told.Fact, words) || told.Hint == "" {
		p.t.Errorf("error %q, hint %q: want a hint and %q", told.Fact, told.Hint, words)
	}
	sameTree(p.t, p.tree(), before)
}

func TestStateDirectoryThatCannotBeMade(t *testing.T) {
	p := newPlace(t)
	must(t, os.WriteFile(p.state, nil, 0o600))
	p.refuses("not a directory")
}

func TestWithoutAStateDirectory(t *testing.T) {
	p := openPlace(t, newPlace(t).workspace, "")
	p.refuses("no directory")
	if found := p.list(backend.RecordQuery{}); len(found) != 0 {
		t.Errorf("listed %v", found)
	}
}

func TestStoreOfANewerProgram(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "one\n")
	must(t, p.store.Close())
	db, err := sql.Open("sqlite", p.store.Path())
	must(t, err)
	_, err = db.Exec("PRAGMA user_version = 99")
	must(t, err)
	must(t, db.Close())
	p = p.again()
	p.refuses("version 99")
}
