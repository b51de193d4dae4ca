package session

import (
	"context"
	"sync"
)

// maxCancelledTurns is how many names of cancelled turns are remembered. Over
// it the oldest is forgotten, and a call that still names it runs: no host
// comes back to a turn a thousand cancelled turns later.
const maxCancelledTurns = 1000

// Turns groups the running calls of a session into turns, so that a host can
// stop all that one turn started. A call without a name belongs to the
// implicit turn. The zero value is ready; it is safe for concurrent use.
type Turns struct {
	mu    sync.Mutex
	calls map[*TurnCall]struct{}
	// cancelled holds the named turns that were cancelled, and order their
	// names from the oldest. Running turns need no entry: their calls are.
	cancelled map[string]struct{}
	order     []string
	// undoing is set while work goes on that no call may run beside, and closed
	// at its end.
	undoing chan struct{}
}

// TurnCall is the membership of one running call in its turn.
type TurnCall struct {
	turns  *Turns
	turn   string
	cancel context.CancelCauseFunc

	// Guarded by turns.
	cancelled bool
	hurried   bool         // cancelled again
	call      *CallContext // nil before Attach
}

// Begin derives the context of a call from the session's. turn is "" for the
// implicit turn. In a turn that was cancelled the context has ended already,
// with ErrTurnEnded. The caller calls End when the call is over.
func (t *Turns) Begin(ctx context.Context, turn string) (context.Context, *TurnCall) {
	ctx, cancel := context.WithCancelCause(ctx)
	c := &TurnCall{turns: t, turn: turn, cancel: cancel}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.calls == nil {
		t.calls = map[*TurnCall]struct{}{}
	}
	t.calls[c] = struct{}{}
	if _, dead := t.cancelled[turn]; dead {
		c.stop(ErrTurnEnded)
	}
	return ctx, c
}

// Cancel ends the call's context with a cause of this package. The second time
// it makes the call hurry.
func (c *TurnCall) Cancel(cause error) {
	c.turns.mu.Lock()
	defer c.turns.mu.Unlock()
	c.stop(cause)
}

// stop is Cancel with the turns locked.
func (c *TurnCall) stop(cause error) {
	if c.cancelled {
		c.hurry()
		return
	}
	c.cancelled = true
	c.cancel(cause)
}

func (c *TurnCall) hurry() {
	c.hurried = true
	if c.call != nil {
		c.call.Hurry()
	}
}

// Attach tells the turn which call it is, so that it can be made to hurry.
func (c *TurnCall) Attach(call *CallContext) {
	c.turns.mu.Lock()
	defer c.turns.mu.Unlock()
	c.call = call
	if c.hurried {
		call.Hurry()
	}
}

// Hurry makes every call that is still there hurry, for the program ends. It
// cancels nothing.
func (t *Turns) Hurry() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := range t.calls {
		c.hurry()
	}
}

// End takes the call out of its turn and releases its context.
func (c *TurnCall) End() {
	c.turns.mu.Lock()
	defer c.turns.mu.Unlock()
	delete(c.turns.calls, c)
	c.cancel(context.Canceled)
}

// Cancel ends the running calls of a named turn. The turn stays cancelled: a
// later call in it ends at once. The turn need not have been heard of before.
func (t *Turns) Cancel(turn string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remember(turn)
	for c := range t.calls {
		if c.turn == turn {
			c.stop(ErrTurnEnded)
		}
	}
}

func (t *Turns) remember(turn string) {
	if _, known := t.cancelled[turn]; known {
		return
	}
	if t.cancelled == nil {
		t.cancelled = map[string]struct{}{}
	}
	if len(t.order) == maxCancelledTurns {
		delete(t.cancelled, t.order[0])
		t.order = append(t.order[:0], t.order[1:]...)
	}
	t.cancelled[turn] = struct{}{}
	t.order = append(t.order, turn)
}

// CancelAll ends the running calls of every turn. The turns stay usable: the
// implicit one starts anew, a named one goes on with its next call.
func (t *Turns) CancelAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := range t.calls {
		c.stop(ErrTurnEnded)
	}
}

// Active is the number of running calls, waiting ones included.
func (t *Turns) Active() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.calls)
}

// Exclusive begins work that no call may run beside, unless calls run or other
// such work does. Calls that begin meanwhile wait in Admitted until done is
// called.
func (t *Turns) Exclusive() (done func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.calls) > 0 || t.undoing != nil {
		return nil, false
	}
	over := make(chan struct{})
	t.undoing = over
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.undoing = nil
		close(over)
	}, true
}

// Admitted waits while exclusive work goes on. It is called before the call
// does anything; the error is the cause with which ctx ended.
func (c *TurnCall) Admitted(ctx context.Context) error {
	c.turns.mu.Lock()
	over := c.turns.undoing
	c.turns.mu.Unlock()
	if over == nil {
		return nil
	}
	select {
	case <-over:
		return nil // no other can have begun: this call runs
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
