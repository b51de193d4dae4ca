package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// database is an open database file.
type database struct {
	*sql.DB
	path     string
	file     fs.FileInfo // which file it is
	readOnly bool        // nothing can be settled or recorded in it

	// writing lets one transaction of this process write at a time. SQLite
	// would make the others poll, and a poll can sleep 100 ms.
	writing sync.Mutex
	writer  *sql.Conn            // the one that writes; nil when closed; guarded by writing
	parsed  map[string]*sql.Stmt // by text, on writer; guarded by writing
	changes int                  // since the last look at the bounds; guarded by writing
}

// damageError says why a file is no journal, where SQLite would take it for a
// new one.
type damageError struct{ why string }

func (e damageError) Error() string { return e.why }

// openDatabase opens the database at path and makes it when it is missing. The
// caller holds the directory's lock.
func openDatabase(ctx context.Context, path, workspace string) (*database, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeDatabase(ctx, path, workspace); err == nil {
			info, err = os.Stat(path)
		}
	}
	if err != nil {
		return nil, err
	}
	// One is only ever put there whole, with its tables.
	if info.Size() == 0 {
		return nil, damageError{"it was emptied"}
	}
	d := &database{path: path, file: info, parsed: map[string]*sql.Stmt{}}
	if d.DB, err = sql.Open("sqlite", dataSource(path)); err != nil {
		return nil, err
	}
	if err := d.prepare(ctx); err != nil {
		return nil, errors.Join(err, d.DB.Close())
	}
	return d, nil
}

// prepare brings the database to this program's schema and opens the
// connection that writes.
func (d *database) prepare(ctx context.Context) error {
	d.SetMaxOpenConns(4) // readers beside one writer
	if _, err := versionOf(ctx, d.DB); err != nil {
		return err
	}
	if err := migrate(ctx, d.DB, schema); err != nil {
		return err
	}
	var err error
	d.writer, err = d.Conn(ctx)
	return err
}

// makeDatabase makes it beside its place, so that no process ever finds a part
// of one there and takes it for damaged.
func makeDatabase(ctx context.Context, path, workspace string) error {
	making := path + ".new"
	for _, suffix := range fileSuffixes { // of a process that died here
		if err := os.Remove(making + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	db, err := sql.Open("sqlite", dataSource(making))
	if err != nil {
		return err
	}
	err = migrate(ctx, db, schema)
	if err == nil {
		_, err = db.ExecContext(ctx, `INSERT INTO meta VALUES ('workspace', ?)`, workspace)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return errors.Join(err, os.Remove(making))
	}
	// What is left beside a database that was taken away is not part of the new one.
	if _, err := moveAside(path); err != nil {
		return err
	}
	if err := os.Rename(making, path); err != nil {
		return err
	}
	return syncDirectory(filepath.Dir(path))
}

// inPlace reports whether the file is still the one that its path names. One
// that cannot be looked at is taken to be.
func (d *database) inPlace() bool {
	info, err := os.Stat(d.path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return os.SameFile(info, d.file)
}

// close waits for a transaction that is under way. Closing twice is harmless.
func (d *database) close() error {
	d.writing.Lock()
	defer d.writing.Unlock()
	var err error
	for text, statement := range d.parsed { // one left open would keep the log from being merged
		err = errors.Join(err, statement.Close())
		delete(d.parsed, text)
	}
	if d.writer != nil {
		err = errors.Join(err, d.writer.Close())
		d.writer = nil
	}
	return errors.Join(err, d.DB.Close())
}

// dataSource names the database for the driver. auto_vacuum works only when it
// comes before the first page is written, so it is first.
func dataSource(path string) string {
	return sourceOf(path, url.Values{"_pragma": {
		"busy_timeout(" + strconv.FormatInt(busyTimeout.Milliseconds(), 10) + ")",
		"auto_vacuum(incremental)",
		"journal_mode(WAL)",
		"synchronous(FULL)",
		"foreign_keys(ON)",
		"journal_size_limit(8388608)", // give the log's room back after a burst
	}, "_txlock": {"immediate"}})
}

func sourceOf(path string, query url.Values) string {
	path = "/" + strings.TrimPrefix(filepath.ToSlash(path), "/") // C:/x is /C:/x in a URL
	u := url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}
	return u.String()
}

// openToRead opens a database where nothing can be written: on a read-only or
// a full disk, or that of another user. Without a log beside it the file is
// all there is, and needs no index of the log, which could not be made.
func openToRead(ctx context.Context, path string) (*database, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	query := url.Values{"mode": {"ro"}}
	if log, err := os.Stat(path + "-wal"); err != nil || log.Size() == 0 {
		query.Set("immutable", "1")
	}
	d := &database{path: path, file: info, readOnly: true}
	if d.DB, err = sql.Open("sqlite", sourceOf(path, query)); err != nil {
		return nil, err
	}
	version, err := versionOf(ctx, d.DB)
	if err == nil && version != len(schema) {
		err = versionError{have: version, know: len(schema)}
	}
	if err != nil {
		return nil, errors.Join(err, d.DB.Close())
	}
	return d, nil
}

// versionOf reads which schema the journal has, from 1. A database without one
// is damaged: it is only ever put in its place with its tables.
func versionOf(ctx context.Context, db *sql.DB) (version int, err error) {
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	if err == nil && version == 0 {
		err = damageError{"it holds no journal"}
	}
	return version, err
}

// versionError says that a database is of another program than this one.
type versionError struct{ have, know int }

func (e versionError) Error() string {
	return fmt.Sprintf("its format is version %d and this program knows %d", e.have, e.know)
}
