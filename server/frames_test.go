package server_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"septet/server"
	"septet/server/jsonrpc"
)

// framings are both ways to delimit a frame.
var framings = map[jsonrpc.Framing]func(string) string{
	jsonrpc.FramingLine:   func(s string) string { return s + "\n" },
	jsonrpc.FramingHeader: func(s string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(s), s) },
}

func (h *host) write(bytes string) {
	h.t.Helper()
	if _, err := io.WriteString(h.in, bytes); err != nil {
		h.t.Fatalf("write %.100q: %v", bytes, err)
	}
}

// refused is one frame, the code it is refused with, and the id of the answer.
type refused struct {
	name, frame string
	code        int64
	id          string // "null" when it is unknown
}

// checkRefused sends each frame and a ping after it, in both framings. One
// error answer must come for the frame, and the ping must be served.
func checkRefused(t *testing.T, initialized bool, cases []refused) {
	t.Helper()
	for framing, wrap := range framings {
		h := start(t, func(c *server.Config) { c.Framing = framing })
		if initialized {
			h.write(wrap(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`))
			h.next()
		}
		for _, c := range cases {
			h.write(wrap(c.frame))
			a := h.next()
			if a.Error == nil || a.Error.Code != c.code || string(a.ID) != c.id {
				t.Errorf("%s, %s: %.120q was answered %.300s; want code %d, id %s", framing, c.name, c.frame, a.raw, c.code, c.id)
			}
			h.write(wrap(`{"jsonrpc":"2.0","id":"after","method":"ping"}`))
			if got := h.recv(); got != `{"jsonrpc":"2.0","id":"after","result":{}}` {
				t.Errorf("%s, %s: after it came %.300s", framing, c.name, got)
			}
		}
		if err := h.end(); err != nil {
			t.Error(err)
		}
	}
}

// checkSilent sends frames that nobody may answer.
func checkSilent(t *testing.T, frames ...string) {
	t.Helper()
	for framing, wrap := range framings {
		h := start(t, func(c *server.Config) { c.Framing = framing })
		for _, frame := range frames {
			h.write(wrap(frame))
			h.write(wrap(`{"jsonrpc":"2.0","id":"after","method":"ping"}`))
			if got := h.recv(); got != `{"jsonrpc":"2.0","id":"after","result":{}}` {
				t.Errorf("%s: %q was answered %s", framing, frame, got)
			}
		}
	}
}

func TestFramesEveryServerMustRefuse(t *testing.T) {
	checkRefused(t, false, []refused{
		{"not JSON", `not json`, -32700, "null"},
		{"bytes ff fe", "\xff\xfe", -32700, "null"},
		{"a number", `7`, -32600, "null"},
		{"a string", `"x"`, -32600, "null"},
		{"null", `null`, -32600, "null"},
		{"no members", `{}`, -32600, "null"},
		{"no method", `{"id":5,"jsonrpc":"2.0"}`, -32600, "5"},
		{"no jsonrpc", `{"id":6,"method":"ping"}`, -32600, "6"},
		{"method 7", `{"jsonrpc":"2.0","id":7,"method":7}`, -32600, "7"},
		{"params array", `{"jsonrpc":"2.0","id":8,"method":"ping","params":[1]}`, -32602, "8"},
		{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, "null"},
		{"id true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, -32600, "null"},
		{"id array", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, -32600, "null"},
		{"initialize without protocolVersion", `{"jsonrpc":"2.0","id":9,"method":"initialize","params":{}}`, -32602, "9"},
		{"bare discover", `{"jsonrpc":"2.0","id":10,"method":"server/discover"}`, -32602, "10"},
		{"bare tools/list", `{"jsonrpc":"2.0","id":11,"method":"tools/list"}`, -32602, "11"},
		{"17 MiB", strings.Repeat("x", 17<<20), -32600, "null"},
	})
	checkRefused(t, true, []refused{
		{"foreign cursor", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"next"}}`, -32602, "1"},
		{"arguments array", toolCall("2", "echo", `[]`, ""), -32602, "2"},
	})
	checkSilent(t,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`,
	)
}

func TestSameIDTwiceInFlight(t *testing.T) {
	for framing, wrap := range framings {
		h := start(t, func(c *server.Config) { c.Framing = framing })
		h.write(wrap(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`))
		h.next()
		h.write(wrap(toolCall("1", "wait", `{}`, "")))
		<-h.fake.running
		for _, again := range []string{"1", "1.0", "1e0"} {
			h.write(wrap(`{"jsonrpc":"2.0","id":` + again + `,"method":"ping"}`))
			if a := h.next(); a.Error == nil || a.Error.Code != -32600 || string(a.ID) != again {
				t.Errorf("%s: id %s in flight: %s", framing, again, a.raw)
			}
		}
		h.write(wrap(`{"jsonrpc":"2.0","id":"1","method":"ping"}`))
		if a := h.next(); a.Error != nil {
			t.Errorf("%s: a string is no number: %s", framing, a.raw)
		}
		h.fake.releaseAll()
		h.next()
		h.write(wrap(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		if a := h.next(); a.Error != nil {
			t.Errorf("%s: the id is free again: %s", framing, a.raw)
		}
	}
}

// TestNoAnswerIsOverTheBound asks for answers that repeat what was sent: hosts
// drop a connection that sends more than they take.
func TestNoAnswerIsOverTheBound(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	request := func(id, method, params string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + params + `}}`
	}
	h := start(t, func(c *server.Config) { c.History = newPast(t).history })
	wish := func(members string) string {
		return request("1", "initialize", `"protocolVersion":"2025-11-25","_meta":{"septet/session":{`+members+`}}`)
	}
	for name, frame := range map[string]string{
		"a wish":          wish(`"` + long + `":1`),
		"a wish's tool":   wish(`"tools":["` + long + `"]`),
		"a wish's mode":   wish(`"mode":"` + long + `"`),
		"a wish's number": wish(`"tools":[` + strings.Repeat("9", 100<<10) + `]`),
		"a revision":      request("1", "tools/list", `"_meta":{"io.modelcontextprotocol/protocolVersion":"`+long+`"}`),
		"an id":           request(`"`+long+`"`, "ping", ""),
		"a member":        `{"jsonrpc":"2.0","id":1,"method":"ping","` + long + `":1,"` + long + `":1}`,
	} {
		if a := h.ask(frame); a.Error == nil || len(a.raw) > 32<<10 {
			t.Errorf("%s: %d bytes: %.200s", name, len(a.raw), a.raw)
		}
	}
	h.initialize(server.Revision20251125)
	for name, frame := range map[string]string{
		"a method":          request("1", long, ""),
		"a token":           toolCall("1", "chat", `{"count":1}`, `"progressToken":"`+long+`"`),
		"a limit":           request("1", "septet/changes/list", `"limit":`+strings.Repeat("9", 100<<10)),
		"the id of changes": request("1", "septet/changes/get", `"changeId":"`+long+`"`),
		"ids of changes":    request("1", "septet/changes/undo", `"changeIds":["`+long+`"]`),
	} {
		if a := h.ask(frame); a.Error == nil || len(a.raw) > 32<<10 {
			t.Errorf("%s: %d bytes: %.200s", name, len(a.raw), a.raw)
		}
	}
	// The result repeats the path that the call names.
	if a := h.ask(request("1", "septet/effects", `"name":"change","arguments":{"text":"`+strings.Repeat(long, 90)+`"}`)); a.Error == nil || a.Error.Code != 6 {
		t.Errorf("effects: %d bytes: %.200s", len(a.raw), a.raw)
	}
}

// TestMalformed is the table of everything else that is wrong with a frame,
// a request or its arguments. None of it ends the connection.
func TestMalformed(t *testing.T) {
	call := func(params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`
	}
	request := func(members string) string { return `{"jsonrpc":"2.0",` + members + `}` }
	modern := func(meta string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{` + meta + `}}}`
	}
	const p = `"io.modelcontextprotocol/`
	const version = p + `protocolVersion":"2026-07-28",`
	const caps = p + `clientCapabilities":{}`
	checkRefused(t, true, []refused{
		{"a lone brace", `{`, -32700, "null"},
		{"a trailing comma", `{"jsonrpc":"2.0","id":1,"method":"ping",}`, -32700, "null"},
		{"single quotes", `{'jsonrpc':'2.0'}`, -32700, "null"},
		{"two values", `{"jsonrpc":"2.0","id":1,"method":"ping"} {}`, -32700, "null"},
		{"a comment", `{"jsonrpc":"2.0"/**/}`, -32700, "null"},
		{"NaN", `{"jsonrpc":"2.0","id":NaN,"method":"ping"}`, -32700, "null"},
		{"a NUL", "{\"jsonrpc\":\"2.0\"\x00}", -32700, "null"},
		{"a control character in a string", "{\"jsonrpc\":\"2.0\",\"id\":\"\x01\",\"method\":\"ping\"}", -32700, "null"},
		{"a half byte sequence", "{\"jsonrpc\":\"2.0\",\"id\":\"\xe2\x82\",\"method\":\"ping\"}", -32700, "null"},
		{"an overlong encoding", "{\"jsonrpc\":\"2.0\",\"id\":\"\xc0\xaf\",\"method\":\"ping\"}", -32700, "null"},
		{"a surrogate in UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xed\xa0\x80\",\"method\":\"ping\"}", -32700, "null"},
		{"a lone high surrogate", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"\ud800"}}}`, -32700, "null"},
		{"a lone low surrogate", `{"jsonrpc":"2.0","id":1,"method":"\udc00"}`, -32700, "null"},
		{"two high surrogates", `{"jsonrpc":"2.0","id":1,"method":"\ud83d\ud83d"}`, -32700, "null"},
		{"deep nesting", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), -32700, "null"},
		{"true", `true`, -32600, "null"},
		{"a batch at a revision without", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600, "null"},
		{"an empty batch", `[]`, -32600, "null"},
		{"jsonrpc 1.0", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600, "1"},
		{"jsonrpc a number", `{"jsonrpc":2.0,"id":1,"method":"ping"}`, -32600, "1"},
		{"JSONRPC in capitals", `{"JSONRPC":"2.0","id":1,"method":"ping"}`, -32600, "1"},
		{"Method in capitals", request(`"id":1,"Method":"ping"`), -32600, "1"},
		{"method null", request(`"id":1,"method":null`), -32600, "1"},
		{"method an object", request(`"id":1,"method":{}`), -32600, "1"},
		{"method twice", request(`"id":1,"method":"ping","method":"ping"`), -32600, "1"},
		{"method and id twice", request(`"id":1,"method":"ping","method":"ping","id":1`), -32600, "null"},
		{"id twice", request(`"id":1,"id":2,"method":"ping"`), -32600, "null"},
		{"id false", request(`"id":false,"method":"ping"`), -32600, "null"},
		{"id an object", request(`"id":{},"method":"ping"`), -32600, "null"},
		{"id a fraction", request(`"id":1.5,"method":"ping"`), -32600, "null"},
		{"id a tiny fraction", request(`"id":1e-3,"method":"ping"`), -32600, "null"},
		{"id beyond all numbers", request(`"id":1e999999999,"method":"ping"`), -32600, "null"},
		{"id a long number", request(`"id":` + strings.Repeat("9", 100) + `,"method":"ping"`), -32600, "null"},
		{"a method and a result", request(`"id":1,"method":"ping","result":{}`), -32600, "1"},
		{"a notification without jsonrpc", `{"method":"notifications/initialized"}`, -32600, "null"},
		{"an unknown method", request(`"id":1,"method":"tools/lists"`), -32601, "1"},
		{"an empty method", request(`"id":1,"method":""`), -32601, "1"},
		{"a method in capitals", request(`"id":1,"method":"Ping"`), -32601, "1"},
		{"a notification as a request", request(`"id":1,"method":"notifications/cancelled","params":{"requestId":1}`), -32601, "1"},
		{"$/cancel as a request", request(`"id":1,"method":"$/cancel"`), -32601, "1"},
		{"discover after a handshake", request(`"id":1,"method":"server/discover"`), -32601, "1"},
		{"a modern method after a handshake", request(`"id":1,"method":"subscriptions/listen"`), -32601, "1"},
		{"logging, which there is none of", request(`"id":1,"method":"logging/setLevel","params":{"level":"info"}`), -32601, "1"},
		{"resources/read", request(`"id":1,"method":"resources/read","params":{"uri":"x"}`), -32601, "1"},
		{"prompts/get", request(`"id":1,"method":"prompts/get"`), -32601, "1"},
		{"params a string", request(`"id":1,"method":"tools/list","params":"x"`), -32602, "1"},
		{"params a number", request(`"id":1,"method":"tools/list","params":7`), -32602, "1"},
		{"params with a name twice", request(`"id":1,"method":"tools/list","params":{"a":1,"a":2}`), -32602, "1"},
		{"_meta a string", request(`"id":1,"method":"tools/list","params":{"_meta":"x"}`), -32602, "1"},
		{"_meta an array", request(`"id":1,"method":"tools/list","params":{"_meta":[]}`), -32602, "1"},
		{"cursor a number", request(`"id":1,"method":"tools/list","params":{"cursor":1}`), -32602, "1"},
		{"cursor empty", request(`"id":1,"method":"tools/list","params":{"cursor":""}`), -32602, "1"},
		{"cursor of resources", request(`"id":1,"method":"resources/list","params":{"cursor":"x"}`), -32602, "1"},
		{"cursor of prompts", request(`"id":1,"method":"prompts/list","params":{"cursor":"x"}`), -32602, "1"},
		{"protocolVersion a number", request(`"id":1,"method":"initialize","params":{"protocolVersion":1}`), -32602, "1"},
		{"protocolVersion null", request(`"id":1,"method":"initialize","params":{"protocolVersion":null}`), -32602, "1"},
		{"a call without a name", call(`{}`), -32602, "1"},
		{"a call without params", request(`"id":1,"method":"tools/call"`), -32602, "1"},
		{"a name that is a number", call(`{"name":7}`), -32602, "1"},
		{"a name that is null", call(`{"name":null}`), -32602, "1"},
		{"an unknown tool", call(`{"name":"nope"}`), -32602, "1"},
		{"a tool in capitals", call(`{"name":"Echo"}`), -32602, "1"},
		{"an empty name", call(`{"name":""}`), -32602, "1"},
		{"Name in capitals", call(`{"Name":"echo"}`), -32602, "1"},
		{"arguments a string", call(`{"name":"echo","arguments":"{}"}`), -32602, "1"},
		{"arguments a number", call(`{"name":"echo","arguments":1}`), -32602, "1"},
		{"arguments true", call(`{"name":"echo","arguments":true}`), -32602, "1"},
		{"a turn that is a number", call(`{"name":"echo","_meta":{"septet/turn":1}}`), -32602, "1"},
		{"an empty turn", call(`{"name":"echo","_meta":{"septet/turn":""}}`), -32602, "1"},
		{"a long turn", call(`{"name":"echo","_meta":{"septet/turn":"` + strings.Repeat("x", 129) + `"}}`), -32602, "1"},
		{"a progress token that is null", call(`{"name":"echo","_meta":{"progressToken":null}}`), -32602, "1"},
		{"a progress token that is an object", call(`{"name":"echo","_meta":{"progressToken":{}}}`), -32602, "1"},
		{"a claim without a version", modern(caps), -32602, "1"},
		{"a claim whose version is a number", modern(p + `protocolVersion":1,` + caps), -32602, "1"},
		{"a claim of a version to come", modern(p + `protocolVersion":"2099-01-01",` + caps), -32022, "1"},
		{"a claim of a draft", modern(p + `protocolVersion":"draft",` + caps), -32022, "1"},
		{"a claim of a legacy version", modern(p + `protocolVersion":"2025-11-25",` + caps), -32022, "1"},
		{"a version that is checked first", modern(p + `protocolVersion":"2099-01-01"`), -32022, "1"},
		{"a claim without capabilities", modern(p + `protocolVersion":"2026-07-28"`), -32602, "1"},
		{"capabilities an array", modern(version + p + `clientCapabilities":[]`), -32602, "1"},
		{"capabilities null", modern(version + p + `clientCapabilities":null`), -32602, "1"},
		{"a client without a version", modern(version + caps + `,` + p + `clientInfo":{"name":"t"}`), -32602, "1"},
		{"a client without a name", modern(version + caps + `,` + p + `clientInfo":{"version":"1"}`), -32602, "1"},
		{"a client that is a string", modern(version + caps + `,` + p + `clientInfo":"t"`), -32602, "1"},
		{"an unknown log level", modern(version + caps + `,` + p + `logLevel":"loud"`), -32602, "1"},
		{"a log level that is a number", modern(version + caps + `,` + p + `logLevel":3`), -32602, "1"},
		{"a modern ping", request(`"id":1,"method":"ping","params":{` + modernMeta + `}}`), -32601, "1"},
		{"a modern initialize", request(`"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` + modernMeta + `}}`), -32601, "1"},
		{"a modern logging/setLevel", request(`"id":1,"method":"logging/setLevel","params":{` + modernMeta + `}}`), -32601, "1"},
		{"a modern resources/subscribe", request(`"id":1,"method":"resources/subscribe","params":{` + modernMeta + `}}`), -32601, "1"},
		{"a modern resources/list", request(`"id":1,"method":"resources/list","params":{` + modernMeta + `}}`), -32601, "1"},
		{"a modern cursor", request(`"id":1,"method":"tools/list","params":{"cursor":"x",` + modernMeta + `}}`), -32602, "1"},
		{"listen with odd notifications", request(`"id":1,"method":"subscriptions/listen","params":{"notifications":[],` + modernMeta + `}}`), -32602, "1"},
	})
}

