//go:build unix

package journal

import (
	"errors"

	"golang.org/x/sys/unix"
)

// lockFile makes the file at path when it is missing, waits for its lock and
// returns what gives it up. The end of the process gives it up as well.
func lockFile(path string) (unlock func() error, err error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CREAT|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := uninterrupted(func() error { return unix.Flock(fd, unix.LOCK_EX) }); err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return func() error { return unix.Close(fd) }, nil
}

// lockHeld reports whether somebody holds the lock of the file at path. It
// asks for a shared lock, so that two who ask do not take each other for the
// holder.
func lockHeld(path string) (bool, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err != nil {
		return false, err
	}
	defer unix.Close(fd)
	err = uninterrupted(func() error { return unix.Flock(fd, unix.LOCK_SH|unix.LOCK_NB) })
	if errors.Is(err, unix.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}

// syncDirectory makes the names in a directory durable.
func syncDirectory(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return uninterrupted(func() error { return unix.Fsync(fd) })
}

// uninterrupted repeats a call that a signal cut short, as Go's own scheduler
// sends some.
func uninterrupted(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
