package journal

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"septet/backend"
)

// Config is what a Store is made from.
type Config struct {
	State     string // absolute; the state directory, made when it is first needed; without one every change fails
	Workspace string // required; the canonical name of the workspace
}

// Store is the journal of one workspace. It touches the disk at the first
// change or question, not before: hosts start the program only to look at it.
// It is safe for concurrent use, and several processes may share a directory.
type Store struct {
	directory string
	workspace string

	opening sync.Mutex // held while the database or the owner is opened
	db      *sql.DB    // nil until it is needed
	writer  *sql.Conn  // of db, the one that writes; used under writing
	owner   *owner     // nil until the first change

	// writing lets one transaction of this process write at a time. SQLite
	// would make the others poll, and a poll can sleep 100 ms.
	writing sync.Mutex
	parsed  map[string]*sql.Stmt // by text; guarded by writing
	changes int                  // since the last look at the bounds; guarded by writing

	mu   sync.Mutex
	live map[string]bool // intents of this process whose outcome is still to come
}

// New describes the store of a workspace and opens nothing.
func New(c Config) *Store {
	return &Store{
		directory: filepath.Join(c.State, "journal", directoryName(c.Workspace)),
		workspace: c.Workspace,
		parsed:    map[string]*sql.Stmt{},
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
	s.writing.Lock()
	defer s.writing.Unlock()
	var err error
	for text, statement := range s.parsed { // one left open would keep the log from being merged
		err = errors.Join(err, statement.Close())
		delete(s.parsed, text)
	}
	if s.db != nil {
		err = errors.Join(err, s.writer.Close(), s.db.Close())
	}
	if s.owner != nil {
		err = errors.Join(err, s.owner.release())
	}
	s.db, s.writer, s.owner = nil, nil, nil
	return err
}

// existing returns the database, or nil when nothing was ever recorded here.
func (s *Store) existing(ctx context.Context) (*sql.DB, error) {
	if _, err := os.Stat(s.Path()); errors.Is(err, fs.ErrNotExist) || !filepath.IsAbs(s.directory) {
		return nil, nil
	}
	return s.open(ctx)
}

// open returns the database and makes it when it is missing. A failure is not
// remembered: the next change tries again.
func (s *Store) open(ctx context.Context) (*sql.DB, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.db != nil {
		return s.db, nil
	}
	if !filepath.IsAbs(s.directory) {
		return nil, &backend.Error{
			Code: backend.JournalFailed,
			Fact: "the journal has no directory: neither a home nor a state directory is known",
			Hint: "ask the user to start septet with --state DIR, or with --no-journal for no undo",
		}
	}
	db, err := s.connect(ctx)
	if err != nil {
		return nil, s.failure("open", err)
	}
	writer, err := db.Conn(ctx)
	if err != nil {
		return nil, s.failure("open", errors.Join(err, db.Close()))
	}
	s.db, s.writer = db, writer
	return db, nil
}

func (s *Store) connect(ctx context.Context) (*sql.DB, error) {
	if err := makePrivate(s.ownersDirectory(), filepath.Dir(filepath.Dir(s.directory))); err != nil {
		return nil, err
	}
	// Two processes that make the same database at once would see it half made.
	unlock, err := lockFile(filepath.Join(s.directory, "lock"))
	if err != nil {
		return nil, err
	}
	defer unlock()
	db, err := sql.Open("sqlite", dataSource(s.Path()))
	if err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// prepare brings the database to this program's schema.
func (s *Store) prepare(ctx context.Context, db *sql.DB) error {
	db.SetMaxOpenConns(4) // readers beside one writer
	if err := migrate(ctx, db, schema); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, `INSERT OR IGNORE INTO meta VALUES ('workspace', ?)`, s.workspace); err != nil {
		return err
	}
	return sweepOwners(s.ownersDirectory())
}

// dataSource names the database for the driver. auto_vacuum works only when it
// comes before the first page is written, so it is first.
func dataSource(path string) string {
	pragmas := url.Values{"_pragma": {
		"busy_timeout(" + strconv.FormatInt(busyTimeout.Milliseconds(), 10) + ")",
		"auto_vacuum(incremental)",
		"journal_mode(WAL)",
		"synchronous(FULL)",
		"foreign_keys(ON)",
		"journal_size_limit(8388608)", // give the log's room back after a burst
	}, "_txlock": {"immediate"}}
	path = "/" + strings.TrimPrefix(filepath.ToSlash(path), "/") // C:/x is /C:/x in a URL
	u := url.URL{Scheme: "file", Path: path, RawQuery: pragmas.Encode()}
	return u.String()
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
