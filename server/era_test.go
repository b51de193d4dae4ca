package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"septet/server"
	"septet/session"
	"septet/toolset"
)

// modern is a modern request; members are more members of params, each with
// its comma.
func modern(id, method, members string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + members + modernMeta + `}}}`
}

func TestRevisionIsAgreed(t *testing.T) {
	for asked, want := range map[string]server.Revision{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25", "draft": "2025-11-25", "": "2025-11-25",
	} {
		h := start(t, nil)
		a := h.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + asked + `"}}`)
		if !strings.Contains(string(a.Result), `{"protocolVersion":"`+string(want)+`",`) {
			t.Errorf("%q: %s", asked, a.raw)
		}
	}
}

func TestBothErasOnOnePipe(t *testing.T) {
	h := start(t, nil)
	if a := h.ask(modern("1", "tools/call", `"name":"echo","arguments":{"text":"first"},`)); !strings.Contains(a.raw, `"resultType":"complete"`) || a.outcome(t).Content[0].Text != "first" {
		t.Errorf("a modern call as the first frame: %s", a.raw)
	}
	if a := h.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`); a.Error == nil || a.Error.Code != -32602 || !strings.Contains(a.Error.Message, "io.modelcontextprotocol/protocolVersion") {
		t.Errorf("a modern request agrees on nothing: %s", a.raw)
	}
	h.initialize(server.Revision20241105)
	if a := h.ask(toolCall("3", "echo", `{"text":"legacy"}`, "")); strings.Contains(a.raw, "resultType") {
		t.Errorf("legacy: %s", a.raw)
	}
	if a := h.ask(modern("4", "tools/list", "")); !strings.Contains(a.raw, `"ttlMs":300000,"cacheScope":"public"`) {
		t.Errorf("modern after a handshake: %s", a.raw)
	}
}

func TestUnsupportedVersionNamesWhatIs(t *testing.T) {
	h := start(t, nil)
	a := h.ask(strings.ReplaceAll(modern("1", "server/discover", ""), "2026-07-28", "2027-01-01"))
	if a.Error == nil || string(a.Error.Data) != `{"requested":"2027-01-01","supported":["2026-07-28"]}` {
		t.Errorf("%s", a.raw)
	}
	var d struct{ SupportedVersions []string }
	if err := json.Unmarshal(h.ask(modern("2", "server/discover", "")).Result, &d); err != nil || fmt.Sprint(d.SupportedVersions) != "[2026-07-28]" {
		t.Errorf("discover says %v, %v", d, err)
	}
}

func TestUnknownToolHasItsCode(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Selection = toolset.Selection{Tools: []string{"echo"}} })
	h.initialize(server.Revision20251125)
	for _, name := range []string{"nope", "wait"} { // the second is known and not selected
		a := h.ask(toolCall("1", name, `{}`, ""))
		if a.Error == nil || a.Error.Message != "Unknown tool: "+name || !strings.Contains(string(a.Error.Data), `"code":"unknown_tool"`) {
			t.Errorf("%s", a.raw)
		}
	}
}

func TestShapeFollowsTheRevision(t *testing.T) {
	type shape struct{ annotations, title, outputSchema, description bool }
	for r, want := range map[server.Revision]shape{
		server.Revision20241105: {},
		server.Revision20250326: {annotations: true},
		server.Revision20250618: {annotations: true, title: true, outputSchema: true},
		server.Revision20251125: {annotations: true, title: true, outputSchema: true, description: true},
	} {
		h := start(t, func(c *server.Config) { c.Structured = true })
		a := h.ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + string(r) + `"}}`)
		list := h.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).raw
		got := shape{
			annotations:  strings.Contains(list, `"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`),
			title:        strings.Contains(list, `"title":"Echo"`) && strings.Contains(a.raw, `"title":"septet"`),
			outputSchema: strings.Contains(list, `"outputSchema":{`),
			description:  strings.Contains(a.raw, `"description":`),
		}
		if got != want {
			t.Errorf("%s: got %+v, want %+v", r, got, want)
		}
		structured := string(h.ask(toolCall("2", "echo", `{"text":"<a>"}`, "")).outcome(t).StructuredContent)
		if want := map[bool]string{true: `{"said":"<a>"}`}[want.outputSchema]; structured != want {
			t.Errorf("%s: structured %q, want %q", r, structured, want)
		}
		if o := h.ask(toolCall("3", "refuse", `{"text":"no_match"}`, "")).outcome(t); o.StructuredContent != nil {
			t.Errorf("%s: an error has structured content: %+v", r, o)
		}
	}
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	if list := h.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).raw; strings.Contains(list, "outputSchema") {
		t.Errorf("unasked: %s", list)
	}
	if o := h.ask(toolCall("2", "echo", `{}`, "")).outcome(t); o.StructuredContent != nil {
		t.Errorf("unasked: %+v", o)
	}
}

