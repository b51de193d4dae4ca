package session_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

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

func TestWorkingAloneIsRefusedWhileACallRuns(t *testing.T) {
	var turns session.Turns
	_, c := turns.Begin(t.Context(), "")
	if _, ok := turns.WorkAlone(); ok {
		t.Error("a call runs, and yet somebody works alone")
	}
	c.End()
	end, ok := turns.WorkAlone()
	if !ok {
		t.Fatal("nothing runs, and yet working alone is refused")
	}
	if _, ok := turns.WorkAlone(); ok {
		t.Error("two work alone")
	}
	end()
	if end, ok := turns.WorkAlone(); !ok {
		t.Error("refused after the end of the one before")
	} else {
		end()
	}
}

func TestACallWaitsForWhoWorksAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns session.Turns
		end, _ := turns.WorkAlone()
		ctx, c := turns.Begin(t.Context(), "")
		defer c.End()
		waited := make(chan error, 1)
		go func() { waited <- c.Wait(ctx) }()
		synctest.Wait()
		select {
		case err := <-waited:
			t.Fatalf("the call did not wait: %v", err)
		default:
		}
		end()
		if err := <-waited; err != nil {
			t.Errorf("the call was not let go: %v", err)
		}
	})
}

func TestAWaitingCallCanBeCancelled(t *testing.T) {
	var turns session.Turns
	end, _ := turns.WorkAlone()
	defer end()
	ctx, c := turns.Begin(t.Context(), "one")
	defer c.End()
	turns.Cancel("one")
	if err := c.Wait(ctx); !errors.Is(err, session.ErrTurnEnded) {
		t.Errorf("waiting ended with %v", err)
	}
}
