//go:build linux || darwin

package local

import (
	"golang.org/x/sys/unix"

	"septet/backend"
)

// group is the kin of a supervisor that is no subreaper: the process group of
// the leader. What leaves the group is out of reach.
type group struct{ leader int }

func (g *group) signal(sig unix.Signal) (refused bool) {
	return unix.Kill(-g.leader, sig) == unix.EPERM
}

func (g *group) living() []int {
	var alive []int
	for _, pid := range groupMembers(g.leader) {
		if pid != g.leader {
			alive = append(alive, pid)
		}
	}
	return alive
}

func (g *group) names() []string { return namesOf(g.living()) }

func (g *group) states() []backend.Alive { return statesOf(append(g.living(), g.leader)) }

func (g *group) reap() unix.WaitStatus { return waitFor(g.leader) }

// waitFor reaps pid, a child, when it has ended.
func waitFor(pid int) unix.WaitStatus {
	var status unix.WaitStatus
	for {
		_, err := unix.Wait4(pid, &status, 0, nil)
		if err != nil && err != unix.EINTR || err == nil && final(status) {
			return status
		}
	}
}

// final reports whether status is that of an end. One that made this process
// its tracer is seen to stop, too.
func final(status unix.WaitStatus) bool { return status.Exited() || status.Signaled() }