func TestStatusOfResults(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	for code, want := range map[string]string{
		"outside_roots": "denied", "protected_path": "denied", "read_only_root": "denied", "not_allowed": "denied",
		"cancelled": "cancelled", "outcome_unknown": "outcome_unknown", "timeout": "failed", "no_match": "failed",
	} {
		o := h.ask(toolCall("1", "refuse", `{"text":"`+code+`"}`, "")).outcome(t)
		if !o.IsError || o.Meta.Status != want || string(o.Meta.Error.Code) != code || o.Content[0].Text != "refused\nhint: try again" {
			t.Errorf("%s: %+v", code, o)
		}
	}
	o := h.ask(toolCall("1", "change", `{"text":"a.go"}`, "")).outcome(t)
	if o.IsError || o.Meta.Status != "succeeded" || o.Meta.Error != nil || len(o.Meta.Artifacts) != 1 || strings.Contains(o.Content[0].Text, "file_change") {
		t.Errorf("%+v", o)
	}
}

func TestPanicIsOneFailedCall(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	if o := h.ask(toolCall("1", "boom", `{}`, "")).outcome(t); !o.IsError || o.Meta.Error.Code != "internal" || strings.Contains(o.Content[0].Text, "kaboom") {
		t.Errorf("%+v", o)
	}
	h.silence()
}

func TestResultOverTheBoundSaysSo(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	const most = 8<<20 - 300 // < is not escaped, so that a byte costs a byte
	if o := h.ask(toolCall("1", "big", fmt.Sprintf(`{"count":%d}`, most), "")).outcome(t); o.IsError || len(o.Content[0].Text) != most {
		t.Errorf("%d bytes do not fit: %.200s", most, o.Content[0].Text)
	}
	a := h.ask(toolCall("1", "big", fmt.Sprintf(`{"count":%d}`, 8<<20), ""))
	if o := a.outcome(t); !o.IsError || o.Meta.Error.Code != "frame_too_large" || !strings.Contains(o.Content[0].Text, "\nhint: ") {
		t.Errorf("%.300s", a.raw)
	}
}

func TestHandshakeNarrows(t *testing.T) {
	limits := func(c *server.Config) {
		c.Selection = toolset.Selection{Mode: session.ModeDefault, Tools: []string{"echo", "change", "shell"}}
	}
	ask := func(wish string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","_meta":{"septet/session":` + wish + `}}}`
	}
	for _, c := range []struct {
		wish string
		code int64
		list string
	}{
		{`{"tools":["echo"]}`, 0, "echo"},
		{`{"tools":["shell","echo"]}`, 0, "echo shell"},
		{`{}`, 0, "echo change shell"},
		{`{"id":"mine"}`, 0, "echo change shell"},
		{`{"tools":["echo"],"mode":"read-only"}`, 0, "echo"},
		{`{"mode":"accept-edits"}`, -32602, ""},
		{`{"mode":"odd"}`, -32602, ""},
		{`{"mode":7}`, -32602, ""},
		{`{"tools":["wait"]}`, -32602, ""},
		{`{"tools":["nope"]}`, -32602, ""},
		{`{"tools":[]}`, -32602, ""},
		{`{"tools":"echo"}`, -32602, ""},
		{`{"tools":[1]}`, -32602, ""},
		{`{"id":7}`, -32602, ""},
		{`{"id":""}`, -32602, ""},
		{`{"id":"../x"}`, -32602, ""},
		{`{"id":"a\u0000"}`, -32602, ""},
		{`{"id":"` + strings.Repeat("x", 65) + `"}`, -32602, ""},
		{`{"more":1}`, -32602, ""},
		{`[]`, -32602, ""},
	} {
		h := start(t, limits)
		a := h.ask(ask(c.wish))
		if c.code != 0 {
			if a.Error == nil || a.Error.Code != c.code {
				t.Errorf("%s: %s", c.wish, a.raw)
			}
			// Nothing was agreed and nothing is frozen.
			if again := h.ask(ask(`{"tools":["echo"]}`)); again.Error != nil {
				t.Errorf("%s: afterwards %s", c.wish, again.raw)
			}
			continue
		}
		if got := strings.Join(h.names(), " "); a.Error != nil || got != c.list {
			t.Errorf("%s: %s, tools %q, want %q", c.wish, a.raw, got, c.list)
		}
	}
}

