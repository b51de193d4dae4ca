package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"septet/backend"
)

// Config is what a Store is made from.
type Config struct {
	State     string // absolute; the state directory, made when it is first needed; without one every change fails
	Workspace string // required; the canonical name of the workspace
	// Notice is optional. It is told, once each, what a person should know
	// though the store works on: a fact and what to do. Any goroutine calls it.
	Notice func(fact, hint string)
}

// Store is the journal of one workspace. It touches the disk at the first
// change or question, not before: hosts start the program only to look at it.
// It is safe for concurrent use, and several processes may share a directory.
type Store struct {
	directory string
	workspace string
	notice    func(fact, hint string)

	opening  sync.Mutex // held while the database or the owner is opened; before a database's own lock
	database *database  // nil until it is needed
	owner    *owner     // nil until the first change

	mu   sync.Mutex
	live map[string]bool // intents of this process whose outcome is still to come
}

// New describes the store of a workspace and opens nothing.
func New(c Config) *Store {
	notice := c.Notice
	if notice == nil {
		notice = func(string, string) {}
	}
	return &Store{
		directory: filepath.Join(c.State, "journal", directoryName(c.Workspace)),
		workspace: c.Workspace,
		notice:    notice,
		live:      map[string]bool{},
	}
}

// directoryName keeps workspaces apart by digest and tells people which is
// which by the last name.
func directoryName(workspace string) string {
	digest := sha256.Sum256([]byte(workspace))
	name := strings.Map(func(r rune) rune {
		if r == '.' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '-'
	}, filepath.Base(workspace))
	return name[:min(len(name), 40)] + "-" + hex.EncodeToString(digest[:8])
}

// Path is the database, for people and their sqlite3 tool.
func (s *Store) Path() string { return filepath.Join(s.directory, "changes.db") }

func (s *Store) ownersDirectory() string { return filepath.Join(s.directory, "owners") }

// Close ends the use of the database. The store must not be used afterwards.
func (s *Store) Close() error {
	s.opening.Lock()
	defer s.opening.Unlock()
	var err error
	if s.database != nil {
		err = s.database.close()
	}
	if s.owner != nil {
		err = errors.Join(err, s.owner.release())
	}
	s.database, s.owner = nil, nil
	return err
}

// open returns the database for changes and makes it when it is missing. A
// damaged one is set aside. A failure is not remembered: the next change tries
// again.
func (s *Store) open(ctx context.Context) (*database, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	d, err := s.opened(ctx)
	if isDamage(err) {
		d, err = s.replace(ctx, err)
	}
	return d, s.failure("open", err)
}

// opened returns the database that is in its place. It sets nothing aside. The
// caller holds opening.
func (s *Store) opened(ctx context.Context) (*database, error) {
	if s.database != nil && s.database.inPlace() {
		return s.database, nil
	}
	if !filepath.IsAbs(s.directory) {
		return nil, &backend.Error{
			Code: backend.JournalFailed,
			Fact: "the journal has no directory: neither a home nor a state directory is known",
			Hint: "ask the user to start septet with --state DIR, or with --no-journal for no undo",
		}
	}
	s.leaveLost()
	err := s.locked(func() (err error) {
		s.database, err = openDatabase(ctx, s.Path(), s.workspace)
		if err == nil {
			err = sweepOwners(s.ownersDirectory())
		}
		return err
	})
	return s.database, err
}

// leaveLost lets go of a database that somebody has removed or put another in
// the place of: what would be recorded in it could never be found again. The
// caller holds opening.
func (s *Store) leaveLost() {
	if s.database == nil {
		return
	}
	s.database.close() // what fails here has no consequence: the file is gone
	s.database = nil
	if s.owner != nil && !s.owner.inPlace() {
		s.owner.release()
		s.owner = nil
	}
	s.notice("the journal "+s.Path()+" was removed or replaced while it was in use: what it held cannot be shown or undone any more",
		"nothing has to be done; changes are recorded in a new one")
}

// locked runs do in the store's directory, which is made when it is missing,
// while no other process opens, makes or sets aside a database there.
func (s *Store) locked(do func() error) error {
	if err := makePrivate(s.ownersDirectory(), filepath.Dir(filepath.Dir(s.directory))); err != nil {
		return err
	}
	unlock, err := lockFile(filepath.Join(s.directory, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	return do()
}

// makePrivate makes directory and what is missing above it, none of it for
// other users: old contents may hold secrets, and what is in the directory is
// out of their reach with it. The names are made durable, up to those in top.
func makePrivate(directory, top string) error {
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return err
	}
	for d := directory; len(d) > len(top); d = filepath.Dir(d) {
		if err := syncDirectory(filepath.Dir(d)); err != nil {
			return err
		}
	}
	return nil
}
