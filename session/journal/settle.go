package journal

import (
	"context"
	"database/sql"
	"slices"

	"septet/backend"
)

// settle gives an outcome to the intents of processes that died and to those
// whose outcome could not be stored. What cannot be looked at now stays
// pending.
func (h *History) settle(ctx context.Context, db *sql.DB) error {
	open, err := h.abandoned(ctx, db)
	if err != nil {
		return err
	}
	for _, r := range open {
		if err := h.settleOne(ctx, db, r); err != nil {
			return err
		}
	}
	return nil
}

// abandoned lists the intents that nobody works on any more, newest first:
// what a later one saw is the best witness of an earlier one.
func (h *History) abandoned(ctx context.Context, db *sql.DB) ([]stored, error) {
	rows, err := db.QueryContext(ctx, `SELECT DISTINCT owner FROM change WHERE state = 'pending'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var owners []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		owners = append(owners, name)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	var open []stored
	for _, name := range owners {
		of, err := h.abandonedBy(ctx, db, name)
		if err != nil {
			return nil, err
		}
		open = append(open, of...)
	}
	slices.SortFunc(open, func(a, b stored) int { return int(b.seq - a.seq) })
	return open, nil
}

// abandonedBy lists the abandoned intents of one owner.
func (h *History) abandonedBy(ctx context.Context, db *sql.DB, owner string) ([]stored, error) {
	mine := h.store.isOwner(owner)
	if !mine {
		alive, err := ownerAlive(h.store.ownersDirectory(), owner)
		if err != nil || alive {
			return nil, err
		}
	}
	found, err := query(ctx, db, `c.state = 'pending' AND c.owner = ?`, owner)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(r stored) bool { return mine && h.store.isLive(r.ID) }), nil
}

// settleOne asks the witness which of the two contents was there after r.
func (h *History) settleOne(ctx context.Context, db *sql.DB, r stored) error {
	now, known, err := h.witness(ctx, db, r)
	if err != nil || !known {
		return err
	}
	switch {
	case now.other == "" && now.digest == r.AfterSHA256:
		return h.settleApplied(ctx, db, r, now)
	case now.other == "" && now.digest == r.BeforeSHA256:
		return h.store.failed(ctx, r.ID)
	}
	return h.store.write(ctx, "settle a change", func(tx transaction) error {
		_, err := tx.Exec(`UPDATE change SET state = 'unknown' WHERE id = ? AND state = 'pending'`, r.ID)
		return err
	})
}

// witness finds out what followed r: the old content of the next change of the
// same file, which was compared at its commit, or else what is there now.
// known is false when that cannot be seen.
func (h *History) witness(ctx context.Context, db *sql.DB, r stored) (now observed, known bool, err error) {
	next, err := query(ctx, db, `c.path = ? AND c.seq > ? AND c.state IN ('applied', 'undone') ORDER BY c.seq LIMIT 1`,
		r.Path, r.seq)
	if err != nil {
		return observed{}, false, err
	}
	if len(next) == 0 {
		now, err = h.observe(ctx, r.Path)
		return now, err == nil, nil
	}
	content, _, err := contentOf(ctx, db, next[0].BeforeSHA256)
	return observed{digest: next[0].BeforeSHA256, content: content, mode: next[0].ModeBefore}, err == nil, err
}

// settleApplied completes a record as its process would have, but for the
// number of directories that it made: nobody can tell that any more.
func (h *History) settleApplied(ctx context.Context, db *sql.DB, r stored, now observed) error {
	before, kept, err := contentOf(ctx, db, r.BeforeSHA256)
	if err != nil {
		return err
	}
	c := r.Change
	if kept || r.BeforeSHA256 == "" {
		c.Hunks, c.Added, c.Removed = backend.DiffLines(string(before), string(now.content))
	}
	if r.AfterSHA256 != "" {
		c.ModeAfter = now.mode
	}
	return h.store.settled(ctx, r.ID, r.Undoes, c)
}
