package search

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"septet/backend"
)

// outcome is a result that is committed in the order of the tree.
type outcome struct {
	summary backend.SearchSummary // counts to add
	names   int64                 // looked at
	shown   string                // path of the file that found belongs to
	found   found
	paths   []string // names found

	segmented *segmented // set when found is of a part of a file
	continued bool       // something of the file was committed before
}

// bytes is about how much memory the outcome takes.
func (o *outcome) bytes() int {
	n := 64 + len(o.shown) + o.found.bytes
	for _, p := range o.paths {
		n += 16 + len(p)
	}
	return n
}

// unit is a part of the tree that one worker deals with. A directory is
// replaced, where it stands, by its content; files that are next to each other
// are one unit, and a worker splits off as many as it takes.
type unit struct {
	parent   *directory // held until the unit is finished
	enter    *item      // the directory to go into, or
	files    []item     // the files to search, or
	segment  *segment   // a part of a big file
	outcomes []outcome  // not committed yet
	taken    bool
	finished bool
	prev     *unit
	next     *unit
}

// schedule is the list of all units that are not committed, in the order of
// the tree. A worker takes the first that nobody has; results are committed
// from the head only.
type schedule struct {
	mu     sync.Mutex
	wake   sync.Cond
	ends   unit // before the first and after the last
	taken  int  // units that are taken and not committed
	active int  // units that a worker is at
	held   int  // bytes of outcomes that wait
	files  int  // taken so far
	ahead  int  // units that are taken anyway: one for each worker
	over   bool // nothing more is wanted
	broken bool // the search was ended from outside
	// panicked is what a worker panicked with. It goes on in the caller's
	// goroutine, where a tool's panic is caught; here it would end the process.
	panicked any
	stop     context.CancelFunc
	commit   func(*outcome) (enough bool)
}

// newSchedule returns a schedule with one unit. stop ends what workers are at
// when commit says that nothing more is wanted.
func newSchedule(workers int, stop context.CancelFunc, commit func(*outcome) bool) *schedule {
	s := &schedule{ahead: workers, stop: stop, commit: commit}
	s.wake.L = &s.mu
	s.ends.next, s.ends.prev = &s.ends, &s.ends
	return s
}

func (s *schedule) insertAfter(at, u *unit) {
	u.prev, u.next = at, at.next
	at.next.prev = u
	at.next = u
	if u.parent != nil {
		u.parent.hold()
	}
}

func (s *schedule) remove(u *unit) {
	u.prev.next, u.next.prev = u.next, u.prev
}

// take returns the next unit to work on; nil when there is nothing more.
func (s *schedule) take() *unit {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.over && !s.broken {
		u := s.firstFree()
		switch {
		case u == nil && s.active == 0:
			s.over = true
			s.wake.Broadcast()
			return nil
		case u != nil && (u == s.ends.next || s.room()):
			s.start(u)
			return u
		}
		s.wake.Wait()
	}
	return nil
}

func (s *schedule) firstFree() *unit {
	for u := s.ends.next; u != &s.ends; u = u.next {
		if !u.taken {
			return u
		}
	}
	return nil
}

// room reports whether something may be done before its turn.
func (s *schedule) room() bool {
	units := maxUnitsAhead
	if s.files > warmFiles {
		units = maxWarmUnitsAhead
	}
	return s.taken < units+s.ahead && s.held < maxHeldBytes
}

// start marks the unit and leaves the files that are too many to another.
func (s *schedule) start(u *unit) {
	most := min(MaxBatchFiles, 4+s.files/16)
	if len(u.files) > most {
		s.insertAfter(u, &unit{parent: u.parent, files: u.files[most:]})
		u.files = u.files[:most]
		s.wake.Signal()
	}
	s.files += len(u.files)
	u.taken = true
	s.taken++
	s.active++
}

// emit adds a result to the unit a worker is at.
func (s *schedule) emit(u *unit, o outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	if u == s.ends.next {
		s.commitOne(&o)
		return
	}
	s.held += o.bytes()
	u.outcomes = append(u.outcomes, o)
}

func (s *schedule) commitOne(o *outcome) {
	if !s.over && s.commit(o) {
		s.over = true
		s.stop()
		s.wake.Broadcast()
	}
}

// interrupt ends the search from outside.
func (s *schedule) interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = true
	s.wake.Broadcast()
}

// rescue is deferred by workers.
func (s *schedule) rescue() {
	if value := recover(); value != nil {
		s.interrupt()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.panicked = fmt.Sprintf("%v\n%s", value, debug.Stack())
	}
}

// replace puts units in the place of a directory, behind its own outcomes, or
// behind the files that were searched before a large one. A unit that comes
// with outcomes needs no worker.
func (s *schedule) replace(u *unit, units []*unit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := u
	for _, n := range units {
		s.insertAfter(at, n)
		at = n
		if n.outcomes != nil {
			n.taken, n.finished = true, true
			s.taken++
			for i := range n.outcomes {
				s.held += n.outcomes[i].bytes()
			}
		}
	}
	if len(units) > 1 {
		s.wake.Broadcast()
	}
}

// finish ends the work on a unit and commits what has its turn now.
func (s *schedule) finish(u *unit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u.finished = true
	s.active--
	for head := s.ends.next; head != &s.ends && !s.over; head = s.ends.next {
		s.flush(head)
		if !head.finished {
			break
		}
		s.remove(head)
		s.taken--
		head.release()
	}
	s.wake.Broadcast()
}

func (s *schedule) flush(u *unit) {
	for i := range u.outcomes {
		s.held -= u.outcomes[i].bytes()
		s.commitOne(&u.outcomes[i])
	}
	u.outcomes = nil
}

// close commits what is left when the search was ended from outside, with
// gaps, and lets go of every directory. No worker may be at it.
func (s *schedule) close() {
	for u := s.ends.next; u != &s.ends; u = u.next {
		if !s.over {
			s.flush(u)
		}
		u.release()
	}
}

func (u *unit) release() {
	if u.parent != nil {
		u.parent.release()
	}
	if u.segment != nil {
		u.segment.file.release()
	}
}

// begin puts the first units in and commits what is ready.
func (s *schedule) begin(units []*unit) {
	s.replace(&s.ends, units)
	s.active++
	s.finish(&unit{})
}
