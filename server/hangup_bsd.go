//go:build unix && !linux

package server

import "golang.org/x/sys/unix"

// hangUpEvents are what poll says when nobody can write any more, also when
// only that direction of a socket is closed.
const hangUpEvents = unix.POLLHUP
