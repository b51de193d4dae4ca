package local

import (
	"os"
	"time"

	"golang.org/x/sys/unix"

	"septet/backend"
)

// family is the kin of a shim that is a subreaper. Every descendant whose
// parent has ended is a direct child. Only direct children are killed: their
// pids stay taken until this process reaps them, so nothing foreign is ever
// hit, and the rest comes into reach as its parents end.
type family struct {
	leader   int
	children []*os.File   // see openChildren
	told     map[int]bool // other children that got TERM
	held     map[int]bool // other children that are dead and cannot be reaped
	asked    bool         // TERM was sent
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

// living looks again until nothing dead was found. The lists of children are
// read one after the other: while a child of one dies, its own children move
// to another that was read already. So only a look that finds no trace of a
// death finds everything.
func (f *family) living() []int {
	for {
		alive, died := f.look()
		if !died {
			return alive
		}
	}
}

// look reaps what has ended and reports whether anything had.
func (f *family) look() (alive []int, died bool) {
	for _, pid := range f.others() {
		switch {
		case f.held[pid]:
		case reaped(pid):
			delete(f.told, pid)
			died = true
		case zombie(pid): // a debugger keeps it from being reaped; it is dead all the same
			f.held[pid] = true
			died = true
		default:
			alive = append(alive, pid)
			f.greet(pid)
		}
	}
	return alive, died
}

// greet asks a process that came into reach after everything was asked to end.
func (f *family) greet(pid int) {
	if f.asked && !f.told[pid] {
		_ = unix.Kill(pid, unix.SIGTERM)
		_ = unix.Kill(pid, unix.SIGCONT)
		f.told[pid] = true
	}
}

// reaped takes the status of pid, a child, when it has ended.
func reaped(pid int) bool {
	var status unix.WaitStatus
	got, err := unix.Wait4(pid, &status, unix.WNOHANG, nil)
	return got == pid && final(status) || err == unix.ECHILD
}

// zombie reports whether pid is seen to be dead. A process that /proc hides
// from this user is not.
func zombie(pid int) bool {
	p := processOf(pid)
	return p.pid != 0 && p.dead()
}

// others are the direct children but for the leader.
func (f *family) others() []int {
	pids, ok := listed(f.children)
	if !ok {
		pids, _ = childrenOf(unix.Getpid())
	}
	others := pids[:0]
	for _, pid := range pids {
		if pid != f.leader {
			others = append(others, pid)
		}
	}
	return others
}

func (f *family) names() []string {
	names := namesOf(f.others())
	if len(names) == 0 && len(f.living()) > 0 {
		return []string{"?"} // /proc hides it, or cannot be opened any more
	}
	return names
}

// states also lists children that /proc hides from this user.
func (f *family) states() []backend.Alive {
	seen := statesOf(append(f.others(), f.leader))
	for _, pid := range f.living() {
		if processOf(pid).pid == 0 {
			seen = append(seen, backend.Alive{PID: pid, Name: "?", State: "?"})
		}
	}
	return seen
}

// reap takes the leader's status and then whatever else is left to reap.
// Without /proc the other children cannot be listed. But the group can be
// killed while its number is still taken, and they can be waited for.
func (f *family) reap() unix.WaitStatus {
	blind := !procMounted()
	if blind {
		_ = unix.Kill(-f.leader, unix.SIGKILL)
	}
	status := waitFor(f.leader)
	for end := time.Now().Add(confirmTime); ; {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		switch {
		case pid > 0 || err == unix.EINTR:
		case err != nil || !blind || time.Now().After(end):
			return status
		default:
			time.Sleep(lookInterval)
		}
	}
}
