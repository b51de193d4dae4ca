package hostconfig

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// BackupSuffix is added to the name of a file for the copy that is kept of it.
const BackupSuffix = ".septet-backup"

// MaxFileBytes is more than any list of servers needs; a file that is larger
// is another file.
const MaxFileBytes = 16 << 20

// Written is what Write did.
type Written struct {
	File    string `json:"file"`
	Changed bool   `json:"changed"`          // false when the entry was up to date
	Backup  string `json:"backup,omitempty"` // the copy of the old file; "" when there was none
}

// Write puts the entry into the file, which it makes when there is none. What
// was there is kept beside it. within, when set, is the directory that the
// file must stay in. The file is replaced at once: a host that reads it
// meanwhile sees the old one or the new one. The error is an *Error.
func (h Host) Write(file, within string, l Launch) (Written, error) {
	w, err := h.write(file, within, l)
	var told *Error
	if err != nil && !errors.As(err, &told) {
		err = refuse("--file FILE names another", "%s cannot be changed: %v", file, err)
	}
	return w, err
}

func (h Host) write(file, within string, l Launch) (Written, error) {
	target, err := resolve(file)
	if err != nil {
		return Written{}, err
	}
	// A repository could make its .vscode a link into the user's home, and so
	// have another file changed than the one that was named.
	if within != "" && !inside(target, within) {
		return Written{}, refuse("--file "+target+" changes it on purpose", "%s leads out of the project, to %s", file, target)
	}
	old, mode, err := readOrNothing(target)
	if err != nil {
		return Written{}, err
	}
	text, err := h.Merge(old, l)
	if err != nil {
		return Written{}, named(file, err)
	}
	w := Written{File: file}
	if old != nil && bytes.Equal(old, text) {
		return w, nil
	}
	w.Changed = true
	if old != nil {
		w.Backup = file + BackupSuffix
		if err := replace(w.Backup, old, mode); err != nil {
			return Written{}, err
		}
	}
	return w, replace(target, text, mode)
}

// named says in which file an error is.
func named(file string, err error) error {
	var told *Error
	if !errors.As(err, &told) {
		return err
	}
	return &Error{Fact: file + ": " + strings.TrimPrefix(told.Fact, "the file is "), Hint: told.Hint}
}

// Read returns the text of a file; nil when there is none.
func Read(file string) ([]byte, error) {
	text, _, err := readOrNothing(file)
	return text, err
}

func readOrNothing(file string) ([]byte, fs.FileMode, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0o644, nil
	case err != nil:
		return nil, 0, err
	case !info.Mode().IsRegular():
		return nil, 0, refuse("--file FILE names another", "%s is not a regular file", file)
	case info.Size() > MaxFileBytes:
		return nil, 0, refuse("--file FILE names another", "%s has %d bytes; a list of servers is smaller", file, info.Size())
	}
	text, err := os.ReadFile(file)
	if text == nil && err == nil {
		text = []byte{}
	}
	return text, info.Mode().Perm(), err
}

// resolve follows the links of a file that may not be there yet: people keep
// their settings in a repository and link to them, and the link has to stay.
func resolve(file string) (string, error) {
	target, err := filepath.EvalSymlinks(file)
	if err == nil {
		return target, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if _, err := os.Lstat(file); err == nil {
		return "", refuse("remove the link", "%s is a link to a file that is not there", file)
	}
	parent := filepath.Dir(file)
	if parent == file {
		return file, nil
	}
	parent, err = resolve(parent)
	return filepath.Join(parent, filepath.Base(file)), err
}

// inside reports whether a resolved path is in the directory.
func inside(path, dir string) bool {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// replace writes a file beside the old one and puts it in its place.
func replace(file string, text []byte, mode fs.FileMode) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is the one to tell
	}
	return err
}
