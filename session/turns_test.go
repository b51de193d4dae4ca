package session_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"septet/session"
)

func TestCancelledTurnStaysCancelled(t *testing.T) {
	var turns session.Turns
	one, c := turns.Begin(t.Context(), "one")
	defer c.End()
	two, d := turns.Begin(t.Context(), "two")
	defer d.End()
	turns.Cancel("one")
	if cause := context.Cause(one); !errors.Is(cause, session.ErrTurnEnded) {
		t.Errorf("the running call of the turn: %v", cause)
	}
	if two.Err() != nil {
		t.Error("a call of another turn was cancelled too")
	}
	later, e := turns.Begin(t.Context(), "one")
	defer e.End()
	if cause := context.Cause(later); !errors.Is(cause, session.ErrTurnEnded) {
		t.Errorf("a later call of the turn: %v", cause)
	}
}

func TestTurnCanBeCancelledBeforeItsFirstCall(t *testing.T) {
	var turns session.Turns
	turns.Cancel("early")
	ctx, c := turns.Begin(t.Context(), "early")
	defer c.End()
	if ctx.Err() == nil {
		t.Error("the call runs")
	}
}

func TestCancelAllLeavesTurnsUsable(t *testing.T) {
	var turns session.Turns
	for _, name := range []string{"", "named"} {
		running, c := turns.Begin(t.Context(), name)
		turns.CancelAll()
		later, d := turns.Begin(t.Context(), name)
		if !errors.Is(context.Cause(running), session.ErrTurnEnded) || later.Err() != nil {
			t.Errorf("turn %q: running %v, later %v", name, context.Cause(running), later.Err())
		}
		c.End()
		d.End()
	}
	if n := turns.Active(); n != 0 {
		t.Errorf("%d calls are still counted", n)
	}
}

func TestCallIsCancelledAlone(t *testing.T) {
	var turns session.Turns
	one, c := turns.Begin(t.Context(), "")
	two, d := turns.Begin(t.Context(), "")
	c.Cancel(session.ErrCancelled)
	if !errors.Is(context.Cause(one), session.ErrCancelled) || two.Err() != nil {
		t.Errorf("causes: %v, %v", context.Cause(one), context.Cause(two))
	}
	if n := turns.Active(); n != 2 {
		t.Errorf("%d active before the end, want 2", n)
	}
	c.End()
	c.End()
	d.End()
	if n := turns.Active(); n != 0 {
		t.Errorf("%d active after the end", n)
	}
}

func TestSessionEndReachesEveryCall(t *testing.T) {
	var turns session.Turns
	ctx, shutdown := context.WithCancelCause(t.Context())
	call, c := turns.Begin(ctx, "named")
	defer c.End()
	shutdown(session.ErrShutdown)
	if !errors.Is(context.Cause(call), session.ErrShutdown) {
		t.Errorf("cause %v", context.Cause(call))
	}
}

func TestNamesOfCancelledTurnsAreBounded(t *testing.T) {
	const bound = 1000
	var turns session.Turns
	for i := range bound + 1 {
		turns.Cancel(fmt.Sprint(i))
		turns.Cancel(fmt.Sprint(i)) // counts once
	}
	for name, want := range map[string]bool{"0": false, "1": true, fmt.Sprint(bound): true} {
		ctx, c := turns.Begin(t.Context(), name)
		if cancelled := ctx.Err() != nil; cancelled != want {
			t.Errorf("turn %s: cancelled %t, want %t", name, cancelled, want)
		}
		c.End()
	}
}

func TestExclusiveWorkAndCallsKeepApart(t *testing.T) {
	var turns session.Turns
	ctx, running := turns.Begin(t.Context(), "")
	if _, ok := turns.Exclusive(); ok {
		t.Error("exclusive beside a running call")
	}
	if err := running.Admitted(ctx); err != nil {
		t.Error(err)
	}
	running.End()
	done, ok := turns.Exclusive()
	if !ok {
		t.Fatal("not exclusive although nothing runs")
	}
	if _, ok := turns.Exclusive(); ok {
		t.Error("exclusive twice")
	}
	ctx, waiting := turns.Begin(t.Context(), "")
	impatient, other := turns.Begin(t.Context(), "gone")
	turns.Cancel("gone")
	if err := other.Admitted(impatient); !errors.Is(err, session.ErrTurnEnded) {
		t.Errorf("a cancelled call waits: %v", err)
	}
	other.End()
	admitted := make(chan error)
	go func() { admitted <- waiting.Admitted(ctx) }()
	select {
	case <-admitted:
		t.Error("a call was admitted beside exclusive work")
	default:
	}
	done()
	if err := <-admitted; err != nil {
		t.Error(err)
	}
	waiting.End()
	if _, ok := turns.Exclusive(); !ok {
		t.Error("not exclusive again")
	}
}

func TestSecondCancelMakesTheCallHurry(t *testing.T) {
	hurried := func(c *session.CallContext) bool {
		select {
		case <-c.Hurried():
			return true
		default:
			return false
		}
	}
	for name, again := range map[string]func(*session.Turns, *session.TurnCall){
		"the call": func(_ *session.Turns, c *session.TurnCall) { c.Cancel(session.ErrCancelled) },
		"the turn": func(t *session.Turns, _ *session.TurnCall) { t.Cancel("one") },
		"all":      func(t *session.Turns, _ *session.TurnCall) { t.CancelAll() },
		"the end":  func(t *session.Turns, _ *session.TurnCall) { t.Hurry() },
	} {
		var turns session.Turns
		ctx, c := turns.Begin(t.Context(), "one")
		call := session.NewCall("1", nil)
		c.Attach(call)
		c.Cancel(session.ErrCancelled)
		if hurried(call) {
			t.Errorf("%s: one cancel is no hurry", name)
		}
		again(&turns, c)
		if !hurried(call) || !errors.Is(context.Cause(ctx), session.ErrCancelled) {
			t.Errorf("%s: hurried %t, cause %v", name, hurried(call), context.Cause(ctx))
		}
		late := session.NewCall("2", nil)
		c.Attach(late)
		if !hurried(late) {
			t.Errorf("%s: a call that is attached later does not hurry", name)
		}
		c.End()
	}
}
