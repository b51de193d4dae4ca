package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"septet/backend"
)

// failure tells a failure of the store: what was tried, why it did not work,
// and what a person can do. An error that has a code, and that of a context, is
// returned as it is.
func (s *Store) failure(tried string, err error) error {
	var told *backend.Error
	if err == nil || errors.As(err, &told) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	why, hint := s.explain(err)
	return &backend.Error{
		Code: backend.JournalFailed,
		Fact: fmt.Sprintf("the journal could not %s: %s (%s)", tried, why, s.Path()),
		Hint: hint,
		Err:  err,
	}
}

// explain names the cause in plain words. Everything else is quoted.
func (s *Store) explain(err error) (why, hint string) {
	var version versionError
	if errors.As(err, &version) {
		return version.Error(), "ask the user to update septet, or start it with --state DIR for a journal of its own"
	}
	var damage damageError
	if errors.As(err, &damage) {
		return damage.why, s.damageHint()
	}
	if isDamage(err) {
		return "it is damaged", s.damageHint()
	}
	switch resultCode(err) {
	case sqlite3.SQLITE_FULL:
		return "the disk is full", "ask the user to free some space; nothing was changed"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return "its directory cannot be written", "ask the user to make it writable, or start septet with --state DIR or --no-journal"
	case sqlite3.SQLITE_IOERR_LOCK:
		return "its file system has no locks that work", "ask the user to start septet with --state DIR on a local disk, or with --no-journal for no undo"
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Sprintf("another process kept it for %v", busyTimeout), "try again"
	}
	return err.Error(), "ask the user to start septet with --state DIR for another place, or with --no-journal for no undo"
}

func (s *Store) damageHint() string {
	return "go on: when a change cannot be recorded in it, it is kept beside its place and a new one is begun; or ask the user to move " + s.directory + " away"
}

// isDamage reports whether the database is no whole one. Setting it aside is
// the only thing that helps.
func isDamage(err error) bool {
	var damage damageError
	if errors.As(err, &damage) {
		return true
	}
	switch resultCode(err) {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	case sqlite3.SQLITE_IOERR: // of a file that was cut short while it was open
		var e *sqlite.Error
		return errors.As(err, &e) && e.Code() == sqlite3.SQLITE_IOERR_SHORT_READ
	}
	return false
}

// cannotWrite reports whether what failed may still work for reading only.
func cannotWrite(err error) bool {
	switch resultCode(err) {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return true
	}
	return false
}

// resultCode gives the primary SQLite code of a failure, also for those of the
// file system around it; 0 when there is none.
func resultCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return primaryCode(e.Code())
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return sqlite3.SQLITE_FULL
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return sqlite3.SQLITE_READONLY
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, errors.ErrUnsupported):
		return sqlite3.SQLITE_IOERR_LOCK
	}
	return 0
}

// primaryCode drops the detail of an extended code, but for the one that a
// full disk gives where the index of the log is kept, and those of locks.
func primaryCode(extended int) int {
	switch extended {
	case sqlite3.SQLITE_IOERR_SHMSIZE:
		return sqlite3.SQLITE_FULL
	case sqlite3.SQLITE_IOERR_LOCK, sqlite3.SQLITE_IOERR_UNLOCK, sqlite3.SQLITE_IOERR_RDLOCK,
		sqlite3.SQLITE_IOERR_SHMLOCK, sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK:
		return sqlite3.SQLITE_IOERR_LOCK
	}
	return extended & 0xff
}
