package local

import (
	"os"
	"os/signal"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// rouseInterval bounds how often a shim is woken. A command that stops it
// again and again gets the next word, and the timeout the last.
const rouseInterval = 10 * time.Millisecond

// awaitExit returns a channel that is closed when pid, a child, has ended. It
// is not reaped, so its number stays taken.
func awaitExit(pid int) <-chan struct{} {
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		for {
			var info unix.Siginfo
			err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, nil)
			if err == unix.EINTR {
				continue
			}
			if err != nil || ended(&info) {
				return
			}
			stopped(pid) // it made this process its tracer: that a signal stopped it is told here, too
		}
	}()
	return exited
}

// ended reports whether info, of a wait that found a child, tells of its end.
func ended(info *unix.Siginfo) bool {
	const exited, dumped = 1, 3 // CLD_EXITED and CLD_DUMPED, with CLD_KILLED between
	return info.Code >= exited && info.Code <= dumped
}

// stopped reports whether pid, a child, was stopped since it was asked last.
func stopped(pid int) bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, pid, &info, unix.WSTOPPED|unix.WNOHANG, nil)
	return err == nil && info.Signo != 0
}

// exited reports whether pid, a child, has ended. It is not reaped.
func exited(pid int) bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	return err == nil && info.Signo != 0 && ended(&info)
}

// tend lets pid, a child, go on whenever something has stopped it, and calls
// gone when it has ended, until stop returns. A command may stop its shim,
// which then would not see it end, and may hold the pipe of a shim that it
// killed.
func tend(pid int, gone func()) (stop func()) {
	news, quit := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(news, unix.SIGCHLD)
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case <-quit:
				return
			case <-news:
			}
			if exited(pid) {
				gone()
				return
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
		watching.Wait()
	}
}
