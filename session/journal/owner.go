package journal

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// owner is a process that has intents in the store. While it lives it holds a
// lock on a file with its name, which no crash can leave behind: without it a
// second process would settle an intent that is still under way.
type owner struct {
	name   string
	path   string
	unlock func() error
}

// inPlace reports whether others still find the lock.
func (o *owner) inPlace() bool {
	_, err := os.Lstat(o.path)
	return !errors.Is(err, fs.ErrNotExist)
}

// takeOwner makes an owner of its own for this process. The caller holds the
// directory's lock, or a sweep could take the file in the moment before it is
// locked.
func takeOwner(directory string) (*owner, error) {
	name := strings.ToLower(rand.Text())
	path := filepath.Join(directory, name)
	unlock, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	return &owner{name: name, path: path, unlock: unlock}, nil
}

func (o *owner) release() error {
	err := os.Remove(o.path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // somebody removed the whole store
	}
	return errors.Join(err, o.unlock())
}

// ownerAlive reports whether the process that took this name still runs.
func ownerAlive(directory, name string) (bool, error) {
	held, err := lockHeld(filepath.Join(directory, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return held, err
}

// sweepOwners removes the files of dead processes. The caller holds the
// directory's lock.
func sweepOwners(directory string) error {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if alive, err := ownerAlive(directory, e.Name()); err != nil || alive {
			continue
		}
		if err := os.Remove(filepath.Join(directory, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
