package journal

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
)

func openRaw(t *testing.T, path string) *sql.DB {
	db, err := sql.Open("sqlite", dataSource(path))
	check(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

func versionIn(t *testing.T, db *sql.DB) (v int) {
	check(t, db.QueryRow("PRAGMA user_version").Scan(&v))
	return v
}

func TestMigrateTakesOnlyTheStepsThatAreMissing(t *testing.T) {
	db := openRaw(t, filepath.Join(t.TempDir(), "a.db"))
	steps := []string{`CREATE TABLE a (x); INSERT INTO a VALUES (1)`, `ALTER TABLE a ADD COLUMN y DEFAULT 2`}
	check(t, migrate(t.Context(), db, steps[:1]))
	check(t, migrate(t.Context(), db, steps))
	check(t, migrate(t.Context(), db, steps))
	var x, y int
	check(t, db.QueryRow(`SELECT x, y FROM a`).Scan(&x, &y))
	if x != 1 || y != 2 || versionIn(t, db) != 2 {
		t.Errorf("row %d, %d at version %d", x, y, versionIn(t, db))
	}
}

func TestAFailingStepLeavesTheOldVersion(t *testing.T) {
	db := openRaw(t, filepath.Join(t.TempDir(), "a.db"))
	err := migrate(t.Context(), db, []string{`CREATE TABLE a (x)`, `CREATE TABLE b (x); NONSENSE`})
	if err == nil || versionIn(t, db) != 0 {
		t.Errorf("error %v at version %d", err, versionIn(t, db))
	}
	check(t, migrate(t.Context(), db, []string{`CREATE TABLE a (x)`}))
}

func TestANewerVersionIsLeftAlone(t *testing.T) {
	db := openRaw(t, filepath.Join(t.TempDir(), "a.db"))
	check(t, migrate(t.Context(), db, []string{`CREATE TABLE a (x)`, `CREATE TABLE b (x)`}))
	err := migrate(t.Context(), db, []string{`CREATE TABLE a (x)`})
	if want := (versionError{have: 2, know: 1}); !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// The settings that durability and sharing rest on are in force, on each
// connection.
func TestSettings(t *testing.T) {
	db := openRaw(t, filepath.Join(t.TempDir(), "with space ?and#marks.db"))
	check(t, migrate(t.Context(), db, schema))
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "auto_vacuum": "2", "busy_timeout": "10000", "foreign_keys": "1",
	} {
		var got string
		check(t, db.QueryRow("PRAGMA "+pragma).Scan(&got))
		if got != want {
			t.Errorf("%s is %s, want %s", pragma, got, want)
		}
	}
}

func TestWorkspacesAreKeptApart(t *testing.T) {
	a, b := New(Config{State: "/s", Workspace: "/a/project"}), New(Config{State: "/s", Workspace: "/b/project"})
	if a.Path() == b.Path() {
		t.Error("two workspaces share a database")
	}
	if got := filepath.Dir(New(Config{State: "/s", Workspace: "/w/a b\x1b[m/.."}).Path()); filepath.Dir(got) != "/s/journal" {
		t.Errorf("an odd workspace is kept in %s", got)
	}
}
