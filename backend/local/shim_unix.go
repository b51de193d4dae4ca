//go:build linux || darwin

package local

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// ShimMain must be called first in main, and first in TestMain of a test that
// runs commands. In a program that was started as a shim it does the shim's
// work and does not return. Otherwise it returns at once, with what belongs
// into ProcessConfig.Shim.
func ShimMain() string {
	if len(os.Args) == 2 && os.Args[1] == shimVerb {
		unix.Exit(shim()) // os.Exit of a binary built with the race detector takes a second
	}
	return shimExecutable()
}

// caught are the signals that a shim catches and drops. That keeps
// `kill $PPID` from ending it, and it undoes what the server ignored or was
// given ignored: a caught signal goes back to its default in the command, an
// ignored one would stay ignored. Go resets the signals that are not here by
// itself; each one here costs a start some 0.1 ms.
var caught = []os.Signal{
	syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2,
	syscall.SIGALRM, syscall.SIGPIPE, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU,
}

// shim runs one command. Its exit code is for people who started it by hand.
func shim() int {
	// The leader dies with the thread that made it (see parentDeath), so this
	// one must last.
	runtime.LockOSThread()
	wake := make(chan os.Signal, 1)
	signal.Notify(wake, syscall.SIGCHLD)
	signal.Notify(make(chan os.Signal, 1), caught...)
	// No descriptor that the server was given by its own parent may reach the
	// command: a database, a socket of the host.
	if err := closeOnExec(ordersFD); err != nil {
		fmt.Fprintln(os.Stderr, "septet: this verb is internal:", err)
		return 2
	}
	reserveThreads(shimThreads)
	reports := os.NewFile(reportsFD, "reports")
	tell := func(r report) { _, _ = reports.Write(r.line()) } // without a reader there is nobody to tell
	orders := json.NewDecoder(os.NewFile(ordersFD, "orders"))
	var first order
	if err := orders.Decode(&first); err != nil || first.Job == nil {
		return 2
	}
	if err := prepare(); err != nil {
		tell(report{Failed: err.Error()})
		return 1
	}
	kinOf := readyKin()
	tell(report{Starting: true}) // a command can kill its shim before Started is told
	leader, err := startLeader(*first.Job)
	if err != nil {
		tell(report{Failed: err.Error()})
		return 1
	}
	tell(report{Started: leader})
	s := supervisor{kin: kinOf(leader), exited: awaitExit(leader), orders: readOrders(orders), wake: wake, tell: tell}
	s.run()
	return 0
}

// prepare makes of this process what the command inherits.
func prepare() error {
	if err := unix.Fchdir(dirFD); err != nil {
		return fmt.Errorf("change to the working directory: %w", err)
	}
	_ = unix.Close(dirFD)
	becomeReaper()
	_ = Hide() // the command could tell a false end through our pipes in /proc; elsewhere there is none
	unblock()
	// A core file would land in the workspace.
	return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}

// startLeader starts the shell in a session of its own, without a terminal:
// /dev/tty fails at once, and what the shell does with its group stays there.
func startLeader(j job) (int, error) {
	pid, err := syscall.ForkExec(j.Shell, j.arguments(), &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{0, 1, 2},
		Sys:   parentDeath(&syscall.SysProcAttr{Setsid: true}, syscall.SIGKILL), // a second line only
	})
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", j.Shell, err)
	}
	releaseOutput()
	return pid, nil
}

// releaseOutput lets go of the output pipes, so that their end is seen when
// the command's processes are gone.
func releaseOutput() {
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		_ = unix.Close(1)
		_ = unix.Close(2)
		return
	}
	_ = unix.Dup2(null, 1)
	_ = unix.Dup2(null, 2)
	_ = unix.Close(null)
}

// readOrders passes orders on and closes the channel at their end.
func readOrders(d *json.Decoder) <-chan order {
	orders := make(chan order)
	go func() {
		defer close(orders)
		for {
			var o order
			if d.Decode(&o) != nil {
				return
			}
			orders <- o
		}
	}()
	return orders
}
