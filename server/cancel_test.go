package server_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"septet/server"
	"septet/session"
)

// cancelled checks the answer to a call that was cancelled with $/cancel.
func cancelled(t *testing.T, a answer, cause string) {
	t.Helper()
	o := a.outcome(t)
	if !o.IsError || o.Meta.Status != "cancelled" || o.Meta.Error == nil || !strings.Contains(o.Meta.Error.Message, cause) {
		t.Errorf("want cancelled, %q: %s", cause, a.raw)
	}
}

func TestCancelledNotificationIsFollowedBySilence(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	for _, id := range []string{`0`, `1`, `"a"`} {
		h.send(toolCall(id, "wait", `{}`, `,"_meta":{"progressToken":`+id+`}`))
		<-h.fake.running
		h.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"x"}}`)
		h.silence()
		// The id is free at once, and its next call is answered.
		h.send(toolCall(id, "echo", `{"text":"again"}`, ""))
		if a := h.next(); string(a.ID) != id || a.outcome(t).Content[0].Text != "again" {
			t.Errorf("id %s: %s", id, a.raw)
		}
	}
	if err := h.end(); err != nil {
		t.Error(err)
	}
	for frame := range h.frames {
		t.Errorf("after the end: %s", frame)
	}
}

func TestCancelWorksFromTheFrameOn(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	// Both frames arrive in one read; whether the tool has begun is open.
	h.write(toolCall("1", "wait", `{}`, "") + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n")
	h.write(toolCall("2", "wait", `{}`, "") + "\n" + `{"jsonrpc":"2.0","method":"$/cancel","params":{"id":2}}` + "\n")
	a := h.next()
	if string(a.ID) != "2" {
		t.Errorf("the silenced call was answered: %s", a.raw)
	}
	cancelled(t, a, "cancelled by the host")
	h.silence()
}

func TestCancelKeepsPartialOutput(t *testing.T) {
	for _, frame := range []string{
		`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1.0}}`,
		`{"jsonrpc":"2.0","method":"$/cancel","params":{"turn":"t1"}}`,
		`{"jsonrpc":"2.0","method":"$/cancel","params":{}}`,
		`{"jsonrpc":"2.0","method":"$/cancel","params":null}`,
		`{"jsonrpc":"2.0","method":"$/cancel","params":{"_meta":{}}}`,
		`{"jsonrpc":"2.0","method":"$/cancel"}`,
	} {
		h := start(t, nil)
		h.initialize(server.Revision20251125)
		h.send(toolCall("1", "wait", `{}`, `,"_meta":{"septet/turn":"t1"}`))
		<-h.fake.running
		h.send(frame)
		a := h.next()
		cancelled(t, a, "cancelled by the host")
		if text := a.outcome(t).Content[0].Text; text != "partial" {
			t.Errorf("%s: text %q", frame, text)
		}
	}
}

func TestCancelThatNamesNothingCancelsNothing(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	h.send(toolCall("1", "wait", `{}`, `,"_meta":{"septet/turn":"t1"}`))
	<-h.fake.running
	for _, params := range []string{
		`{"id":2}`, `{"id":"1"}`, `{"id":null}`, `{"turn":"t2"}`, `{"turn":""}`, `{"turn":1}`, `{"id":1,"turn":"t1"}`, `{"what":1}`, `[]`, `7`,
	} {
		h.send(`{"jsonrpc":"2.0","method":"$/cancel","params":` + params + `}`)
		h.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":` + strings.ReplaceAll(params, `"id":1,`, `"what":1,`) + `}`)
	}
	h.silence()
	h.fake.releaseAll()
	if o := h.next().outcome(t); o.IsError {
		t.Errorf("%+v", o)
	}
}

func TestCancelledTurnStaysCancelled(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	h.send(toolCall("1", "wait", `{"text":"t1"}`, `,"_meta":{"septet/turn":"t1"}`))
	h.send(toolCall("2", "wait", `{"text":"t2"}`, `,"_meta":{"septet/turn":"t2"}`))
	h.send(toolCall("3", "wait", `{"text":"implicit"}`, ``))
	for range 3 {
		<-h.fake.running
	}
	h.send(`{"jsonrpc":"2.0","method":"$/cancel","params":{"turn":"t1"}}`)
	a := h.next()
	cancelled(t, a, "turn cancelled")
	if string(a.ID) != "1" {
		t.Errorf("cancelled %s", a.raw)
	}
	cancelled(t, h.ask(toolCall("4", "echo", `{}`, `,"_meta":{"septet/turn":"t1"}`)), "turn cancelled")
	h.send(`{"jsonrpc":"2.0","method":"$/cancel"}`)
	cancelled(t, h.next(), "turn cancelled")
	cancelled(t, h.next(), "turn cancelled")
	for _, meta := range []string{``, `,"_meta":{"septet/turn":"t2"}`} {
		if o := h.ask(toolCall("5", "echo", `{"text":"on"}`, meta)).outcome(t); o.IsError {
			t.Errorf("the turn %q is not usable any more: %+v", meta, o)
		}
	}
}

