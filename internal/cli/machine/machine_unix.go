//go:build unix

package machine

import (
	"os"

	"golang.org/x/sys/unix"
)

// OpenFiles is how many files the program may have open; 0 when it cannot be
// told.
func OpenFiles() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur)
}

// Writable says whether files can be made in the directory.
func Writable(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }

// Readable says whether the directory can be listed and entered.
func Readable(dir string) error { return unix.Access(dir, unix.R_OK|unix.X_OK) }

// Columns is the width of a terminal; 0 when it does not tell.
func Columns(terminal *os.File) int {
	size, err := unix.IoctlGetWinsize(int(terminal.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
