package local

import (
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"septet/backend"
	"septet/safepath"
)

// AdoptOrphans makes this process the parent of whatever a killed shim leaves,
// so that it can be killed. Main calls it, a library must not: a child that
// this process did not start is then taken for such an orphan when it is in
// another session and younger than the shim.
func AdoptOrphans() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become a subreaper: %w", err)
	}
	return nil
}

func adopting() bool {
	var set int32
	err := unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&set)), 0, 0, 0)
	return err == nil && set != 0
}

// adopt kills what a killed shim left, again and again, until nothing is left
// or confirmTime has passed. since is when the shim was started, in the
// kernel's ticks: what is older is not its.
func (n *nursery) adopt(leader int, since uint64) adoption {
	if !adopting() {
		return abandon(leader, since)
	}
	n.enter(1)
	defer n.enter(-1)
	end := time.Now().Add(confirmTime)
	for {
		left, looked := n.orphans(since)
		if leader == 0 {
			leader = eldest(left)
		}
		if looked && len(left) == 0 {
			return adoption{ended: n.endingOf(leader)}
		}
		for _, pid := range left {
			_ = unix.Kill(pid, unix.SIGKILL)
			n.reap(pid)
		}
		if time.Now().After(end) {
			if alive := statesOf(left); len(alive) > 0 {
				return adoption{alive: alive}
			}
			if !looked {
				return adoption{ended: n.endingOf(leader), blind: true}
			}
		}
		time.Sleep(lookInterval)
	}
}

// undead waits for the end of a shim that was killed, and returns what of it
// and below it is alive after confirmTime: a command can put its shim into a
// frozen cgroup, where a kill waits. What it watched is killed meanwhile: the
// shim does nothing any more, so the numbers of its children stay theirs.
func undead(shim int, exited <-chan struct{}) []backend.Alive {
	for end := time.Now().Add(confirmTime); ; time.Sleep(lookInterval) {
		select {
		case <-exited:
			return nil
		default:
		}
		if zombie(shim) {
			return nil // something traces it; it is dead all the same
		}
		children, _ := childrenOf(shim)
		for _, pid := range children {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		if time.Now().After(end) {
			return statesOf([]int{shim})
		}
	}
}

// enter counts who is adopting; the statuses are for them only.
func (n *nursery) enter(change int) {
	n.Lock()
	defer n.Unlock()
	if n.adopters += change; n.adopters == 0 {
		clear(n.ended)
	}
}

// orphans lists the children of this process that it did not start: those of
// another session that are no shim. While a shim starts there is none to see.
// It reports whether it could look: without a free descriptor it cannot.
func (n *nursery) orphans(since uint64) (left []int, looked bool) {
	n.Lock()
	defer n.Unlock()
	own := processOf(unix.Getpid())
	children, looked := childrenOf(unix.Getpid())
	for _, pid := range children {
		switch p := processOf(pid); {
		case p.pid == 0: // it cannot have gone: only this process reaps it
			looked = false
		case p.session != own.session && p.started >= since && !n.known[pid]:
			left = append(left, pid)
		}
	}
	return left, looked && own.pid != 0
}

// eldest is the pid of the process that was started first, 0 when there is
// none: the leader, which the others descend from.
func eldest(pids []int) int {
	first := process{}
	for _, pid := range pids {
		p := processOf(pid)
		if p.pid != 0 && (first.pid == 0 || p.started < first.started || p.started == first.started && p.pid < first.pid) {
			first = p
		}
	}
	return first.pid
}

// reap takes the status of pid, an orphan, when it has ended. Never of any
// child: a wait for -1 would steal from os/exec.
func (n *nursery) reap(pid int) {
	n.Lock()
	defer n.Unlock()
	var status unix.WaitStatus
	if got, _ := unix.Wait4(pid, &status, unix.WNOHANG, nil); got == pid && final(status) {
		n.ended[pid] = int(status)
	}
}

// endingOf tells how a leader ended that was reaped here.
func (n *nursery) endingOf(leader int) *ending {
	n.Lock()
	defer n.Unlock()
	status, known := n.ended[leader]
	if !known {
		return nil
	}
	return endingFrom(unix.WaitStatus(status))
}

// abandon is what can be done without adopting: the leader's group is killed,
// when there is still one. Its number came through a pipe that a command may
// have written to: nothing older than the supervisor is killed, and not the
// group of everything, -1.
func abandon(leader int, since uint64) adoption {
	if p := processOf(leader); leader > 1 && p.pid != 0 && p.session == leader && p.started >= since {
		_ = unix.Kill(-leader, unix.SIGKILL)
	}
	return adoption{blind: true}
}

// startPath names a directory by its handle.
func startPath(dir *safepath.WorkDir) string {
	return fmt.Sprintf("/proc/self/fd/%d", dir.File.Fd())
}

// startOf is when pid, a child, was started, in the kernel's ticks.
func startOf(pid int) uint64 { return processOf(pid).started }
