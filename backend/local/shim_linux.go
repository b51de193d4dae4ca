package local

import (
	"math"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

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

// rouseInterval bounds how often a shim is woken. A command that stops it
// again and again gets the next word, and the timeout the last.
const rouseInterval = 10 * time.Millisecond

// rouse lets pid, a child, go on whenever something has stopped it, until stop
// returns. A command may stop its shim, which then would not see it end.
func rouse(pid int) (stop func()) {
	news, quit := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(news, unix.SIGCHLD)
	var rousing sync.WaitGroup
	rousing.Go(func() {
		for {
			select {
			case <-quit:
				return
			case <-news:
			}
			for stopped(pid) {
				_ = unix.Kill(pid, unix.SIGCONT)
				select {
				case <-quit:
					return
				case <-time.After(rouseInterval):
				}
			}
		}
	})
	return func() {
		signal.Stop(news)
		close(quit)
		rousing.Wait()
	}
}

// stopped reports whether pid, a child, was stopped since it was asked last.
func stopped(pid int) bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, pid, &info, unix.WSTOPPED|unix.WNOHANG, nil)
	return err == nil && info.Signo != 0
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
