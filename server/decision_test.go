package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"septet/server"
	"septet/session"
)

func TestDecisionOnEveryCall(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	for _, frame := range []string{
		toolCall("1", "echo", `{}`, ""),
		toolCall("2", "refuse", `{"text":"no_match"}`, ""),
		toolCall("3", "echo", `{}`, `,"_meta":{"septet/auto":true}`),
		toolCall("4", "boom", `{}`, ""),
	} {
		var result struct {
			Meta map[string]json.RawMessage `json:"_meta"`
		}
		a := h.ask(frame)
		if err := json.Unmarshal(a.Result, &result); err != nil {
			t.Fatal(err)
		}
		if got := string(result.Meta["septet/decision"]); got != `{"verdict":"allow","rule":"mode:default:read"}` {
			t.Errorf("%s: %s", frame, got)
		}
	}
	if a := h.ask(toolCall("5", "echo", `{}`, `,"_meta":{"septet/auto":"yes"}`)); a.Error == nil || !strings.Contains(a.Error.Message, "septet/auto") {
		t.Errorf("auto as a string: %s", a.raw)
	}
}

// TestDecisionOnCallsThatDoNotBegin: a host that logs decisions needs no second
// form for them.
func TestDecisionOnCallsThatDoNotBegin(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	h.send(`{"jsonrpc":"2.0","method":"$/cancel","params":{"turn":"over"}}`)
	o := h.ask(toolCall("1", "echo", `{}`, `,"_meta":{"septet/turn":"over"}`)).outcome(t)
	if o.Meta.Status != "cancelled" || o.Meta.Decision != (session.Decision{Verdict: session.Deny, Rule: "error:cancelled"}) {
		t.Errorf("%+v", o.Meta)
	}
}
