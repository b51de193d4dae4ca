//go:build linux || darwin

package local

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"septet/backend"
)

// troupe is a kin in memory: a leader and others, each with what it takes to
// end it. It notes what is done to it and when.
type troupe struct {
	t       *testing.T
	mu      sync.Mutex // guards what follows
	began   time.Time
	exited  chan struct{}
	members map[string]*member
	status  unix.WaitStatus
	reaped  bool
	log     []string
}

// member is one process; the leader's name is "leader".
type member struct {
	alive   bool
	dieOn   unix.Signal // 0: nothing ends it
	refuses bool        // signals are refused
}

func newTroupe(t *testing.T, members map[string]*member) *troupe {
	r := &troupe{t: t, began: time.Now(), exited: make(chan struct{}), members: members}
	for _, m := range members {
		m.alive = true
	}
	return r
}

func (r *troupe) note(format string, args ...any) {
	entry := fmt.Sprintf(format, args...)
	if n := len(r.log); n == 0 || !strings.HasPrefix(r.log[n-1], entry+" ") { // repeats are one
		r.log = append(r.log, fmt.Sprintf("%s %v", entry, time.Since(r.began).Round(100*time.Millisecond)))
	}
}

// end lets a member end by itself.
func (r *troupe) end(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over(name)
}

func (r *troupe) over(name string) {
	r.members[name].alive = false
	if name == "leader" {
		close(r.exited)
	}
}

func (r *troupe) signal(sig unix.Signal) (refused bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reaped {
		r.t.Error("signal after the leader was reaped: its number could be another's")
	}
	if sig != unix.SIGCONT {
		r.note("%s", unix.SignalName(sig))
	}
	for name, m := range r.members {
		switch {
		case m.alive && m.refuses:
			refused = true
		case m.alive && m.dieOn != 0 && (m.dieOn == sig || sig == unix.SIGKILL):
			r.over(name)
		}
	}
	return refused
}

func (r *troupe) living() []int {
	return make([]int, len(slices.DeleteFunc(r.names(), func(n string) bool { return n == "leader" })))
}

