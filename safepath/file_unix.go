//go:build linux || darwin

package safepath

import (
	"io"
	"io/fs"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// unixFile is a descriptor of a regular file. os.File would add five system
// calls to each open, to find out that a file cannot be polled.
type unixFile struct {
	fd     int
	closed atomic.Bool
}

func (f *unixFile) Close() error {
	if f.closed.Swap(true) {
		return fs.ErrClosed
	}
	return unix.Close(f.fd)
}

func (f *unixFile) Stat() (Stat, error) { return fstat(f.fd) }

func (f *unixFile) Read(b []byte) (int, error) {
	return f.read(len(b), func() (int, error) { return unix.Read(f.fd, b) })
}

func (f *unixFile) ReadAt(b []byte, off int64) (int, error) {
	total := 0
	for total < len(b) {
		n, err := f.read(len(b)-total, func() (int, error) { return unix.Pread(f.fd, b[total:], off+int64(total)) })
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// read gives system call results the meaning io.Reader wants.
func (f *unixFile) read(want int, call func() (int, error)) (int, error) {
	var n int
	err := retry(func() (err error) { n, err = call(); return err })
	if err != nil {
		return 0, pathError("read", "", err)
	}
	if n == 0 && want > 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (f *unixFile) Write(b []byte) (int, error) {
	return writeAll(b, func(done int) (int, error) { return unix.Write(f.fd, b[done:]) })
}

func (f *unixFile) WriteAt(b []byte, off int64) (int, error) {
	return writeAll(b, func(done int) (int, error) { return unix.Pwrite(f.fd, b[done:], off+int64(done)) })
}

func writeAll(b []byte, call func(done int) (int, error)) (int, error) {
	done := 0
	for done < len(b) {
		var n int
		err := retry(func() (err error) { n, err = call(done); return err })
		if err != nil {
			return done, pathError("write", "", err)
		}
		done += n
	}
	return done, nil
}

func (f *unixFile) Truncate(size int64) error {
	return pathError("truncate", "", retry(func() error { return unix.Ftruncate(f.fd, size) }))
}

func (f *unixFile) Chmod(perm fs.FileMode) error {
	return pathError("chmod", "", retry(func() error { return unix.Fchmod(f.fd, uint32(perm.Perm())) }))
}

func (f *unixFile) Sync() error {
	return pathError("sync", "", retry(func() error { return unix.Fsync(f.fd) }))
}

// CopyAttributes sets the mode last: a change of owner clears bits of it, and
// with an ACL its group bits are the mask.
func (f *unixFile) CopyAttributes(old Handle) error {
	o, ok := old.(*unixFile)
	if !ok {
		return fs.ErrInvalid
	}
	was, err := o.Stat()
	if err != nil {
		return err
	}
	now, err := f.Stat()
	if err != nil {
		return err
	}
	if was.UID != now.UID || was.GID != now.GID {
		if err := unix.Fchown(f.fd, int(was.UID), int(was.GID)); err != nil {
			return pathError("chown", "", err)
		}
	}
	if err := copyXattrs(o.fd, f.fd); err != nil {
		return pathError("setxattr", "", err)
	}
	return f.Chmod(was.Mode)
}
