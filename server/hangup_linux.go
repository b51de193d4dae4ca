package server

import "golang.org/x/sys/unix"

// hangUpEvents are what poll says when nobody can write any more. A host that
// has a socket for a pipe may close one direction alone: POLLRDHUP.
const hangUpEvents = unix.POLLHUP | unix.POLLRDHUP
