package local

import (
	"math"
	"syscall"

	"golang.org/x/sys/unix"
)

// shimExecutable names this program in a way that survives its replacement on
// the disk.
func shimExecutable() string { return "/proc/self/exe" }

// closeOnExec marks every descriptor from first on.
func closeOnExec(first int) error {
	if _, err := unix.FcntlInt(uintptr(first), unix.F_GETFD, 0); err != nil {
		return err
	}
	return unix.CloseRange(uint(first), math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
}

// becomeReaper makes this process the parent of every descendant whose own
// parent has died, also of one that left the session.
func becomeReaper() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// unblock lets every signal through to what this thread starts. A host that
// takes its signals with sigwait or signalfd has them blocked, and a program
// that it starts inherits that.
func unblock() { _ = unix.PthreadSigmask(unix.SIG_SETMASK, &unix.Sigset_t{}, nil) }

// parentDeath makes the kernel send sig to the child when its parent is
// killed, or only the thread that made it ends. What the child starts does not
// inherit it.
func parentDeath(a *syscall.SysProcAttr, sig syscall.Signal) *syscall.SysProcAttr {
	a.Pdeathsig = sig
	return a
}

// readyKin returns what makes the kin of a leader. It is called before there is
// one: a command can take from its shim the right to open files.
func readyKin() (of func(leader int) kin) {
	children := openChildren()
	return func(leader int) kin {
		return &family{leader: leader, children: children, told: map[int]bool{}, held: map[int]bool{}}
	}
}
