package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"septet/backend"
	"septet/safepath"
)

// recordColumns are what scanRecord reads, for a change c. Nothing is joined:
// the newest page is read backwards from the end, whatever else is stored.
const recordColumns = `
	c.seq, c.id, (SELECT name FROM session WHERE id = c.session), c.turn, c.call, c.tool, c.path, c.state, c.undoes, c.before, c.after,
	c.bytes_before, c.bytes_after, c.at, c.kind, c.added, c.removed, c.mode_before, c.mode_after, c.made_parents,
	c.before <> '' AND NOT EXISTS (SELECT 1 FROM blob WHERE sha256 = c.before)
	FROM change c`

// isListed leaves out what is under way or never happened.
const isListed = `c.state IN ('applied', 'undone', 'unknown')`

// stored is a record with its place in the order of changes.
type stored struct {
	backend.Record
	seq int64
}

// scanner is a *sql.Row or *sql.Rows.
type scanner interface{ Scan(...any) error }

func scanRecord(row scanner) (stored, error) {
	var r stored
	var at int64
	err := row.Scan(&r.seq, &r.ID, &r.Session, &r.Turn, &r.CallID, &r.Tool, &r.Path, &r.State, &r.Undoes,
		&r.BeforeSHA256, &r.AfterSHA256, &r.BytesBefore, &r.BytesAfter, &at, &r.Kind, &r.Added, &r.Removed,
		&r.ModeBefore, &r.ModeAfter, &r.MadeParents, &r.Expired)
	r.At = time.Unix(0, at).UTC()
	return r, err
}

// query reads the records that where selects, in its order.
func query(ctx context.Context, db *sql.DB, where string, args ...any) ([]stored, error) {
	rows, err := db.QueryContext(ctx, `SELECT `+recordColumns+` WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []stored
	for rows.Next() {
		r, err := scanRecord(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, r)
	}
	return found, rows.Err()
}

// list returns a page of what q selects.
func list(ctx context.Context, db *sql.DB, q backend.RecordQuery) (backend.RecordPage, error) {
	limit := q.Limit
	if limit == 0 {
		limit = backend.DefaultRecords
	}
	limit = max(1, min(limit, backend.MaxRecords))
	where, args := condition(q)
	found, err := query(ctx, db, where+` ORDER BY c.seq DESC LIMIT ?`, append(args, limit+1)...)
	if err != nil {
		return backend.RecordPage{}, err
	}
	var page backend.RecordPage
	if len(found) > limit {
		found = found[:limit]
		page.Next = found[limit-1].seq
	}
	for _, r := range found {
		page.Records = append(page.Records, r.Record)
	}
	return page, nil
}

// condition turns a query into SQL. A path selects what is below it too; "0"
// is the character after "/".
func condition(q backend.RecordQuery) (string, []any) {
	where, args := isListed, []any{}
	add := func(sql string, values ...any) {
		where += " AND " + sql
		args = append(args, values...)
	}
	if q.Session != "" {
		add(`c.session = (SELECT id FROM session WHERE name = ?)`, q.Session)
	}
	if q.Turn != "" {
		add(`c.turn = ?`, q.Turn)
	}
	if path := strings.TrimSuffix(q.Path, "/"); path != "" && path != "." {
		add(`(c.path = ? OR c.path >= ? AND c.path < ?)`, path, path+"/", path+"0")
	}
	if q.Before != 0 {
		add(`c.seq < ?`, q.Before)
	}
	return where, args
}

// find returns the one record whose id begins with id.
func find(ctx context.Context, db *sql.DB, id string) (stored, error) {
	if len(id) < minIDLetters {
		return stored{}, noRecord(id)
	}
	found, err := query(ctx, db, isListed+` AND c.id >= ? AND c.id < ? LIMIT 2`, id, id+"\x7f")
	if err != nil {
		return stored{}, err
	}
	switch len(found) {
	case 0:
		return stored{}, noRecord(id)
	case 1:
		return found[0], nil
	}
	return stored{}, &backend.Error{
		Code: safepath.NotFound,
		Fact: fmt.Sprintf("more than one change begins with %s: %s and %s", id, found[0].ID, found[1].ID),
		Hint: "give more letters",
	}
}

func noRecord(id string) error {
	if len(id) < minIDLetters {
		return &backend.Error{
			Code: safepath.NotFound,
			Fact: fmt.Sprintf("%q is too short to be an id", id),
			Hint: fmt.Sprintf("give %d letters or more; septet/changes/list lists them", minIDLetters),
		}
	}
	return &backend.Error{
		Code: safepath.NotFound,
		Fact: fmt.Sprintf("there is no change %q", id),
		Hint: "septet/changes/list lists them",
	}
}

// hunksOf reads a change's diff; nil when it has expired.
func hunksOf(ctx context.Context, db *sql.DB, seq int64) ([]backend.Hunk, error) {
	var text string
	err := db.QueryRowContext(ctx, `SELECT hunks FROM diff WHERE change = ?`, seq).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var hunks []backend.Hunk
	return hunks, json.Unmarshal([]byte(text), &hunks)
}

// contentOf reads an old content; nil and false when it has expired.
func contentOf(ctx context.Context, db *sql.DB, digest string) ([]byte, bool, error) {
	var content []byte
	err := db.QueryRowContext(ctx, `SELECT content FROM blob WHERE sha256 = ?`, digest).Scan(&content)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	return content, err == nil, err
}
