package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"septet/backend"
)

// History shows and takes back what a Store holds. It is safe for concurrent
// use.
type History struct {
	store *Store
	files backend.FileSystem
	paths Resolver
}

// History returns the history of this store. files is what Wrap returned, so
// that undoing is recorded too; paths says where it may write.
func (s *Store) History(files backend.FileSystem, paths Resolver) *History {
	return &History{store: s, files: files, paths: paths}
}

// List returns a page of records, newest first, without hunks. Before that it
// settles what a crash has left open.
func (h *History) List(ctx context.Context, q backend.RecordQuery) (backend.RecordPage, error) {
	var page backend.RecordPage
	_, err := h.settled(ctx, func(db *sql.DB) (err error) {
		page, err = list(ctx, db, q)
		return err
	})
	return page, err
}

// Get returns one record with its hunks. The id may be cut short.
func (h *History) Get(ctx context.Context, id string) (backend.Record, error) {
	var r stored
	found, err := h.settled(ctx, func(db *sql.DB) (err error) {
		if r, err = find(ctx, db, strings.ToLower(id)); err != nil {
			return err
		}
		r.Hunks, err = hunksOf(ctx, db, r.seq)
		return err
	})
	if err == nil && !found {
		err = noRecord(id)
	}
	return r.Record, h.store.lost(err)
}

// settled runs do on the database once nothing in it is left open; it returns
// false when there is no database. Where nothing can be written, what is left
// open is not listed. A damaged database is told, and not set aside: that is
// for the change that has no other place.
func (h *History) settled(ctx context.Context, do func(*sql.DB) error) (bool, error) {
	d, done, err := h.store.readable(ctx)
	if d == nil {
		return false, h.store.failure("open", err)
	}
	defer done()
	if !d.readOnly {
		if err := h.settle(ctx, d.DB); err != nil {
			return false, h.store.failure("settle changes", err)
		}
	}
	return true, h.store.failure("read its records", do(d.DB))
}

// readable returns the database for questions, or nil when nothing was ever
// recorded here; done gives it back.
func (s *Store) readable(ctx context.Context) (d *database, done func(), err error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if _, err := os.Stat(s.Path()); errors.Is(err, fs.ErrNotExist) || !filepath.IsAbs(s.directory) {
		return nil, nil, nil
	}
	if d, err = s.opened(context.WithoutCancel(ctx)); !cannotWrite(err) {
		return d, func() {}, err
	}
	reading, readErr := openToRead(ctx, s.Path())
	if cannotWrite(readErr) {
		return nil, nil, &backend.Error{
			Code: backend.JournalFailed,
			Fact: fmt.Sprintf("the journal can neither be written nor read here (%s)", s.Path()),
			Hint: "ask the user to make its directory readable, or start septet with --state DIR",
			Err:  readErr,
		}
	}
	if readErr != nil {
		return nil, nil, errors.Join(err, readErr)
	}
	return reading, func() { reading.DB.Close() }, nil
}
