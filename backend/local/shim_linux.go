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

// parentDeath makes the kernel kill the leader when the shim is killed. It is
// a second line only: what the leader started does not inherit it.
func parentDeath(a *syscall.SysProcAttr) *syscall.SysProcAttr {
	a.Pdeathsig = syscall.SIGKILL
	return a
}

// awaitExit returns a channel that is closed when pid, a child, has ended. It
// is not reaped, so its number stays taken.
func awaitExit(pid int) <-chan struct{} {
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		for unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
		}
	}()
	return exited
}

func newKin(leader int) kin {
	return &family{leader: leader, told: map[int]bool{}, held: map[int]bool{}}
}
