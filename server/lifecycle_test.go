package server_test

import (
	"context"
	"strings"
	"testing"

	"septet/backend"
	"septet/server"
	"septet/session"
	"septet/toolset"
)

func provenanceOf(ctx context.Context) session.Provenance { return backend.ProvenanceOf(ctx) }

func TestPipeOfFramesIsAnsweredAndEnds(t *testing.T) {
	h := start(t, nil)
	h.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	h.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	h.send(toolCall("3", "echo", `{"text":"<hi>"}`, ""))
	_ = h.in.Close()
	for id := 1; id <= 3; id++ {
		a := h.next()
		if a.Error != nil || string(a.ID) != string(rune('0'+id)) {
			t.Errorf("answer %d: %s", id, a.raw)
		}
		if id == 3 && !strings.Contains(a.raw, `"text":"<hi>"`) {
			t.Errorf("the text is not as it was said: %s", a.raw)
		}
	}
	if err := h.wait(); err != nil {
		t.Error(err)
	}
}

func TestProvenanceReachesTheTool(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Session = "mine" })
	h.initialize(server.Revision20251125)
	h.ask(toolCall("1", "change", `{"text":"a"}`, `,"_meta":{"septet/turn":"t1"}`))
	first := <-h.fake.seen
	h.ask(toolCall("2", "change", `{"text":"a"}`, ``))
	second := <-h.fake.seen
	if first.Session != "mine" || first.Turn != "t1" || first.Tool != "change" || second.Turn != "" {
		t.Errorf("got %+v, %+v", first, second)
	}
	if first.CallID == "" || first.CallID == second.CallID {
		t.Errorf("call ids %q, %q", first.CallID, second.CallID)
	}
}

// TestPanicOfAMethodIsOneAnswer breaks what the methods stand on.
func TestPanicOfAMethodIsOneAnswer(t *testing.T) {
	broken := true
	h := start(t, func(c *server.Config) {
		finalize := c.Finalize
		c.Finalize = func(s toolset.Selection) (*toolset.FinalizedToolset, error) {
			if broken {
				panic("kaboom")
			}
			return finalize(s)
		}
		c.History = &script{undo: func(context.Context, session.UndoRequest) (session.UndoResult, error) { panic("kaboom") }}
	})
	if a := h.ask(`{"jsonrpc":"2.0","id":"x","method":"initialize","params":{"protocolVersion":"2025-11-25"}}`); a.Error == nil || a.Error.Code != -32603 || string(a.ID) != `"x"` || strings.Contains(a.raw, "kaboom") {
		t.Errorf("on the reading goroutine: %s", a.raw)
	}
	broken = false
	h.initialize(server.Revision20251125)
	for range 2 { // the first must not leave undo locked
		if a := h.ask(hostRequest("changes/undo", `{"last":1}`)); a.Error == nil || a.Error.Code != -32603 || string(a.ID) != "1" {
			t.Errorf("in a goroutine of its own: %s", a.raw)
		}
	}
	if o := h.ask(toolCall("2", "echo", `{}`, "")).outcome(t); o.IsError {
		t.Errorf("afterwards: %+v", o)
	}
}
