package local

import (
	"cmp"
	"context"
	"errors"
	"os"
	"time"

	"septet/backend"
)

const (
	// progressInterval is the least time between two chunks of progress: ten a
	// second are as many as anyone reads.
	progressInterval = 100 * time.Millisecond
	// flushTime is what output may take to arrive after everything has ended.
	// Only a descriptor that was passed to a foreign process keeps a pipe open
	// that long.
	flushTime = 250 * time.Millisecond
	// silenceTime is how long a supervisor may take to answer beyond what it
	// was given. One that was stopped never does.
	silenceTime = time.Second
)

// running is one started command as the server sees it. Nothing in it holds
// the call's context, so that it can outlive the call. One goroutine uses it.
type running struct {
	command backend.Command
	late    func(callID string, c backend.Completion)
	began   time.Time
	begun   bool    // something may have run
	leader  int     // pid; 0 until it is known
	ended   *ending // nil until it is known
	failed  string  // why nothing was started
	stdout  *capture
	stderr  *capture
	pipes   []*os.File // the reading ends
	news    chan struct{}
	link    supervision
}

func (p *processes) newRunning(c backend.Command) *running {
	r := &running{command: c, late: p.config.Late, began: time.Now()}
	if c.Output != nil {
		r.news = make(chan struct{}, 1)
	}
	r.stdout = newCapture(newSpill(p.config.SpillDir, c.CallID, spillOut), r.news)
	r.stderr = newCapture(newSpill(p.config.SpillDir, c.CallID, spillErr), r.news)
	return r
}

// supervision is how a running command's supervisor is reached: a shim, or a
// goroutine of this process.
type supervision struct {
	reports <-chan report // closed after the last
	order   func(order)   // does not block
	dismiss func()        // kills the supervisor; what it supervised is adopted
	// adopt ends what a killed supervisor left; it takes confirmTime at most.
	// leader may be 0.
	adopt   func(leader int) adoption
	release func() (done bool) // reaps the supervisor, after the last report; done: it ended as one does whose work is done. Only once
}

// adoption is what became of what a supervisor left.
type adoption struct {
	ended *ending         // nil when it is not known how the leader ended
	alive []backend.Alive // what could not be killed
	blind bool            // nothing can be adopted here: what is left is not known
}

// vigil is what wait waits for.
type vigil struct {
	asked   <-chan struct{}  // the context's end; nil afterwards
	hurry   <-chan struct{}  // nil before the context's end
	silence <-chan time.Time // the supervisor should have answered
	news    <-chan struct{}  // output; nil while a chunk is due already
	due     <-chan time.Time
	told    time.Time // of the last chunk
}

// wait brings the command to its end.
func (r *running) wait(ctx context.Context) (backend.Completion, error) {
	v := vigil{asked: ctx.Done(), news: r.news}
	for {
		select {
		case <-v.asked:
			v.asked, v.hurry = nil, r.command.Hurry
			now := errors.Is(context.Cause(ctx), backend.ErrShutdown)
			v.silence = r.end(now)
		case <-v.hurry:
			v.hurry = nil
			v.silence = r.end(true)
		case <-v.silence:
			r.link.dismiss()
		case <-v.news:
			v.news, v.due = nil, time.After(progressInterval-time.Since(v.told))
		case <-v.due:
			v.news, v.due, v.told = r.news, nil, time.Now()
			r.progress(false)
		case got, open := <-r.link.reports:
			if len(got.Alive) > 0 {
				r.link.order(order{Now: true}) // should it be false, it shall not be left alive
				return r.outlive(got.Alive), nil
			}
			if !open {
				return r.conclude(ctx)
			}
			v.silence = r.note(got, v.silence)
		}
	}
}

// end orders the end and returns when there must have been an answer.
func (r *running) end(now bool) <-chan time.Time {
	r.link.order(order{Now: now})
	allowed := confirmTime + silenceTime
	if !now {
		allowed += askedGrace
	}
	return time.After(allowed)
}