func TestWaitingCallsAreCancellable(t *testing.T) {
	h := start(t, func(c *server.Config) { c.MaxProcesses = 1 })
	h.initialize(server.Revision20251125)
	h.send(toolCall("1", "shell", `{"text":"first"}`, ""))
	<-h.fake.running
	for id := 2; id <= 4; id++ {
		h.send(toolCall(fmt.Sprint(id), "shell", `{"text":"later"}`, ""))
	}
	h.send(`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":2}}`)
	a := h.next()
	cancelled(t, a, "before it started")
	h.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	h.silence()
	h.send(`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}`)
	cancelled(t, h.next(), "cancelled by the host")
	if text := <-h.fake.running; text != "later" { // call 4 has the slot now
		t.Errorf("%q runs", text)
	}
	h.fake.releaseAll()
	if a := h.next(); string(a.ID) != "4" {
		t.Errorf("answered %s", a.raw)
	}
}

// TestSilencedIDIsFreeWhileItsToolStillRuns calls a tool that does not care
// about being cancelled.
func TestSilencedIDIsFreeWhileItsToolStillRuns(t *testing.T) {
	h := start(t, nil)
	running := make(chan bool)
	h.fake.paced = func(func(session.Progress)) {
		running <- true
		<-h.fake.release
	}
	h.initialize(server.Revision20251125)
	h.send(toolCall("1", "paced", `{}`, ""))
	<-running
	h.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if o := h.ask(toolCall("1", "echo", `{"text":"new"}`, "")).outcome(t); o.Content[0].Text != "new" {
		t.Errorf("%+v", o)
	}
	h.fake.releaseAll()
	h.silence()
}

// TestNothingQueuedLeavesAfterSilence cancels calls whose frames wait behind
// one that the host does not read.
func TestNothingQueuedLeavesAfterSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		h.fake.paced = func(report func(session.Progress)) {
			report(session.Progress{Kind: session.ProgressStdout, Chunk: "x", Done: 1})
			<-h.fake.release
		}
		h.initialize(server.Revision20251125)
		hold := h.holdReading()
		h.send(`{"jsonrpc":"2.0","id":"last","method":"ping"}`) // the last that is read for now
		h.next()
		h.send(toolCall("1", "big", `{"count":200000}`, "")) // fills every buffer on the way
		synctest.Wait()
		h.send(toolCall("2", "paced", `{}`, `,"_meta":{"progressToken":2}`)) // its progress waits
		h.send(toolCall("3", "echo", `{}`, ""))                              // its answer waits
		synctest.Wait()
		for _, id := range []string{"2", "3"} {
			h.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
		}
		synctest.Wait()
		close(hold)
		if a := h.next(); string(a.ID) != "1" {
			t.Errorf("got %.100s", a.raw)
		}
		h.silence()
		h.fake.releaseAll()
		h.finish()
	})
}

func TestSecondCancelAndTheEndMakeACallHurry(t *testing.T) {
	for _, again := range []string{`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}`, `{"jsonrpc":"2.0","method":"$/cancel"}`, ""} {
		h := start(t, nil)
		h.initialize(server.Revision20251125)
		h.send(toolCall("1", "deaf", `{}`, ""))
		<-h.fake.running
		h.send(`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}`)
		h.silence()
		if again == "" {
			h.stop()
		} else {
			h.send(again)
		}
		if o := h.next().outcome(t); o.Content[0].Text != "hurried" {
			t.Errorf("%q: %+v", again, o)
		}
	}
}

// TestTurnHasUpTo128Characters, whatever their length in bytes.
func TestTurnHasUpTo128Characters(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	turn := strings.Repeat("é", 128)
	h.send(toolCall("1", "wait", `{}`, `,"_meta":{"septet/turn":"`+turn+`"}`))
	h.send(`{"jsonrpc":"2.0","method":"$/cancel","params":{"turn":"` + turn + `"}}`)
	if a := h.next(); a.Error != nil || a.outcome(t).Meta.Status != "cancelled" {
		t.Errorf("%s", a.raw)
	}
	if a := h.ask(toolCall("2", "echo", `{}`, `,"_meta":{"septet/turn":"`+turn+`é"}`)); a.Error == nil || a.Error.Code != -32602 {
		t.Errorf("a character more: %s", a.raw)
	}
}
