package local

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Hide keeps the other processes of this user, commands above all, from
// reading this process's environment and memory in /proc, where the secrets
// are that commands were not given, from opening its descriptors there, and
// from tracing it. Nothing hides from root. Main calls it, a library must not:
// the user's own debugger cannot attach any more, and no core is dumped. The
// environment of the host is the host's to hide.
func Hide() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("hide from the other processes of this user: %w", err)
	}
	return nil
}
