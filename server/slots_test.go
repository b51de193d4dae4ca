package server_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"septet/server"
	"septet/server/jsonrpc"
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

// TestCallsInFlightAreBounded: what is too many is refused, by its number and
// by its bytes, and the session goes on.
func TestCallsInFlightAreBounded(t *testing.T) {
	for name, c := range map[string]struct {
		fits int
		text string
	}{
		"number": {jsonrpc.MaxInFlightCalls, "x"},
		"bytes":  {boundedBytes/(16<<10) - 1, strings.Repeat("x", 16<<10)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { boundedInFlight(t, c.fits, c.text) })
		})
	}
}

// boundedBytes is less than usual and more than four frames.
const boundedBytes = 1 << 20

func boundedInFlight(t *testing.T, fits int, text string) {
	h := start(t, func(c *server.Config) { c.MaxCalls, c.MaxInFlightBytes, c.MaxFrameBytes = 1, boundedBytes, 64<<10 })
	h.initialize(server.Revision20251125)
	for id := range fits {
		h.send(toolCall(fmt.Sprint(id), "wait", `{"text":"`+text+`"}`, ""))
	}
	h.silence() // all of them were taken
	over := toolCall(`"over"`, "wait", `{"text":"`+text+`"}`, "")
	if a := h.ask(over); a.Error == nil || a.Error.Code != 7 || !strings.Contains(string(a.Error.Data), `"code":"too_many_calls"`) ||
		!strings.Contains(string(a.Error.Data), `"retryable":true`) {
		t.Errorf("one too many: %.300s", a.raw)
	}
	h.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	synctest.Wait()
	h.send(over) // it takes the place of the cancelled one
	h.silence()
	h.fake.releaseAll()
	for range fits {
		h.next().outcome(t)
	}
	h.finish()
}

// TestCallKeepsNoMoreThanItsParameters: the rest of a frame does not count
// because it is not kept.
func TestCallKeepsNoMoreThanItsParameters(t *testing.T) {
	h := start(t, func(c *server.Config) { c.MaxCalls = 1 })
	h.initialize(server.Revision20251125)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	padding := strings.Repeat("x", 256<<10)
	for id := range 50 {
		h.send(`{"padding":"` + padding + `",` + toolCall(fmt.Sprint(id), "wait", `{}`, "")[1:])
	}
	h.silence()
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 5<<20 {
		t.Errorf("%d bytes are kept for 50 small calls", kept)
	}
}
