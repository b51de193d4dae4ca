package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"

	"septet/backend"
)

// unwritable reports whether a store could not be opened because this process
// may not write there. It can still be looked at.
func unwritable(err error) bool {
	switch resultCode(err) {
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return true
	}
	return false
}

// look runs do on a database that cannot be written. It is opened for this one
// look: nothing tells when somebody else changes it.
func (s *Store) look(ctx context.Context, do func(*sql.DB) error) error {
	db, err := s.openReadOnly(ctx)
	if err == nil {
		err = errors.Join(do(db), db.Close())
	}
	var told *backend.Error
	if err == nil || errors.As(err, &told) {
		return err
	}
	return &backend.Error{
		Code: backend.JournalFailed,
		Fact: fmt.Sprintf("the journal can neither be written nor read here: %v (%s)", err, s.Path()),
		Hint: "ask the user to make its directory readable, or to start septet with --state DIR",
		Err:  err,
	}
}

// openReadOnly opens the database where nothing can be made beside it. SQLite
// then reads it only when it is told that nobody writes, and leaves out what is
// still in the log; so with a log it is not told that.
func (s *Store) openReadOnly(ctx context.Context) (*sql.DB, error) {
	db, err := openLooking(ctx, s.Path(), "")
	if log, statErr := os.Stat(s.Path() + "-wal"); err == nil || statErr == nil && log.Size() > 0 {
		return db, err
	}
	return openLooking(ctx, s.Path(), "1")
}

// openLooking opens the database and wants it in this program's format.
// immutable is "1" when nobody writes, else "".
func openLooking(ctx context.Context, path, immutable string) (*sql.DB, error) {
	options := url.Values{"mode": {"ro"}, "_pragma": {
		"busy_timeout(" + strconv.FormatInt(busyTimeout.Milliseconds(), 10) + ")", "query_only(ON)",
	}}
	if immutable != "" {
		options.Set("immutable", immutable)
	}
	path = "/" + strings.TrimPrefix(filepath.ToSlash(path), "/") // C:/x is /C:/x in a URL
	source := url.URL{Scheme: "file", Path: path, RawQuery: options.Encode()}
	db, err := sql.Open("sqlite", source.String())
	if err != nil {
		return nil, err
	}
	var version int
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	if err == nil && version != len(schema) {
		err = formatError{have: version, know: len(schema)}
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// formatError says that a database is of another format and cannot be brought
// to this program's.
type formatError struct{ have, know int }

func (e formatError) Error() string {
	return fmt.Sprintf("its format is version %d, this program reads %d", e.have, e.know)
}
