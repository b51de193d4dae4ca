//go:build unix

package server

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// hungUp returns what tells, without reading, whether the other side of in is
// closed; nil when in is nothing that could tell.
func hungUp(in io.Reader) func() bool {
	file, ok := in.(*os.File)
	if !ok {
		return nil
	}
	raw, err := file.SyscallConn() // Fd would make a socket of the host block
	if err != nil {
		return nil
	}
	return func() (gone bool) {
		err := raw.Control(func(fd uintptr) { gone = pollHangUp(int32(fd)) })
		return err == nil && gone
	}
}

func pollHangUp(fd int32) bool {
	fds := []unix.PollFd{{Fd: fd, Events: hangUpEvents}}
	n, err := unix.Poll(fds, 0) // an interrupted one is repeated in the next interval
	return err == nil && n > 0 && fds[0].Revents&hangUpEvents != 0
}