// note takes a report that ends nothing here. After the last one the
// supervisor goes at once, or is made to.
func (r *running) note(got report, silence <-chan time.Time) <-chan time.Time {
	switch {
	case got.Starting:
		r.begun = true
	case got.Started != 0 && r.leader == 0:
		r.leader = got.Started
	case got.Failed != "":
		r.failed = got.Failed
	case got.Ended != nil:
		r.ended = got.Ended
		return time.After(silenceTime)
	}
	return silence
}

// progress tells what arrived.
func (r *running) progress(last bool) {
	tell := func(name backend.StreamName, c *capture) {
		if text, total := c.progress(last); text != "" {
			r.command.Output(name, text, total)
		}
	}
	tell(backend.Stdout, r.stdout)
	tell(backend.Stderr, r.stderr)
}

// conclude makes the completion after the supervisor's last report.
func (r *running) conclude(ctx context.Context) (backend.Completion, error) {
	left := r.settle()
	if r.leader == 0 && (r.failed != "" || !r.begun) {
		r.close()
		return backend.Completion{}, spawnFailed(errors.New(cmp.Or(r.failed, "its supervisor ended before it")))
	}
	if len(left.alive) > 0 {
		return r.outlive(left.alive), nil
	}
	r.flush()
	if r.news != nil {
		r.progress(true)
	}
	c := r.completion()
	if ctx.Err() != nil && !left.blind && (r.ended == nil || r.ended.Asked) {
		c.Status, c.ExitCode, c.Signal = askedStatus(ctx), 0, ""
	}
	r.close()
	return c, nil
}

// settle reaps the supervisor, and ends what it left when its work was not
// done: a command may kill its supervisor. It may also open its pipes in /proc
// and tell a false end, which its supervisor outlives until it is dismissed.
// Then only what is seen here counts.
func (r *running) settle() adoption {
	if done := r.link.release(); done && r.ended != nil || !r.begun {
		return adoption{}
	}
	return r.adopt()
}

// adopt ends what the supervisor left.
func (r *running) adopt() adoption {
	left := r.link.adopt(r.leader)
	if r.ended = left.ended; r.ended != nil {
		r.ended.Asked = true
	}
	return left
}

// completion describes the command as it is known now.
func (r *running) completion() backend.Completion {
	c := backend.Completion{
		Status:   backend.OutcomeUnknown,
		Stdout:   r.stdout.captured(),
		Stderr:   r.stderr.captured(),
		Duration: time.Since(r.began),
	}
	if r.ended == nil {
		return c
	}
	c.Leftover = r.ended.Leftover
	c.Status, c.ExitCode = backend.Exited, r.ended.ExitCode
	if r.ended.Signal != "" {
		c.Status, c.Signal = backend.Signaled, r.ended.Signal
	}
	return c
}

// flush waits for the output that is still in the pipes.
func (r *running) flush() {
	limit := time.After(flushTime)
	for i, c := range []*capture{r.stdout, r.stderr} {
		select {
		case <-c.done:
		case <-limit:
			limit = time.After(0)
			if r.pipes[i].SetReadDeadline(time.Now()) == nil {
				<-c.done
			}
		}
	}
}

// outlive answers for a command that may still be running, and keeps its
// handle: output goes on being taken, killing goes on being tried, and the
// late end is told.
func (r *running) outlive(alive []backend.Alive) backend.Completion {
	c := r.completion()
	c.Status, c.Alive = backend.OutcomeUnknown, alive
	r.command = backend.Command{CallID: r.command.CallID} // the rest belongs to the call
	go r.keep()
	return c
}

func (r *running) keep() {
	for got := range r.link.reports {
		r.note(got, nil)
	}
	for left := r.settle(); len(left.alive) > 0; left = r.adopt() {
		time.Sleep(retryInterval)
	}
	r.flush()
	c := r.completion()
	r.close()
	if r.late != nil {
		r.late(r.command.CallID, c)
	}
}

// close gives everything back. The captures have ended, or were never read.
func (r *running) close() {
	for _, pipe := range r.pipes {
		_ = pipe.Close()
	}
	r.stdout.spill.close()
	r.stderr.spill.close()
}
