package journal

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"septet/backend"
)

// intent is a change that is about to happen.
type intent struct {
	id     string
	from   backend.Provenance
	undoes string // id of the change that this one takes back, or ""
	path   string
	before []byte      // meaningful when there was a file
	mode   fs.FileMode // before; permission bits
	sums   digests
	size   int64 // bytes after
}

// digests are lower-case hex SHA-256; "" stands for no file.
type digests struct{ before, after string }

func (in intent) kind() backend.ChangeKind {
	switch {
	case in.sums.before == "":
		return backend.Created
	case in.sums.after == "":
		return backend.Deleted
	}
	return backend.Modified
}

// newID returns a name that people can type: lower-case, base 32.
func newID() string { return strings.ToLower(rand.Text()[:idLetters]) }

// digestOf is the digest of a file that exists.
func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// intend makes the old content and the intent durable.
func (s *Store) intend(ctx context.Context, in intent) error {
	name, err := s.ownName(ctx)
	if err != nil {
		return err
	}
	s.setLive(in.id, true)
	err = s.write(ctx, "record a change", func(tx transaction) error {
		now := time.Now().UTC()
		if err := keepContent(tx, in, now); err != nil {
			return err
		}
		if err := insertChange(tx, in, name, now); err != nil {
			return err
		}
		return pruneSometimes(tx, now)
	})
	if err != nil {
		s.setLive(in.id, false)
	}
	return err
}

func insertChange(tx transaction, in intent, owner string, now time.Time) error {
	if _, err := tx.Exec(`INSERT OR IGNORE INTO session (name) VALUES (?)`, in.from.Session); err != nil {
		return err
	}
	_, err := tx.Exec(`
		INSERT INTO change (id, session, turn, call, tool, path, state, owner, undoes,
			before, after, bytes_before, bytes_after, at, kind, mode_before)
		VALUES (?, (SELECT id FROM session WHERE name = ?), ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		in.id, in.from.Session, in.from.Turn, in.from.CallID, in.from.Tool, in.path, owner, in.undoes,
		in.sums.before, in.sums.after, len(in.before), in.size, now.UnixNano(), in.kind(), in.mode)
	return err
}

// keepContent stores the old content, once however many changes saw it. It is
// younger than all others even when the clock was set back: else the next look
// at the bounds would drop it before them.
func keepContent(tx transaction, in intent, now time.Time) error {
	if in.sums.before == "" {
		return nil
	}
	content := in.before
	if content == nil {
		content = []byte{} // an empty file; nil would be NULL
	}
	_, err := tx.Exec(`
		INSERT INTO blob (sha256, bytes, used, content)
		VALUES (?, ?, max(?, (SELECT ifnull(max(used), 0) + 1 FROM blob)), ?)
		ON CONFLICT (sha256) DO UPDATE SET used = excluded.used`,
		in.sums.before, len(content), now.UnixNano(), content)
	return err
}

// applied records that the intent became a change, with its diff, and turns
// what it took back. What only this process knows is never dropped: when the
// intent is not there, because the database was damaged or taken away
// meanwhile, or when another process took this one for dead, it is recorded
// once more.
func (s *Store) applied(ctx context.Context, in intent, c backend.Change) error {
	defer s.setLive(in.id, false)
	return s.write(ctx, "record what happened", func(tx transaction) error {
		found, err := recordOutcome(tx, in.id, in.undoes, c)
		if found || err != nil {
			return err
		}
		if err := reopenIntent(tx, in); err != nil {
			return err
		}
		_, err = recordOutcome(tx, in.id, in.undoes, c)
		return err
	})
}

// reopenIntent makes the intent pending, unless it is settled as what it is.
func reopenIntent(tx transaction, in intent) error {
	done, err := tx.Exec(`UPDATE change SET state = 'pending' WHERE id = ? AND state IN ('failed', 'unknown')`, in.id)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); n > 0 || err != nil {
		return err
	}
	var known int
	if err := tx.QueryRow(`SELECT count(*) FROM change WHERE id = ?`, in.id).Scan(&known); known > 0 || err != nil {
		return err
	}
	now := time.Now().UTC()
	if err := keepContent(tx, in, now); err != nil {
		return err
	}
	return insertChange(tx, in, "", now)
}

// settled records an outcome that was found out later.
func (s *Store) settled(ctx context.Context, id, undoes string, c backend.Change) error {
	return s.write(ctx, "settle a change", func(tx transaction) error {
		_, err := recordOutcome(tx, id, undoes, c)
		return err
	})
}

// recordOutcome does nothing and returns false when there is no such intent
// pending.
func recordOutcome(tx transaction, id, undoes string, c backend.Change) (bool, error) {
	var seq int64
	err := tx.QueryRow(`
		UPDATE change SET state = 'applied', added = ?, removed = ?, bytes_after = ?,
			mode_before = ?, mode_after = ?, made_parents = ?, at = ?
		WHERE id = ? AND state = 'pending' RETURNING seq`,
		c.Added, c.Removed, c.BytesAfter, c.ModeBefore, c.ModeAfter, c.MadeParents, c.At.UnixNano(), id).Scan(&seq)
	if err == sql.ErrNoRows {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	hunks, err := json.Marshal(c.Hunks)
	if err != nil {
		return false, err
	}
	if _, err := tx.Exec(`
		INSERT INTO diff VALUES (?, ?, max(?, (SELECT ifnull(max(used), 0) + 1 FROM diff)), ?)`, seq, len(hunks), time.Now().UnixNano(), string(hunks)); err != nil {
		return false, err
	}
	return true, turn(tx, undoes)
}

// turn marks the change undone that was just taken back. When that was itself
// an undo, what it had taken back is in force again, and so on down the chain.
func turn(tx transaction, id string) error {
	state := backend.Undone
	for id != "" {
		err := tx.QueryRow(`UPDATE change SET state = ? WHERE id = ? RETURNING undoes`, state, id).Scan(&id)
		if err == sql.ErrNoRows {
			return nil
		}
		if err != nil {
			return err
		}
		if state == backend.Undone {
			state = backend.Applied
		} else {
			state = backend.Undone
		}
	}
	return nil
}

// failed records that nothing came of the intent.
func (s *Store) failed(ctx context.Context, id string) error {
	defer s.setLive(id, false)
	return s.write(ctx, "record what happened", func(tx transaction) error {
		_, err := tx.Exec(`UPDATE change SET state = 'failed' WHERE id = ? AND state = 'pending'`, id)
		return err
	})
}

// ownName is the name under which this process records its intents.
func (s *Store) ownName(ctx context.Context) (string, error) {
	if _, err := s.open(context.WithoutCancel(ctx)); err != nil {
		return "", err
	}
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.owner != nil {
		return s.owner.name, nil
	}
	unlock, err := lockFile(filepath.Join(s.directory, "lock"))
	if err != nil {
		return "", s.failure("open", err)
	}
	defer unlock()
	s.owner, err = takeOwner(s.ownersDirectory())
	if err != nil {
		return "", s.failure("open", err)
	}
	return s.owner.name, nil
}

func (s *Store) setLive(id string, live bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if live {
		s.live[id] = true
	} else {
		delete(s.live, id)
	}
}

func (s *Store) isLive(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[id]
}

func (s *Store) isOwner(name string) bool {
	s.opening.Lock()
	defer s.opening.Unlock()
	return s.owner != nil && s.owner.name == name
}
