package local

import (
	"golang.org/x/sys/unix"

	"septet/backend"
)

// family is the kin of a shim that is a subreaper. Every descendant whose
// parent has ended is a direct child. Only direct children are killed: their
// pids stay taken until this process reaps them, so nothing foreign is ever
// hit, and the rest comes into reach as its parents end.
type family struct {
	leader int
	told   map[int]bool // other children that got TERM
	asked  bool         // TERM was sent
}

func (f *family) signal(sig unix.Signal) (refused bool) {
	refused = refuses(unix.Kill(-f.leader, sig))
	for _, pid := range f.others() {
		refused = refuses(unix.Kill(pid, sig)) || refused
		f.told[pid] = f.told[pid] || sig == unix.SIGTERM
	}
	f.asked = f.asked || sig == unix.SIGTERM
	return refused
}

func refuses(err error) bool { return err == unix.EPERM }

func (f *family) living() []int {
	var alive []int
	for _, pid := range f.others() {
		if ended(pid) {
			delete(f.told, pid)
			continue
		}
		alive = append(alive, pid)
		f.greet(pid)
	}
	return alive
}

// greet asks a process that came into reach after everything was asked to end.
func (f *family) greet(pid int) {
	if f.asked && !f.told[pid] {
		_ = unix.Kill(pid, unix.SIGTERM)
		_ = unix.Kill(pid, unix.SIGCONT)
		f.told[pid] = true
	}
}

// ended reaps pid, a child, when it has ended. A dead child that a debugger
// still holds cannot be reaped, and is dead all the same.
func ended(pid int) bool {
	got, err := unix.Wait4(pid, nil, unix.WNOHANG, nil)
	return got == pid || err == unix.ECHILD || (got == 0 && processOf(pid).dead())
}

// others are the direct children but for the leader.
func (f *family) others() []int {
	pids := childrenOf(unix.Getpid())
	others := pids[:0]
	for _, pid := range pids {
		if pid != f.leader {
			others = append(others, pid)
		}
	}
	return others
}

func (f *family) names() []string { return namesOf(f.others()) }

func (f *family) states() []backend.Alive { return statesOf(append(f.others(), f.leader)) }

// reap takes the leader's status and then whatever else is left to reap:
// without /proc the other children cannot be listed, but they can be waited
// for, after the group was killed while its number was still taken.
func (f *family) reap() unix.WaitStatus {
	if !procMounted() {
		_ = unix.Kill(-f.leader, unix.SIGKILL)
	}
	status := waitFor(f.leader)
	for {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		if err != unix.EINTR && pid <= 0 {
			return status
		}
	}
}
