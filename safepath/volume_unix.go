//go:build linux || darwin

package safepath

import (
	"errors"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

// OS returns the machine's file system.
func OS() Volume { return unixVolume{} }

type unixVolume struct{}

func (unixVolume) Lstat(abs string) (Stat, error) {
	var st unix.Stat_t
	err := retry(func() error { return unix.Lstat(abs, &st) })
	if err != nil {
		return Stat{}, &fs.PathError{Op: "lstat", Path: abs, Err: err}
	}
	return statOf(&st), nil
}

func (unixVolume) Readlink(abs string) (string, error) { return readlinkat(unix.AT_FDCWD, abs) }

func (unixVolume) OpenRoot(abs string) (Dir, error) {
	fd, err := openat(unix.AT_FDCWD, abs, dirFlags, 0)
	if err != nil {
		return nil, err
	}
	return &unixDir{fd: fd}, nil
}

func openat(dir int, name string, flags int, perm uint32) (int, error) {
	var fd int
	err := retry(func() (err error) {
		fd, err = unix.Openat(dir, name, flags|unix.O_CLOEXEC, perm)
		return err
	})
	return fd, pathError("open", name, err)
}

func readlinkat(dir int, name string) (string, error) {
	for size := 256; ; size *= 4 {
		b := make([]byte, size)
		n, err := unix.Readlinkat(dir, name, b)
		if err != nil {
			return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
		}
		if n < size {
			return string(b[:n]), nil
		}
	}
}

func fstat(fd int) (Stat, error) {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(fd, &st) }); err != nil {
		return Stat{}, &fs.PathError{Op: "stat", Path: ".", Err: err}
	}
	return statOf(&st), nil
}

func statOf(st *unix.Stat_t) Stat {
	return Stat{
		ID:      FileID{Device: uint64(st.Dev), Inode: st.Ino},
		Kind:    kindOf(uint32(st.Mode)),
		Size:    st.Size,
		Mode:    modeOf(uint32(st.Mode)),
		ModTime: time.Unix(st.Mtim.Unix()),
		Links:   uint64(st.Nlink),
		UID:     st.Uid,
		GID:     st.Gid,
	}
}

func kindOf(mode uint32) Kind {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return KindFile
	case unix.S_IFDIR:
		return KindDirectory
	case unix.S_IFLNK:
		return KindSymlink
	}
	return KindOther
}

func modeOf(mode uint32) fs.FileMode {
	m := fs.FileMode(mode & 0o777)
	if mode&unix.S_ISUID != 0 {
		m |= fs.ModeSetuid
	}
	if mode&unix.S_ISGID != 0 {
		m |= fs.ModeSetgid
	}
	if mode&unix.S_ISVTX != 0 {
		m |= fs.ModeSticky
	}
	return m
}

// retry repeats a call that a signal interrupted: network and FUSE file
// systems do not restart it themselves.
func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

func pathError(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

func unsupported(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP)
}
