//go:build linux || darwin

package local

import (
	"cmp"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"septet/backend"
)

// kin is what a supervisor can see and reach of a command's processes. The
// leader is not reaped before everything has ended, so that its pid, which is
// the group's too, cannot come to mean another process.
type kin interface {
	// signal sends sig to the leader's group and to everything else in reach.
	// It reports whether something refused it for good.
	signal(sig unix.Signal) (refused bool)
	// living reaps what has ended, but for the leader, and returns what else
	// is alive and in reach.
	living() []int
	// names and states of everything alive below, for people.
	names() []string
	states() []backend.Alive
	// reap takes the leader's status.
	reap() unix.WaitStatus
}

// supervisor brings one started command to its end:
//
//	running -> (leader ended -> lingering | asked) -> terminating -> killing -> ended
//
// The first of the leader's end and the order to end decides what is reported.
type supervisor struct {
	kin    kin
	exited <-chan struct{}  // closed when the leader has ended; it is not reaped
	orders <-chan order     // closed when the server is gone
	wake   <-chan os.Signal // SIGCHLD: look again; may be nil
	tell   func(report)

	ordered  bool // an order came
	hurry    bool // no grace any more
	orphaned bool // the server is gone
	asked    bool // it was ordered to end before the leader ended
	leftover []string
}

// run returns when nothing is left, or when the server is gone and what is
// left cannot be killed.
func (s *supervisor) run() {
	grace := leftoverGrace
	select {
	case <-s.exited:
		if s.lingering() {
			s.finish()
			return
		}
		s.leftover = s.kin.names()
	case o, ok := <-s.orders:
		s.obey(o, ok)
		if s.asked = !s.leaderGone(); s.asked {
			grace = askedGrace
		}
	}
	if s.terminating(grace) || s.killing() {
		s.finish()
	}
}

func (s *supervisor) finish() {
	end := endingFrom(s.kin.reap())
	end.Asked, end.Leftover = s.asked, s.leftover
	s.tell(report{Ended: end})
}

// endingFrom decodes a wait status.
func endingFrom(status unix.WaitStatus) *ending {
	if status.Signaled() {
		return &ending{Signal: signalName(status.Signal())}
	}
	return &ending{ExitCode: status.ExitStatus()}
}

// signalName is never "", which would turn a death into an exit: the real-time
// signals have no names and are shown by their number.
func signalName(sig unix.Signal) string {
	return cmp.Or(unix.SignalName(sig), fmt.Sprintf("SIG%d", int(sig)))
}

// lingering waits for descendants to end by themselves and reports whether
// they did.
func (s *supervisor) lingering() bool {
	return s.until(lingerTime, &s.ordered)
}

// terminating asks everything to end and reports whether it did. CONT follows
// TERM because a stopped process does not see TERM.
func (s *supervisor) terminating(grace time.Duration) bool {
	s.kin.signal(unix.SIGTERM)
	s.kin.signal(unix.SIGCONT)
	return s.until(grace, &s.hurry)
}

// killing kills everything again and again, because the children of what was
// killed come into reach only then. It reports false when it gave up.
func (s *supervisor) killing() bool {
	confirm := time.Now().Add(confirmTime)
	interval := lookInterval
	for !s.gone() {
		refused := s.kin.signal(unix.SIGKILL)
		if time.Now().After(confirm) {
			if s.orphaned && refused {
				return false
			}
			if interval != retryInterval && !s.gone() {
				s.tell(report{Alive: s.kin.states()})
				interval = retryInterval
			}
		}
		s.pause(interval)
	}
	return true
}

// until waits for everything to end, no longer than d and not once stop is
// set, and reports whether it did.
func (s *supervisor) until(d time.Duration, stop *bool) bool {
	end := time.Now().Add(d)
	for !s.gone() {
		if *stop || time.Now().After(end) {
			return false
		}
		s.pause(lookInterval)
	}
	return true
}

// gone reports whether nothing is alive any more.
func (s *supervisor) gone() bool { return s.leaderGone() && len(s.kin.living()) == 0 }

func (s *supervisor) leaderGone() bool {
	select {
	case <-s.exited:
		return true
	default:
		return false
	}
}

// pause waits for news, d at most.
func (s *supervisor) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case o, ok := <-s.orders:
		s.obey(o, ok)
	case <-s.wake:
	case <-timer.C:
	}
}

// obey takes an order: any order ends the lingering, only one without grace
// ends the grace.
func (s *supervisor) obey(o order, ok bool) {
	if !ok {
		s.orphaned, s.orders = true, nil
	}
	s.ordered = true
	s.hurry = s.hurry || o.Now || !ok
}
