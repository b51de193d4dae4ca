package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"septet/backend"
	"septet/safepath"
)

// Aside is a damaged database that was set aside. Nothing is ever removed: a
// person may still get something out of it.
type Aside struct {
	Path string    // of the database; its log is beside it when it had one
	At   time.Time // when it was set aside; UTC, whole seconds
	Size int64     // bytes
}

const (
	asideMark = ".damaged-"
	asideTime = "20060102T150405Z" // no colon, for Windows
)

// fileSuffixes are what SQLite adds to the name of a database: nothing, its
// log, the log's index.
var fileSuffixes = [...]string{"", "-wal", "-shm"}

// SetAside lists the databases that were set aside here, newest first. It
// opens none.
func (s *Store) SetAside() ([]Aside, error) {
	entries, err := os.ReadDir(s.directory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var asides []Aside
	for _, e := range entries {
		stamp, ok := strings.CutPrefix(e.Name(), filepath.Base(s.Path())+asideMark)
		stamp, _, _ = strings.Cut(stamp, ".") // a number
		at, parseErr := time.Parse(asideTime, stamp)
		info, infoErr := e.Info()
		if !ok || parseErr != nil || infoErr != nil || isBeside(e.Name()) {
			continue
		}
		asides = append(asides, Aside{Path: filepath.Join(s.directory, e.Name()), At: at, Size: info.Size()})
	}
	slices.SortFunc(asides, func(a, b Aside) int { return b.At.Compare(a.At) })
	return asides, err
}

// isBeside reports whether name is not a database's but of what SQLite keeps
// beside one.
func isBeside(name string) bool {
	return slices.ContainsFunc(fileSuffixes[1:], func(suffix string) bool { return strings.HasSuffix(name, suffix) })
}

// replace sets a damaged database aside and opens a new one. Another process
// may have done the former already. The caller holds opening.
func (s *Store) replace(ctx context.Context, damage error) (*database, error) {
	was := s.database
	if was != nil {
		was.close() // it is damaged, and may say so again
		s.database = nil
	}
	err := s.locked(func() error {
		if was == nil {
			// Found on opening. It may not be there any more.
			d, err := openDatabase(ctx, s.Path(), s.workspace)
			if !isDamage(err) {
				s.database = d
				return err
			}
		} else if !was.inPlace() {
			return nil
		}
		aside, err := moveAside(s.Path())
		if err != nil {
			return errors.Join(damage, err)
		}
		s.notice(fmt.Sprintf("the journal was damaged; it is kept as %s, and what it held cannot be shown or undone any more", aside),
			"nothing has to be done: a new one is begun; sqlite3 may still read the old one")
		return nil
	})
	if err != nil || s.database != nil {
		return s.database, err
	}
	return s.opened(ctx)
}

// moveAside gives the database at path, and what belongs to it, names that
// stay, and returns the database's. The caller holds the directory's lock.
func moveAside(path string) (string, error) {
	aside := freeName(path + asideMark + time.Now().UTC().Format(asideTime))
	moved := false
	for _, suffix := range fileSuffixes {
		err := os.Rename(path+suffix, aside+suffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		moved = moved || err == nil
	}
	if !moved {
		return "", nil
	}
	return aside, syncDirectory(filepath.Dir(path))
}

// freeName is name, with a number when it is taken: a rename would replace.
func freeName(name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(fileSuffixes[:], func(suffix string) bool {
			_, err := os.Lstat(name + suffix)
			return err == nil
		})
	}
	free := name
	for i := 2; taken(free); i++ {
		free = fmt.Sprintf("%s.%d", name, i)
	}
	return free
}

// lost adds to an error that says there is no such change that it may be in a
// database that was set aside.
func (s *Store) lost(err error) error {
	var told *backend.Error
	if !errors.As(err, &told) || told.Code != safepath.NotFound {
		return err
	}
	asides, listErr := s.SetAside()
	if listErr != nil || len(asides) == 0 {
		return err
	}
	newest := asides[0]
	return &backend.Error{
		Code: told.Code, Hint: told.Hint, Err: told.Err,
		Fact: fmt.Sprintf("%s; the journal was damaged and begun anew at %s, and what it held before cannot be undone (kept as %s)",
			told.Fact, newest.At.Format(time.RFC3339), newest.Path),
	}
}
