package local

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func shimExecutable() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return path
}

// closeOnExec marks every descriptor from first on that a shim may have been
// given.
func closeOnExec(first int) error {
	if _, err := unix.FcntlInt(uintptr(first), unix.F_GETFD, 0); err != nil {
		return err
	}
	const last = 1024 // what a host has open is far below
	for fd := first; fd < last; fd++ {
		unix.CloseOnExec(fd)
	}
	return nil
}

// becomeReaper: there is no such thing here. What leaves the leader's session
// is out of reach.
func becomeReaper() {}

// unblock: x/sys has no call for it here. A signal that the host blocked stays
// blocked in the command.
func unblock() {}

func parentDeath(a *syscall.SysProcAttr, _ syscall.Signal) *syscall.SysProcAttr { return a }

// tend: no wait here tells of a stop without taking the end, too. A stopped
// shim is woken when its command is to end, and no command can hold its pipe.
func tend(int, func()) (stop func()) { return func() {} }

// awaitExit returns a channel that is closed when pid, a child, has ended. It
// is not reaped, so its number stays taken.
func awaitExit(pid int) <-chan struct{} {
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		queue, err := unix.Kqueue()
		if err != nil {
			return
		}
		defer func() { _ = unix.Close(queue) }()
		change := []unix.Kevent_t{{
			Ident: uint64(pid), Filter: unix.EVFILT_PROC, Flags: unix.EV_ADD | unix.EV_ONESHOT, Fflags: unix.NOTE_EXIT,
		}}
		// An error but EINTR says that it has ended already.
		for {
			_, err := unix.Kevent(queue, change, make([]unix.Kevent_t, 1), nil)
			if err != unix.EINTR {
				return
			}
		}
	}()
	return exited
}

func readyKin() (of func(leader int) kin) {
	return func(leader int) kin { return &group{leader: leader} }
}
