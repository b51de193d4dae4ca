//go:build unix

package server

import (
	"fmt"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// TakeStdout keeps the standard output for the protocol alone: it returns a
// private duplicate, which no child inherits, and lets descriptor 1 lead to
// the standard error, so that whatever else prints cannot break a frame. It is
// called once, before anything else.
//
// From then on SIGPIPE is caught: a write to a dead pipe is an error and not
// the end. It is not ignored, for children would inherit that and complain
// about broken pipes.
func TakeStdout() (*os.File, error) {
	private, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, firstPrivate)
	if err != nil {
		return nil, fmt.Errorf("duplicate the standard output: %w", err)
	}
	if err := redirect(2, 1); err != nil {
		return nil, fmt.Errorf("redirect the standard output: %w", err)
	}
	signal.Notify(make(chan os.Signal, 1), unix.SIGPIPE)
	return os.NewFile(uintptr(private), "stdout"), nil
}

// firstPrivate is above the three standard descriptors.
const firstPrivate = 3
