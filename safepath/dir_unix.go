//go:build linux || darwin

package safepath

import (
	"io/fs"
	"os"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// unixDir is a directory file descriptor. Every operation is relative to it
// and refuses to follow a link in the name.
type unixDir struct {
	fd     int
	closed atomic.Bool
}

func (d *unixDir) Close() error {
	if d.closed.Swap(true) {
		return nil
	}
	return unix.Close(d.fd)
}

func (d *unixDir) Stat() (Stat, error) { return fstat(d.fd) }

func (d *unixDir) Lookup(name string) (Stat, error) {
	if err := checkName("stat", name); err != nil {
		return Stat{}, err
	}
	var st unix.Stat_t
	err := retry(func() error { return unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return Stat{}, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return statOf(&st), nil
}

func (d *unixDir) Readlink(name string) (string, error) {
	if err := checkName("readlink", name); err != nil {
		return "", err
	}
	return readlinkat(d.fd, name)
}

func (d *unixDir) OpenDir(name string) (Dir, error) {
	if err := checkName("open", name); err != nil {
		return nil, err
	}
	fd, err := openat(d.fd, name, dirFlags|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	return &unixDir{fd: fd}, nil
}

// OpenFile looks before it opens: opening a tape or a watchdog has effects.
// What is opened is looked at again, for the name may have been swapped.
func (d *unixDir) OpenFile(name string) (Handle, error) { return d.open(name, unix.O_RDONLY) }

func (d *unixDir) OpenWrite(name string) (Handle, error) { return d.open(name, unix.O_RDWR) }

func (d *unixDir) open(name string, mode int) (Handle, error) {
	st, err := d.Lookup(name)
	if err != nil {
		return nil, err
	}
	if st.Kind != KindFile {
		return nil, notRegular(name, st.Kind)
	}
	fd, err := openat(d.fd, name, mode|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	f := &unixFile{fd: fd}
	now, err := f.Stat()
	if err == nil && (now.Kind != KindFile || pseudo(fd)) {
		err = notRegular(name, KindOther)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (d *unixDir) ReadNames() ([]Entry, error) {
	fd, err := openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return readNames(fd)
}

func (d *unixDir) Create(name string, perm fs.FileMode) (Handle, error) {
	if err := checkName("create", name); err != nil {
		return nil, err
	}
	flags := unix.O_RDWR | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW
	fd, err := openat(d.fd, name, flags, uint32(perm.Perm()))
	if err != nil {
		return nil, err
	}
	return &unixFile{fd: fd}, nil
}

func (d *unixDir) Mkdir(name string, perm fs.FileMode) error {
	if err := checkName("mkdir", name); err != nil {
		return err
	}
	err := retry(func() error { return unix.Mkdirat(d.fd, name, uint32(perm.Perm())) })
	return pathError("mkdir", name, err)
}

func (d *unixDir) Rename(from, to string, how RenameMode) error {
	for _, name := range []string{from, to} {
		if err := checkName("rename", name); err != nil {
			return err
		}
	}
	if how == Overwrite {
		return pathError("rename", to, unix.Renameat(d.fd, from, d.fd, to))
	}
	err := renameFlags(d.fd, from, to, how)
	if how == NoReplace && unsupported(err) {
		err = d.linkNew(from, to)
	}
	if unsupported(err) {
		return &fs.PathError{Op: "rename", Path: to, Err: unix.ENOTSUP}
	}
	return pathError("rename", to, err)
}

// linkNew stands in for a rename that never replaces: a hard link is refused
// when the name is taken.
func (d *unixDir) linkNew(from, to string) error {
	if err := unix.Linkat(d.fd, from, d.fd, to, 0); err != nil {
		if err == unix.EPERM || err == unix.EMLINK {
			return unix.ENOTSUP
		}
		return err
	}
	return unix.Unlinkat(d.fd, from, 0)
}

func (d *unixDir) Unlink(name string) error {
	if err := checkName("unlink", name); err != nil {
		return err
	}
	return pathError("unlink", name, unix.Unlinkat(d.fd, name, 0))
}

func (d *unixDir) Rmdir(name string) error {
	if err := checkName("rmdir", name); err != nil {
		return err
	}
	return pathError("rmdir", name, unix.Unlinkat(d.fd, name, unix.AT_REMOVEDIR))
}

// mayWrite asks whether the permissions of name let this process write. Asked
// for the effective user, the library takes EPERM, which an immutable file
// gives, for a filter of system calls and answers by the mode alone. So the real
// user is asked for, who is the same unless the program was made setuid.
func (d *unixDir) mayWrite(name string) error {
	flags := 0
	if unix.Geteuid() != unix.Getuid() || unix.Getegid() != unix.Getgid() {
		flags = unix.AT_EACCESS
	}
	err := retry(func() error { return unix.Faccessat(d.fd, name, unix.W_OK, flags) })
	return pathError("write", name, err)
}

// workDir returns a descriptor of its own that a process can fchdir to.
func (d *unixDir) workDir() (*os.File, error) {
	fd, err := unix.FcntlInt(uintptr(d.fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "dup", Path: ".", Err: err}
	}
	return os.NewFile(uintptr(fd), "."), nil
}

// fileDescriptor is for walkers that make their own system calls.
func (d *unixDir) fileDescriptor() int { return d.fd }

// checkName keeps every operation inside the directory: a name with a slash,
// or "..", would reach out of it.
func checkName(op, name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}
