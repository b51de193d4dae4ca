package safepath

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/windows"
)

// windowsDir is an os.Root. It follows links that stay inside, so everything
// that is opened is compared with what the name is when no link is followed.
type windowsDir struct{ root *os.Root }

func (d *windowsDir) Close() error { return d.root.Close() }

func (d *windowsDir) Stat() (Stat, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return Stat{}, err
	}
	defer f.Close()
	return statFile(f)
}

func (d *windowsDir) Lookup(name string) (Stat, error) {
	info, err := d.lstat("stat", name)
	if err != nil {
		return Stat{}, err
	}
	if kind := kindOf(info.Mode()); kind != KindFile && kind != KindDirectory {
		return Stat{Kind: kind}, nil
	}
	f, err := d.root.Open(name)
	if err != nil {
		return Stat{}, err
	}
	defer f.Close()
	if err := same(info, f); err != nil {
		return Stat{}, err
	}
	return statFile(f)
}

func (d *windowsDir) lstat(op, name string) (fs.FileInfo, error) {
	if err := checkName(op, name); err != nil {
		return nil, err
	}
	return d.root.Lstat(name)
}

func (d *windowsDir) Readlink(name string) (string, error) {
	if err := checkName("readlink", name); err != nil {
		return "", err
	}
	return d.root.Readlink(name)
}

func (d *windowsDir) OpenDir(name string) (Dir, error) {
	info, err := d.lstat("open", name)
	if err != nil {
		return nil, err
	}
	if kindOf(info.Mode()) != KindDirectory {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotDirectory}
	}
	root, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	now, err := root.Stat(".")
	if err == nil && !os.SameFile(info, now) {
		err = &fs.PathError{Op: "open", Path: name, Err: errNotDirectory}
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return &windowsDir{root: root}, nil
}

func (d *windowsDir) OpenFile(name string) (Handle, error) { return d.open(name, os.O_RDONLY) }

func (d *windowsDir) OpenWrite(name string) (Handle, error) { return d.open(name, os.O_RDWR) }

func (d *windowsDir) open(name string, mode int) (Handle, error) {
	info, err := d.lstat("open", name)
	if err != nil {
		return nil, err
	}
	if kind := kindOf(info.Mode()); kind != KindFile {
		return nil, notRegular(name, kind)
	}
	f, err := d.root.OpenFile(name, mode, 0)
	if err != nil {
		return nil, err
	}
	if err := same(info, f); err != nil {
		f.Close()
		return nil, err
	}
	return &windowsFile{File: f}, nil
}

// same refuses a file that was reached through a link: it is another one than
// the name itself stands for.
func same(info fs.FileInfo, f *os.File) error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(info, now) {
		return notRegular(info.Name(), KindSymlink)
	}
	return nil
}

func (d *windowsDir) ReadNames() ([]Entry, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	found, err := f.ReadDir(-1)
	entries := make([]Entry, len(found))
	for i, e := range found {
		entries[i] = Entry{Name: e.Name(), Kind: kindOf(e.Type())}
	}
	return entries, err
}

func (d *windowsDir) Create(name string, perm fs.FileMode) (Handle, error) {
	if err := checkName("create", name); err != nil {
		return nil, err
	}
	f, err := d.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm.Perm())
	if err != nil {
		return nil, err
	}
	return &windowsFile{File: f}, nil
}

func (d *windowsDir) Mkdir(name string, perm fs.FileMode) error {
	if err := checkName("mkdir", name); err != nil {
		return err
	}
	return d.root.Mkdir(name, perm.Perm())
}

// Rename has no exchange. A hard link stands in for a rename that never
// replaces: it is refused when the name is taken.
func (d *windowsDir) Rename(from, to string, how RenameMode) error {
	for _, name := range []string{from, to} {
		if err := checkName("rename", name); err != nil {
			return err
		}
	}
	switch how {
	case Overwrite:
		return d.root.Rename(from, to)
	case Exchange:
		return &fs.PathError{Op: "rename", Path: to, Err: errors.ErrUnsupported}
	}
	if err := d.root.Link(from, to); err != nil {
		if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return &fs.PathError{Op: "rename", Path: to, Err: errors.ErrUnsupported}
	}
	return d.root.Remove(from)
}

func (d *windowsDir) Unlink(name string) error { return d.remove(name, false) }

func (d *windowsDir) Rmdir(name string) error { return d.remove(name, true) }

func (d *windowsDir) remove(name string, dir bool) error {
	info, err := d.lstat("remove", name)
	if err != nil {
		return err
	}
	if (kindOf(info.Mode()) == KindDirectory) != dir {
		return &fs.PathError{Op: "remove", Path: name, Err: errNotDirectory}
	}
	return d.root.Remove(name)
}

func statFile(f *os.File) (Stat, error) {
	info, err := f.Stat()
	if err != nil {
		return Stat{}, err
	}
	return statHandle(windows.Handle(f.Fd()), info)
}

// checkName keeps every operation inside the directory and on the plain name.
func checkName(op, name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\:\x00") || isWindowsDevice(name) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}
