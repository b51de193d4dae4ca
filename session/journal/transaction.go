package journal

import (
	"context"
	"database/sql"
)

// transaction is one transaction that writes. It parses each statement once in
// the life of the store: parsing is a fifth of the processor's part of an edit.
type transaction struct {
	*sql.Tx
	store *Store
}

// write runs do in a transaction of its own. It is not ended by a caller's
// context: a transaction takes a millisecond, and cutting it short would leave
// a question open.
func (s *Store) write(ctx context.Context, tried string, do func(transaction) error) error {
	ctx = context.WithoutCancel(ctx)
	if _, err := s.open(ctx); err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writer == nil {
		return s.failure(tried, sql.ErrConnDone) // closed meanwhile
	}
	return s.failure(tried, s.transact(ctx, do))
}

func (s *Store) transact(ctx context.Context, do func(transaction) error) error {
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	if err := do(transaction{tx, s}); err != nil {
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
// and so within this transaction. It is closed by Close. The caller holds
// writing.
func (t transaction) parsed(text string) (*sql.Stmt, error) {
	if known := t.store.parsed[text]; known != nil {
		return known, nil
	}
	parsed, err := t.store.writer.PrepareContext(context.Background(), text)
	if err != nil {
		return nil, err
	}
	t.store.parsed[text] = parsed
	return parsed, nil
}
