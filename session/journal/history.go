package journal

import (
	"context"
	"database/sql"
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
	return r.Record, err
}

// settled runs do on the database once nothing in it is left open; it returns
// false when there is no database. One that this process may not write is read
// as it is.
func (h *History) settled(ctx context.Context, do func(*sql.DB) error) (bool, error) {
	db, err := h.store.existing(ctx)
	if unwritable(err) {
		return true, h.store.look(ctx, do)
	}
	if db == nil {
		return false, err
	}
	if err := h.settle(ctx, db); err != nil {
		return false, h.store.failure("settle changes", err)
	}
	return true, h.store.failure("read its records", do(db))
}
