package server_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"septet/backend"
	"septet/server"
	"septet/session"
	"septet/toolset"
)

// script is a history that notes what it is asked and undoes as it is told.
type script struct {
	queries []session.RecordQuery
	undo    func(context.Context, session.UndoRequest) (session.UndoResult, error)
}

func (p *script) List(_ context.Context, q session.RecordQuery) (session.RecordPage, error) {
	p.queries = append(p.queries, q)
	if q.Session == "broken" {
		return session.RecordPage{}, toolset.Errorf(toolset.JournalFailed, "the disk is full")
	}
	return session.RecordPage{}, nil
}

func (p *script) Get(_ context.Context, id string) (session.Record, error) {
	return session.Record{}, toolset.Errorf(toolset.NotFound, "no change %s", id)
}

func (p *script) Undo(ctx context.Context, r session.UndoRequest) (session.UndoResult, error) {
	return p.undo(ctx, r)
}

// hostRequest is a request of our extension.
func hostRequest(method, params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"septet/` + method + `","params":` + params + `}`
}

func startHistory(t *testing.T) (*host, *script) {
	t.Helper()
	p := &script{}
	h := start(t, func(c *server.Config) { c.History = p })
	h.initialize(server.Revision20251125)
	return h, p
}

func TestChangesQuery(t *testing.T) {
	h, p := startHistory(t)
	if a := h.ask(hostRequest("changes/list", `{"session":"x","turn":"t","path":"src","limit":1000}`)); string(a.Result) != `{"changes":[]}` {
		t.Errorf("%s", a.raw)
	}
	if want := (session.RecordQuery{Session: "x", Turn: "t", Path: "src", Limit: 1000}); len(p.queries) != 1 || p.queries[0] != want {
		t.Errorf("asked %+v", p.queries)
	}
	for _, params := range []string{
		`{"limit":0}`, `{"limit":1001}`, `{"limit":-1}`, `{"limit":"2"}`, `{"limit":1.5}`, `{"cursor":"?"}`, `{"cursor":"-1"}`, `{"cursor":7}`, `{"Limit":1}`, `{"sesion":"x"}`, `{"path":1}`,
	} {
		if a := h.ask(hostRequest("changes/list", params)); a.Error == nil || a.Error.Code != -32602 {
			t.Errorf("%s: %s", params, a.raw)
		}
	}
	a := h.ask(hostRequest("changes/list", `{"session":"broken"}`))
	if a.Error == nil || a.Error.Code != 3 || string(a.Error.Data) != `{"code":"journal_failed","message":"the disk is full","retryable":false}` {
		t.Errorf("%s", a.raw)
	}
}

func TestUndo(t *testing.T) {
	h, p := startHistory(t)
	var asked []session.UndoRequest
	var from session.Provenance
	p.undo = func(ctx context.Context, r session.UndoRequest) (session.UndoResult, error) {
		asked, from = append(asked, r), backend.ProvenanceOf(ctx)
		return session.UndoResult{Undone: r.ChangeIDs, Conflicts: []session.Conflict{{ChangeID: "c", Path: "p", Expected: "aa", Reason: "gone"}}}, nil
	}
	a := h.ask(hostRequest("changes/undo", `{"changeIds":["a","b"],"dryRun":true}`))
	if string(a.Result) != `{"undone":["a","b"],"recorded":[],"conflicts":[{"changeId":"c","path":"p","expected":"aa","found":null,"reason":"gone"}],"dryRun":true}` {
		t.Errorf("%s", a.raw)
	}
	if a := h.ask(hostRequest("changes/undo", `{"turn":"t1"}`)); strings.Contains(a.raw, "dryRun") {
		t.Errorf("%s", a.raw)
	}
	h.ask(hostRequest("changes/undo", `{"last":3}`))
	want := []session.UndoRequest{{ChangeIDs: []string{"a", "b"}, DryRun: true}, {Session: "s", Turn: "t1"}, {Session: "s", Last: 3}}
	if !slices.EqualFunc(asked, want, func(a, b session.UndoRequest) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
		t.Errorf("asked %+v", asked)
	}
	if from.Tool != "undo" || from.Session != "s" || from.Turn != "" || from.CallID == "" {
		t.Errorf("recorded as %+v", from)
	}
	for _, params := range []string{
		`{}`, `{"dryRun":true}`, `{"last":0}`, `{"last":-1}`, `{"turn":""}`, `{"changeIds":[]}`, `{"changeIds":"a"}`, `{"changeIds":[1]}`,
		`{"last":1,"turn":"t"}`, `{"last":1,"changeIds":["a"]}`, `{"last":1,"dryrun":true}`, `{"last":"1"}`,
	} {
		if a := h.ask(hostRequest("changes/undo", params)); a.Error == nil || a.Error.Code != -32602 {
			t.Errorf("%s: %s", params, a.raw)
		}
	}
	p.undo = func(context.Context, session.UndoRequest) (session.UndoResult, error) {
		return session.UndoResult{Undone: []string{"a"}, Recorded: []string{"r"}}, toolset.Errorf(toolset.NotUndoable, "expired")
	}
	a = h.ask(hostRequest("changes/undo", `{"last":1}`))
	if a.Error == nil || a.Error.Code != 4 || string(a.Error.Data) != `{"code":"not_undoable","message":"expired","retryable":false,"undone":["a"],"recorded":["r"]}` {
		t.Errorf("%s", a.raw)
	}
}

// TestAnsweredCallIsOver: a host that has the answer may undo at once.
func TestAnsweredCallIsOver(t *testing.T) {
	h, p := startHistory(t)
	p.undo = func(context.Context, session.UndoRequest) (session.UndoResult, error) {
		return session.UndoResult{}, nil
	}
	for range 200 {
		h.ask(toolCall("1", "echo", `{}`, ""))
		if a := h.ask(hostRequest("changes/undo", `{"last":1}`)); a.Error != nil {
			t.Fatalf("%s", a.raw)
		}
	}
}

func TestExtensionMustBeDeclaredByModernCallers(t *testing.T) {
	h := start(t, nil)
	declared := strings.Replace(modernMeta, `clientCapabilities":{}`, `clientCapabilities":{"extensions":{"septet/host":{}}}`, 1)
	for method, params := range map[string]string{
		"effects": `"name":"echo","arguments":{},`, "changes/list": ``, "changes/get": `"changeId":"x",`, "changes/undo": `"last":1,`,
	} {
		a := h.ask(hostRequest(method, `{`+params+modernMeta+`}}`))
		if a.Error == nil || a.Error.Code != -32021 || string(a.Error.Data) != `{"requiredCapabilities":{"extensions":{"septet/host":{}}}}` {
			t.Errorf("%s undeclared: %s", method, a.raw)
		}
		if a := h.ask(hostRequest(method, `{`+params+declared+`}}`)); a.Error != nil && a.Error.Code == -32021 {
			t.Errorf("%s declared: %s", method, a.raw)
		}
		if a := h.ask(hostRequest(method, `{`+strings.TrimSuffix(params, ",")+`}`)); a.Error == nil || a.Error.Code != -32602 {
			t.Errorf("%s bare: %s", method, a.raw)
		}
	}
	if a := h.ask(hostRequest("changes/list", `{`+declared+`}}`)); !strings.Contains(a.raw, `"resultType":"complete"`) {
		t.Errorf("%s", a.raw)
	}
	for _, odd := range []string{`[]`, `{"extensions":[]}`, `{"extensions":{"septet/host":true}}`, `{"extensions":{"other":{}}}`} {
		meta := strings.Replace(modernMeta, `clientCapabilities":{}`, `clientCapabilities":`+odd, 1)
		if a := h.ask(hostRequest("changes/list", `{`+meta+`}}`)); a.Error == nil {
			t.Errorf("%s: %s", odd, a.raw)
		}
	}
}

func TestEffectsExecuteNothing(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Selection.Tools = []string{"echo", "change", "shell"} })
	h.initialize(server.Revision20251125)
	a := h.ask(hostRequest("effects", `{"name":"change","arguments":{"text":"a.go"}}`))
	if string(a.Result) != `{"effects":[{"kind":"write","path":"a.go"}],"verdict":"ask","rule":"mode:default:write","reason":"the mode asks before such a call"}` {
		t.Errorf("%s", a.raw)
	}
	if len(h.fake.seen) != 0 {
		t.Error("the tool was called")
	}
	a = h.ask(hostRequest("effects", `{"name":"echo"}`))
	if string(a.Result) != `{"effects":[{"kind":"read","path":"x"}],"verdict":"allow","rule":"mode:default:read","reason":""}` {
		t.Errorf("%s", a.raw)
	}
	a = h.ask(hostRequest("effects", `{"name":"shell","arguments":{"text":"x"}}`))
	if !strings.Contains(a.raw, `"verdict":"ask"`) || !strings.Contains(a.raw, `"reason":"expansion: x"`) {
		t.Errorf("%s", a.raw)
	}
	a = h.ask(hostRequest("effects", `{"name":"echo","arguments":{"txt":"x"}}`))
	if !strings.Contains(a.raw, `"effects":[],"verdict":"deny","rule":"error:invalid_arguments","reason":"unknown argument \"txt\"\nhint: `) {
		t.Errorf("%s", a.raw)
	}
	for _, params := range []string{`{"name":"wait"}`, `{}`, `{"name":"echo","arguments":[]}`} {
		if a := h.ask(hostRequest("effects", params)); a.Error == nil || a.Error.Code != -32602 {
			t.Errorf("%s: %s", params, a.raw)
		}
	}
}

func TestAutoRunsOnlyWhatIsAllowed(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	if o := h.ask(toolCall("1", "echo", `{}`, `,"_meta":{"septet/auto":true}`)).outcome(t); o.IsError || o.Meta.Decision != (session.Decision{Verdict: "allow", Rule: "mode:default:read"}) {
		t.Errorf("%+v", o)
	}
	if o := h.ask(toolCall("1", "change", `{"text":"a"}`, `,"_meta":{"septet/auto":true}`)).outcome(t); o.Meta.Status != "denied" || o.Meta.Error.Code != "not_allowed" || len(h.fake.seen) != 0 {
		t.Errorf("%+v", o)
	}
	if o := h.ask(toolCall("1", "change", `{"text":"a"}`, `,"_meta":{"septet/auto":false}`)).outcome(t); o.IsError || o.Meta.Decision.Rule != "mode:default:write" {
		t.Errorf("%+v", o)
	}
	if a := h.ask(toolCall("1", "echo", `{}`, `,"_meta":{"septet/auto":"true"}`)); a.Error == nil || a.Error.Code != -32602 {
		t.Errorf("%s", a.raw)
	}
}
