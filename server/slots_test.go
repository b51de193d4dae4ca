package server_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"septet/server"
)

// TestSlotsBoundWhatRuns fills the slots of a kind and looks at how many calls
// began once nothing moves any more.
func TestSlotsBoundWhatRuns(t *testing.T) {
	for _, c := range []struct {
		tool string
		want int
	}{{"shell", 2}, {"search", 3}, {"wait", 5}} {
		synctest.Test(t, func(t *testing.T) {
			h := start(t, func(c *server.Config) { c.MaxCalls, c.MaxProcesses, c.MaxSearches = 5, 2, 3 })
			h.initialize(server.Revision20251125)
			const sent = 9
			for id := range sent {
				h.send(toolCall(fmt.Sprint(id), c.tool, `{}`, ""))
			}
			synctest.Wait()
			if n := len(h.fake.running); n != c.want {
				t.Errorf("%s: %d calls run, want %d", c.tool, n, c.want)
			}
			h.silence() // a ping is answered while everything is busy
			h.fake.releaseAll()
			for range sent {
				h.next()
			}
			if n := len(h.fake.running); n != sent {
				t.Errorf("%s: %d calls ran in the end, want %d", c.tool, n, sent)
			}
			h.finish()
		})
	}
}

// TestWaitingShellsKeepNoReaderFromRunning is about the order of the slots.
func TestWaitingShellsKeepNoReaderFromRunning(t *testing.T) {
	h := start(t, func(c *server.Config) { c.MaxCalls, c.MaxProcesses = 2, 1 })
	h.initialize(server.Revision20251125)
	for id := range 9 {
		h.send(toolCall(fmt.Sprint(id), "shell", `{}`, ""))
	}
	if o := h.ask(toolCall("100", "echo", `{"text":"through"}`, "")).outcome(t); o.Content[0].Text != "through" {
		t.Errorf("%+v", o)
	}
}

func TestManyCallsGetTheirOwnAnswers(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	const sent = 200
	go func() {
		for id := range sent {
			h.send(toolCall(fmt.Sprint(id), "echo", fmt.Sprintf(`{"text":"say %d"}`, id), ""))
		}
	}()
	seen := map[string]bool{}
	for range sent {
		a := h.next()
		if got, want := a.outcome(t).Content[0].Text, "say "+string(a.ID); got != want || seen[want] {
			t.Errorf("id %s: %q", a.ID, got)
		}
		seen["say "+string(a.ID)] = true
	}
}
