package journal

import (
	"errors"

	"golang.org/x/sys/windows"
)

// lockFile makes the file at path when it is missing, waits for its lock and
// returns what gives it up. The end of the process gives it up as well.
func lockFile(path string) (unlock func() error, err error) {
	h, err := openShared(path, windows.OPEN_ALWAYS)
	if err != nil {
		return nil, err
	}
	err = windows.LockFileEx(h, windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &windows.Overlapped{})
	if err != nil {
		return nil, errors.Join(err, windows.CloseHandle(h))
	}
	return func() error { return windows.CloseHandle(h) }, nil
}

// lockHeld reports whether somebody holds the lock of the file at path. It
// asks for a shared lock, so that two who ask do not take each other for the
// holder.
func lockHeld(path string) (bool, error) {
	h, err := openShared(path, windows.OPEN_EXISTING)
	if err != nil {
		return false, err
	}
	defer windows.CloseHandle(h)
	err = windows.LockFileEx(h, windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}

// openShared lets others open, lock and remove the file too.
func openShared(path string, disposition uint32) (windows.Handle, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	return windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, share, nil,
		disposition, windows.FILE_ATTRIBUTE_NORMAL, 0)
}

// syncDirectory does nothing: NTFS journals names by itself and has no call
// for it.
func syncDirectory(string) error { return nil }