// names lists the tools.
func (h *host) names() []string {
	h.t.Helper()
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(h.ask(`{"jsonrpc":"2.0","id":"names","method":"tools/list"}`).Result, &list); err != nil {
		h.t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

func TestSessionIsFrozen(t *testing.T) {
	ask := func(wish string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","_meta":{` + wish + `}}}`
	}
	for _, first := range []string{ask(`"septet/session":{"tools":["echo"],"id":"a"}`), modern("1", "tools/list", "")} {
		h := start(t, func(c *server.Config) { c.Selection = toolset.Selection{Tools: []string{"echo", "wait"}} })
		if a := h.ask(first); a.Error != nil {
			t.Fatal(a.raw)
		}
		for wish, code := range map[string]int64{
			``:                                      0,
			`"septet/session":{"tools":["wait"]}`:   -32600,
			`"septet/session":{"id":"b"}`:           -32600,
			`"septet/session":{"mode":"read-only"}`: -32600,
			`"septet/session":{"tools":["nope"],"id":"a"}`: -32602,
		} {
			a := h.ask(ask(wish))
			if code == 0 && a.Error != nil || code != 0 && (a.Error == nil || a.Error.Code != code) {
				t.Errorf("after %.80s, %s: %s", first, wish, a.raw)
			}
		}
	}
	h := start(t, nil)
	h.ask(ask(`"septet/session":{"tools":["echo","wait"],"mode":"read-only","id":"a"}`))
	// What is not named asks for nothing.
	for _, same := range []string{`{"tools":["wait","echo"],"id":"a"}`, `{}`, `{"id":"a"}`, `{"mode":"read-only"}`, `{"tools":["wait","echo"]}`} {
		if a := h.ask(ask(`"septet/session":` + same)); a.Error != nil {
			t.Errorf("the same session again, %s: %s", same, a.raw)
		}
	}
	if a := h.ask(ask(`"septet/session":{"mode":"default"}`)); a.Error == nil || a.Error.Code != -32600 {
		t.Errorf("a wider mode than was settled: %s", a.raw)
	}
	named := start(t, func(c *server.Config) { c.Session, c.SessionNamed = "mine", true })
	if a := named.ask(ask(`"septet/session":{"id":"other"}`)); a.Error == nil || a.Error.Code != -32602 {
		t.Errorf("a session chosen by a person: %s", a.raw)
	}
	if a := named.ask(ask(`"septet/session":{"id":"mine"}`)); a.Error != nil {
		t.Errorf("its own name: %s", a.raw)
	}
}

func TestListenIsHeldOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		a := h.ask(modern(`"s"`, "subscriptions/listen", `"notifications":{"toolsListChanged":true},`))
		if a.Method != "notifications/subscriptions/acknowledged" || string(a.Params) != `{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"},"notifications":{}}` {
			t.Errorf("%s", a.raw)
		}
		h.ask(modern(`2`, "subscriptions/listen", `"notifications":{},`))
		h.send(`{"jsonrpc":"2.0","method":"$/cancel"}`) // for calls of tools
		h.silence()
		h.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
		h.silence()
		began := time.Now()
		_ = h.in.Close()
		last := h.next()
		if string(last.ID) != `"s"` || !strings.Contains(string(last.Result), `"io.modelcontextprotocol/subscriptionId":"s"`) || !strings.Contains(last.raw, `"resultType":"complete"`) {
			t.Errorf("%s", last.raw)
		}
		if err := h.wait(); err != nil || time.Since(began) != 0 {
			t.Errorf("%v after %v: a subscription is no work to wait for", err, time.Since(began))
		}
	})
}
