package journal

import (
	"context"
	"database/sql"
	"errors"
)

// transaction is one transaction that writes. It parses each statement once in
// the life of the database: parsing is a fifth of the processor's part of an
// edit.
type transaction struct {
	*sql.Tx
	database *database
}

// errClosed ends a transaction whose database was closed before it began:
// another was opened in its place.
var errClosed = errors.New("the database was closed")

// maxTries is how often a transaction is tried: in the database at hand, in the
// new one when that was damaged or taken away, and once more when another
// goroutine has noticed it in between.
const maxTries = 3

// write runs do in a transaction of its own. It is not ended by a caller's
// context: a transaction takes a millisecond, and cutting it short would leave
// a question open. do runs again in a new database when the old one is damaged.
func (s *Store) write(ctx context.Context, tried string, do func(transaction) error) error {
	ctx = context.WithoutCancel(ctx)
	var err error
	for range maxTries {
		var d *database
		if d, err = s.open(ctx); err != nil {
			return err
		}
		err = d.transact(ctx, do)
		switch {
		case isDamage(err):
			s.giveUpOn(ctx, d, err)
		case !errors.Is(err, errClosed):
			return s.failure(tried, err)
		}
	}
	return s.failure(tried, err)
}

// giveUpOn sets d aside, unless that was done. A failure shows when the next
// try meets the damage again.
func (s *Store) giveUpOn(ctx context.Context, d *database, damage error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.database == d {
		_, _ = s.replace(ctx, damage)
	}
}

func (d *database) transact(ctx context.Context, do func(transaction) error) error {
	d.writing.Lock()
	defer d.writing.Unlock()
	if d.writer == nil {
		return errClosed
	}
	tx, err := d.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	if err := do(transaction{tx, d}); err != nil {
		return err
	}
	return tx.Commit()
}

// Exec is that of sql.Tx. The text must be a constant.
func (t transaction) Exec(text string, args ...any) (sql.Result, error) {
	parsed, err := t.parsed(text)
	if err != nil {
		return nil, err
	}
	return parsed.Exec(args...)
}

// QueryRow is that of sql.Tx. The text must be a constant.
func (t transaction) QueryRow(text string, args ...any) *sql.Row {
	parsed, err := t.parsed(text)
	if err != nil {
		return t.Tx.QueryRow(text, args...) // fails the same way, in a Row
	}
	return parsed.QueryRow(args...)
}

// parsed returns the statement, which works on the one connection that writes
// and so within this transaction. It is closed with the database. The caller
// holds writing.
func (t transaction) parsed(text string) (*sql.Stmt, error) {
	if known := t.database.parsed[text]; known != nil {
		return known, nil
	}
	parsed, err := t.database.writer.PrepareContext(context.Background(), text)
	if err != nil {
		return nil, err
	}
	t.database.parsed[text] = parsed
	return parsed, nil
}