func (r *troupe) names() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for name, m := range r.members {
		if m.alive {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (r *troupe) states() []backend.Alive {
	var alive []backend.Alive
	for _, name := range r.names() {
		alive = append(alive, backend.Alive{Name: name})
	}
	return alive
}

func (r *troupe) reap() unix.WaitStatus {
	if r.members["leader"].alive {
		r.t.Error("reaped a living leader")
	}
	r.reaped = true
	return r.status
}

// supervise runs a supervisor over r until it returns and notes its reports.
// script may give orders and end members meanwhile.
func (r *troupe) supervise(script func(orders chan<- order)) {
	orders := make(chan order)
	s := supervisor{kin: r, exited: r.exited, orders: orders, tell: func(told report) {
		if told.Ended != nil {
			r.note("ended asked=%t leftover=%v", told.Ended.Asked, told.Ended.Leftover)
			return
		}
		r.note("alive %v", told.Alive)
	}}
	go script(orders)
	s.run()
	r.note("over")
}

func TestSupervisor(t *testing.T) {
	gentle := func() *member { return &member{dieOn: unix.SIGTERM} }
	deaf := func() *member { return &member{dieOn: unix.SIGKILL} }
	stuck := func() *member { return &member{} }
	rows := []struct {
		name    string
		members map[string]*member
		script  func(r *troupe, orders chan<- order)
		want    []string
	}{
		{"ends alone", map[string]*member{"leader": gentle()},
			func(r *troupe, _ chan<- order) { r.end("leader") },
			[]string{"ended asked=false leftover=[] 0s", "over 0s"}},
		{"others end in time", map[string]*member{"leader": gentle(), "tee": gentle()},
			func(r *troupe, _ chan<- order) {
				r.end("leader")
				time.Sleep(200 * time.Millisecond)
				r.end("tee")
			},
			[]string{"ended asked=false leftover=[] 200ms", "over 200ms"}},
		{"leftover", map[string]*member{"leader": gentle(), "sleep": gentle()},
			func(r *troupe, _ chan<- order) { r.end("leader") },
			[]string{"SIGTERM 300ms", "ended asked=false leftover=[sleep] 300ms", "over 300ms"}},
		{"deaf leftover", map[string]*member{"leader": gentle(), "sleep": deaf()},
			func(r *troupe, _ chan<- order) { r.end("leader") },
			[]string{"SIGTERM 300ms", "SIGKILL 1.3s", "ended asked=false leftover=[sleep] 1.3s", "over 1.3s"}},
		{"an order ends the lingering", map[string]*member{"leader": gentle(), "sleep": gentle()},
			func(r *troupe, orders chan<- order) {
				r.end("leader")
				time.Sleep(50 * time.Millisecond)
				orders <- order{}
			},
			[]string{"SIGTERM 100ms", "ended asked=false leftover=[sleep] 100ms", "over 100ms"}},
		{"asked", map[string]*member{"leader": gentle(), "sleep": gentle()},
			func(_ *troupe, orders chan<- order) { orders <- order{} },
			[]string{"SIGTERM 0s", "ended asked=true leftover=[] 0s", "over 0s"}},
		{"asked and deaf", map[string]*member{"leader": deaf()},
			func(_ *troupe, orders chan<- order) { orders <- order{} },
			[]string{"SIGTERM 0s", "SIGKILL 2s", "ended asked=true leftover=[] 2s", "over 2s"}},
		{"no grace", map[string]*member{"leader": deaf()},
			func(_ *troupe, orders chan<- order) { orders <- order{Now: true} },
			[]string{"SIGTERM 0s", "SIGKILL 0s", "ended asked=true leftover=[] 0s", "over 0s"}},
		{"grace cut short", map[string]*member{"leader": deaf()},
			func(_ *troupe, orders chan<- order) {
				orders <- order{}
				time.Sleep(500 * time.Millisecond)
				orders <- order{Now: true}
			},
			[]string{"SIGTERM 0s", "SIGKILL 500ms", "ended asked=true leftover=[] 500ms", "over 500ms"}},
		{"an order repeated changes nothing", map[string]*member{"leader": deaf()},
			func(_ *troupe, orders chan<- order) {
				orders <- order{}
				time.Sleep(500 * time.Millisecond)
				orders <- order{}
			},
			[]string{"SIGTERM 0s", "SIGKILL 2s", "ended asked=true leftover=[] 2s", "over 2s"}},
		{"server gone", map[string]*member{"leader": deaf(), "sleep": deaf()},
			func(_ *troupe, orders chan<- order) { close(orders) },
			[]string{"SIGTERM 0s", "SIGKILL 0s", "ended asked=true leftover=[] 0s", "over 0s"}},
		{"not confirmed, and late", map[string]*member{"leader": deaf(), "dd": stuck()},
			func(r *troupe, orders chan<- order) {
				orders <- order{Now: true}
				time.Sleep(4500 * time.Millisecond)
				r.end("dd")
			},
			[]string{"SIGTERM 0s", "SIGKILL 0s", "alive [{0 dd }] 2s", "SIGKILL 3s", "ended asked=true leftover=[] 5s", "over 5s"}},
		{"foreign and orphaned", map[string]*member{"leader": deaf(), "root": {refuses: true}},
			func(_ *troupe, orders chan<- order) { close(orders) },
			[]string{"SIGTERM 0s", "SIGKILL 0s", "over 2s"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newTroupe(t, row.members)
				r.supervise(func(orders chan<- order) { row.script(r, orders) })
				if !slices.Equal(r.log, row.want) {
					t.Errorf("got  %q\nwant %q", r.log, row.want)
				}
			})
		})
	}
}

// When the end and the order to end come together, the end came first.
func TestEndWinsOverOrder(t *testing.T) {
	for range 100 {
		r := newTroupe(t, map[string]*member{"leader": {}})
		r.end("leader")
		orders := make(chan order, 1)
		orders <- order{}
		var ended *ending
		s := supervisor{kin: r, exited: r.exited, orders: orders, tell: func(told report) { ended = told.Ended }}
		if s.run(); ended == nil || ended.Asked {
			t.Fatalf("got %+v", ended)
		}
	}
}
