package journal

import (
	"context"
	"database/sql"
	"fmt"
)

// schema holds the steps from each version to the next; a database is of the
// version that counts them. Steps are never changed, only added.
var schema = []string{`
CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE session (
	id   INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE
);

-- The content of a file before a change, once for all changes that saw it.
CREATE TABLE blob (
	sha256  TEXT PRIMARY KEY,
	bytes   INTEGER NOT NULL,
	used    INTEGER NOT NULL, -- by the latest change; Unix nanoseconds
	content BLOB NOT NULL
);
CREATE INDEX blob_age ON blob (used, bytes);

CREATE TABLE change (
	seq          INTEGER PRIMARY KEY AUTOINCREMENT,
	id           TEXT NOT NULL UNIQUE,
	session      INTEGER NOT NULL REFERENCES session (id),
	turn         TEXT NOT NULL,
	call         TEXT NOT NULL,
	tool         TEXT NOT NULL,
	path         TEXT NOT NULL,
	state        TEXT NOT NULL CHECK (state IN ('pending', 'applied', 'failed', 'undone', 'unknown')),
	owner        TEXT NOT NULL, -- the process, by the name of its lock
	undoes       TEXT NOT NULL, -- id of the change that this one takes back, or ''
	before       TEXT NOT NULL, -- SHA-256, or '' for no file
	after        TEXT NOT NULL,
	bytes_before INTEGER NOT NULL,
	bytes_after  INTEGER NOT NULL,
	kind         TEXT NOT NULL, -- created, modified, deleted
	at           INTEGER NOT NULL, -- Unix nanoseconds
	-- Known with the outcome:
	added        INTEGER NOT NULL DEFAULT 0,
	removed      INTEGER NOT NULL DEFAULT 0,
	mode_before  INTEGER NOT NULL DEFAULT 0,
	mode_after   INTEGER NOT NULL DEFAULT 0,
	made_parents INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX change_session ON change (session, seq);
CREATE INDEX change_path ON change (path, seq);
CREATE INDEX change_pending ON change (path, seq) WHERE state = 'pending';

-- Apart from change, or a list would read through all of it.
CREATE TABLE diff (
	change INTEGER PRIMARY KEY REFERENCES change (seq),
	bytes  INTEGER NOT NULL,
	used   INTEGER NOT NULL, -- when it was recorded; Unix nanoseconds
	hunks  TEXT NOT NULL -- JSON
);
CREATE INDEX diff_age ON diff (used, bytes);
`}

// migrate takes the database through the steps it has not seen, all or none.
func migrate(ctx context.Context, db *sql.DB, steps []string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version > len(steps) {
		return versionError{have: version, know: len(steps)}
	}
	for _, step := range steps[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	if version == len(steps) {
		return nil
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(steps))); err != nil {
		return err
	}
	return tx.Commit()
}