func TestBadArgumentsAreTheToolsAnswer(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	for _, arguments := range []string{
		`{"text":7}`, `{"Text":"a"}`, `{"text":"a","text":"b"}`, `{"more":1}`, `{"text":["a"]}`, `{"text":{}}`, `{"text":true}`,
	} {
		o := h.ask(toolCall("1", "echo", arguments, "")).outcome(t)
		if !o.IsError || o.Meta.Status != "failed" || o.Meta.Error == nil || o.Meta.Error.Code != "invalid_arguments" {
			t.Errorf("%s: %+v", arguments, o)
		}
	}
	for _, arguments := range []string{`{}`, `null`, `{"text":null}`} {
		if o := h.ask(toolCall("1", "echo", arguments, "")).outcome(t); o.IsError {
			t.Errorf("%s: %+v", arguments, o)
		}
	}
}

func TestIDsComeBackByteForByte(t *testing.T) {
	h := start(t, nil)
	for _, id := range []string{
		`0`, `-1`, `-0`, `1.0`, `1e2`, `9007199254740993`, `18446744073709551616`, `""`, `"a"`, `"A"`, `"\u0000"`, `"😀"`, `"1"`,
	} {
		h.send(`{"id": ` + id + ` ,"method":"ping","jsonrpc":"2.0"}`)
		h.expect(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
	}
}

func TestUnknownIDIsLeftOutFrom20251125On(t *testing.T) {
	const unknown = `{"jsonrpc":"2.0",%s"error":{"code":-32700,"message":"the frame is not valid JSON"}}`
	with, without := fmt.Sprintf(unknown, `"id":null,`), fmt.Sprintf(unknown, "")
	h := start(t, nil)
	h.send(`x`)
	h.expect(with)
	for _, r := range []server.Revision{server.Revision20241105, server.Revision20250326, server.Revision20250618} {
		h.initialize(r)
		h.send(`x`)
		h.expect(with)
	}
	h.initialize(server.Revision20251125)
	h.send(`x`)
	h.expect(without)

	modern := start(t, nil)
	modern.send(`x`)
	modern.expect(with)
	modern.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernMeta + `}}}`)
	modern.send(`x`)
	modern.expect(without)
	modern.initialize(server.Revision20250326)
	modern.send(`x`)
	modern.expect(with)
}

// TestRefusedModernMethodTellsTheRevision: who claims a revision reads answers
// of that revision, whether or not the method exists.
func TestRefusedModernMethodTellsTheRevision(t *testing.T) {
	for method, want := range map[string]int64{"no/such": -32601, "ping": -32601, "septet/effects": -32021} {
		h := start(t, nil)
		if a := h.ask(modern("1", method, "")); a.Error == nil || a.Error.Code != want {
			t.Errorf("%s: %s", method, a.raw)
		}
		h.send(`x`)
		h.expect(`{"jsonrpc":"2.0","error":{"code":-32700,"message":"the frame is not valid JSON"}}`)
	}
	h := start(t, nil)
	h.ask(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2024-11-05"}}}`)
	h.send(`x`) // a claim that was refused says nothing
	h.expect(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the frame is not valid JSON"}}`)
}
