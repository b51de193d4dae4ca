//go:build linux || darwin

package local

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"septet/backend"
	"septet/safepath"
)

// orderTime is how long a shim may take to read an order. Its first, the job,
// is longer than a pipe holds, and is read when the shim has started.
const orderTime = 5 * time.Second

// start starts a supervisor with its command.
func (p *processes) start(c backend.Command, j job, dir *safepath.WorkDir) (*running, error) {
	if err := stillThere(dir); err != nil {
		return nil, err
	}
	r := p.newRunning(c)
	ends := &childEnds{}
	defer ends.close()
	if err := ends.open(r); err != nil {
		r.close()
		return nil, err
	}
	start := p.startPlain
	if p.config.Shim != "" {
		start = p.startShim
	}
	if err := start(r, j, ends, dir); err != nil {
		r.close()
		return nil, err
	}
	go r.stdout.drain(r.pipes[0])
	go r.stderr.drain(r.pipes[1])
	return r, nil
}

// stillThere refuses a directory that was removed: everything in it would fail
// in a way that explains nothing.
func stillThere(dir *safepath.WorkDir) error {
	var stat unix.Stat_t
	if err := unix.Fstat(int(dir.File.Fd()), &stat); err != nil {
		return fmt.Errorf("look at the working directory: %w", err)
	}
	if stat.Nlink == 0 {
		return &backend.Error{
			Code: safepath.NotFound,
			Fact: "the working directory " + printablePath(dir.Path) + " does not exist any more",
			Hint: "call again with a cwd that exists",
		}
	}
	return nil
}

// startShim starts a shim and gives it its job.
func (p *processes) startShim(r *running, j job, ends *childEnds, dir *safepath.WorkDir) error {
	orderRead, orderWrite, err := os.Pipe()
	if err != nil {
		return err
	}
	ends.files = append(ends.files, orderRead)
	reportRead, reportWrite, err := os.Pipe()
	if err != nil {
		_ = orderWrite.Close()
		return err
	}
	ends.files = append(ends.files, reportWrite)
	s := &shimLink{orders: orderWrite, reports: reportRead}
	if s.pid, err = p.shims.fork(p.config.Shim, r.command.Env, append(ends.descriptors(), dir.File.Fd())); err != nil {
		s.close()
		return fmt.Errorf("start its supervisor: %w", err)
	}
	runtime.KeepAlive(dir)
	s.tended = tend(s.pid, s.gone)
	since := startOf(s.pid)
	s.send(order{Job: &j})
	r.link = supervision{
		reports: reportsOf(s.reports),
		order:   s.order,
		dismiss: s.kill,
		adopt: func(leader int) adoption {
			if alive := undead(s.pid, s.exited); len(alive) > 0 {
				return adoption{alive: alive}
			}
			return p.shims.adopt(leader, since)
		},
		release: func() bool { return s.release(&p.shims) },
	}
	return nil
}

// fork starts a shim in a session of its own, where a Ctrl-C in the server's
// terminal does not reach it, and knows it from then on. When this process is
// killed while the shim is stopped, the kernel wakes the shim.
func (n *nursery) fork(program string, env []string, files []uintptr) (int, error) {
	n.Lock()
	defer n.Unlock()
	pid, err := syscall.ForkExec(program, []string{shimName, shimVerb}, &syscall.ProcAttr{
		Env:   env,
		Files: files,
		Sys:   parentDeath(&syscall.SysProcAttr{Setsid: true}, syscall.SIGCONT),
	})
	if err == nil {
		n.known[pid] = true
	}
	return pid, err
}

// forget is for a shim that was reaped: its number may come to mean another.
func (n *nursery) forget(pid int) {
	n.Lock()
	defer n.Unlock()
	delete(n.known, pid)
}

// shimLink is the server's side of a shim.
type shimLink struct {
	pid     int
	tended  func()          // ends the tending; see tend
	exited  <-chan struct{} // closed when the shim has ended; nil before its release
	orders  *os.File
	reports *os.File
}

// order tells the shim to end its command. A command may have stopped it.
func (s *shimLink) order(o order) {
	_ = unix.Kill(s.pid, unix.SIGCONT)
	s.send(o)
}

// send writes an order. One that cannot be written is not answered either, and
// silence ends the shim.
func (s *shimLink) send(o order) {
	_ = s.orders.SetWriteDeadline(time.Now().Add(orderTime))
	_ = json.NewEncoder(s.orders).Encode(o)
}

// kill is only called before release, so the number is still the shim's.
func (s *shimLink) kill() {
	_ = unix.Kill(s.pid, unix.SIGKILL)
	s.gone()
}

// gone ends the reading of reports when the shim has ended: a command can hold
// the other end of the pipe. What the shim wrote is in the pipe.
func (s *shimLink) gone() { _ = s.reports.SetReadDeadline(time.Now().Add(flushTime)) }

// release reaps a shim whose reports have ended, which is when it ends. Exit
// code 0 is that of a shim whose work is done. A command that traces the shim
// keeps it from being reaped, until what the shim left has been ended; one that
// froze it keeps it from ending.
func (s *shimLink) release(known *nursery) (done bool) {
	if s.exited != nil {
		return false
	}
	s.tended()
	s.close()
	s.exited = awaitExit(s.pid)
	reap := func() unix.WaitStatus {
		<-s.exited
		defer known.forget(s.pid)
		return waitFor(s.pid)
	}
	select {
	case <-s.exited:
		status := reap()
		return status.Exited() && status.ExitStatus() == 0
	case <-time.After(silenceTime):
		_ = unix.Kill(s.pid, unix.SIGKILL)
		go reap()
		return false
	}
}

func (s *shimLink) close() {
	_ = s.orders.Close()
	_ = s.reports.Close()
}

// startPlain starts the command in a process group of its own, supervised from
// here.
func (p *processes) startPlain(r *running, j job, ends *childEnds, dir *safepath.WorkDir) error {
	pid, err := syscall.ForkExec(j.Shell, j.arguments(), &syscall.ProcAttr{
		Dir:   startPath(dir),
		Env:   r.command.Env,
		Files: ends.descriptors(),
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return fmt.Errorf("start %s: %w", j.Shell, err)
	}
	runtime.KeepAlive(dir)
	r.begun, r.leader = true, pid
	reports, orders := make(chan report), make(chan order, 4)
	s := supervisor{kin: &group{leader: pid}, exited: awaitExit(pid), orders: orders, tell: func(r report) { reports <- r }}
	go func() {
		defer close(reports)
		s.run()
	}()
	r.link = supervision{
		reports: reports,
		order:   func(o order) { orders <- o }, // at most two come
		dismiss: func() {},
		adopt:   func(int) adoption { return adoption{} },
		release: func() bool { return true },
	}
	return nil
}
