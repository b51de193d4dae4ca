package journal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"septet/backend"
)

// Check looks at the whole database and says what is wrong with it, with
// JournalFailed, or nil. It changes nothing and needs no right to: a damaged
// database stays where it is. No database is no error. It reads all of the
// file, some seconds for one that is as large as it may be.
func (s *Store) Check(ctx context.Context) error {
	if !filepath.IsAbs(s.directory) {
		return nil
	}
	info, err := os.Stat(s.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Size() == 0 {
		err = damageError{"it was emptied"}
	}
	if err == nil {
		err = s.checkDatabase(ctx)
	}
	if isDamage(err) {
		why, hint := s.explain(err)
		return &backend.Error{Code: backend.JournalFailed, Fact: "the journal " + s.Path() + " cannot be used: " + why, Hint: hint, Err: err}
	}
	return s.failure("be checked", err)
}

func (s *Store) checkDatabase(ctx context.Context) error {
	d, err := openToRead(ctx, s.Path())
	if err != nil {
		return err
	}
	defer d.DB.Close()
	var found string
	if err := d.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return damageError{"it is damaged: " + found}
	}
	return nil
}
