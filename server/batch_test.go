package server_test

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"testing"
	"testing/synctest"

	"septet/server"
	"septet/session"
)

// batch reads one array of answers; each becomes "id" or "id!code", sorted.
func (h *host) batch() string {
	h.t.Helper()
	var answers []answer
	raw := h.recv()
	if err := json.Unmarshal([]byte(raw), &answers); err != nil {
		h.t.Fatalf("no array: %s", raw)
	}
	var parts []string
	for _, a := range answers {
		part := string(a.ID)
		if a.Error != nil {
			part += fmt.Sprintf("!%d", a.Error.Code)
		}
		parts = append(parts, part)
	}
	sort.Strings(parts)
	return strings.Join(parts, " ")
}

func TestBatches(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20250326)
	const ping, notification = `{"jsonrpc":"2.0","id":%d,"method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	one, two := fmt.Sprintf(ping, 1), fmt.Sprintf(ping, 2)
	for frame, want := range map[string]string{
		`[` + one + `]`:                      "1",
		` [ ` + one + ` , ` + two + ` ] `:    "1 2",
		`[` + one + `,7,{},` + two + `]`:     "1 2 null!-32600 null!-32600",
		`[[]]`:                               "null!-32600",
		`[1,2,3]`:                            "null!-32600 null!-32600 null!-32600",
		`[` + one + `,` + one + `]`:          "1 1!-32600",
		`[` + notification + `,` + two + `]`: "2",
		`[{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}]`: "3!-32600",
		`[` + toolCall("4", "echo", `{}`, "") + `,` + toolCall("5", "nope", `{}`, "") + `]`:          "4 5!-32602",
		`[` + modern("6", "subscriptions/listen", `"notifications":{},`) + `]`:                       "6!-32600",
		`[{"jsonrpc":"2.0","id":1,"result":{}},` + two + `]`:                                         "2",
	} {
		h.send(frame)
		if got := h.batch(); got != want {
			t.Errorf("%s: got %s, want %s", frame, got, want)
		}
	}
	for _, frame := range []string{`[` + notification + `]`, `[{"jsonrpc":"2.0","id":1,"result":{}}]`} {
		h.send(frame)
		h.silence()
	}
	for _, frame := range []string{`[]`, `[` + strings.Repeat("1,", 1000) + `1]`} {
		if a := h.ask(frame); a.Error == nil || a.Error.Code != -32600 || string(a.ID) != "null" {
			t.Errorf("%.40s: %s", frame, a.raw)
		}
	}
}

func TestCancelledElementIsLeftOut(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20250326)
	h.send(`[` + toolCall("1", "wait", `{}`, "") + `,` + toolCall("2", "echo", `{}`, "") + `]`)
	<-h.fake.running
	h.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if got := h.batch(); got != "2" {
		t.Errorf("got %s", got)
	}
	h.send(`[` + toolCall("1", "wait", `{}`, "") + `]`)
	<-h.fake.running
	h.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	h.silence()
}

// TestBatchLargerThanTheSlots would never end if a call kept its slot until
// the whole batch is answered.
func TestBatchLargerThanTheSlots(t *testing.T) {
	h := start(t, func(c *server.Config) { c.MaxCalls = 2 })
	h.initialize(server.Revision20250326)
	var calls []string
	for id := range 9 {
		calls = append(calls, toolCall(fmt.Sprint(id), "echo", `{}`, ""))
	}
	h.send(`[` + strings.Join(calls, ",") + `]`)
	if got := h.batch(); got != "0 1 2 3 4 5 6 7 8" {
		t.Errorf("got %s", got)
	}
}

func TestBatchStaysUnderTheBound(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20250326)
	big := toolCall("1", "big", `{"count":5000000}`, "")
	h.send(`[` + big + `,` + strings.Replace(big, `"id":1`, `"id":2`, 1) + `]`)
	if frame := h.recv(); len(frame) > 8<<20 || strings.Count(frame, "frame_too_large") != 2 {
		t.Errorf("%d bytes: %.200s", len(frame), frame)
	}
}

func TestBatchOfSmallAnswersStaysUnderTheBound(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20250326)
	// A thousand results that repeat a path, or refusals that repeat an id, are
	// more than one frame may hold.
	for name, element := range map[string]string{
		"long paths": `{"jsonrpc":"2.0","id":%d,"method":"septet/effects","params":{"name":"change","arguments":{"text":"%s"}}}`,
		"long ids":   `{"jsonrpc":"2.0","id":"%d%s","method":"nope"}`,
	} {
		elements := make([]string, 1000)
		for i := range elements {
			elements[i] = fmt.Sprintf(element, i, strings.Repeat("x", 9_000))
		}
		h.send(`[` + strings.Join(elements, ",") + `]`)
		if frame := h.recv(); len(frame) > 8<<20 || strings.Count(frame, `"jsonrpc"`) != len(elements) {
			t.Errorf("%s: %d bytes: %.200s", name, len(frame), frame)
		}
	}
}

// TestIncompleteBatchesKeepNoMoreThanTheirBytes: the answers of a batch wait
// for its slowest call. When they have become too much, calls of batches are
// not begun; what stands alone is served.
func TestIncompleteBatchesKeepNoMoreThanTheirBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, func(c *server.Config) {
			c.MaxCalls, c.MaxProcesses, c.MaxInFlightBytes, c.MaxFrameBytes = 2, 1, boundedBytes, 64<<10
		})
		h.initialize(server.Revision20250326)
		taken := make(chan struct{}) // while it is open, all calls wait
		h.fake.paced = func(func(session.Progress)) { <-taken }
		h.send(toolCall(`"slot"`, "paced", `{}`, ""))
		h.send(toolCall(`"shell"`, "shell", `{}`, "")) // keeps the other shells waiting to the end
		synctest.Wait()
		const batches, answerBytes = 40, 48 << 10
		for i := range batches {
			big := toolCall(fmt.Sprintf(`"big %d"`, i), "big", fmt.Sprintf(`{"count":%d}`, answerBytes), "")
			h.send("[" + toolCall(fmt.Sprint(i), "shell", `{}`, "") + "," + big + "]")
		}
		synctest.Wait()
		close(taken)
		h.next().outcome(t)
		synctest.Wait() // one after the other, the large answers are there
		h.silence()
		h.fake.releaseAll()
		h.next().outcome(t)
		kept, refused := 0, 0
		for range batches {
			if raw := h.recv(); len(raw) > answerBytes {
				kept++
			} else if strings.Contains(raw, `"code":"too_many_calls"`) {
				refused++
			}
		}
		if most := boundedBytes/answerBytes + 1; kept != most || refused != batches-most {
			t.Errorf("%d answers were kept and %d calls refused, want %d and %d", kept, refused, most, batches-most)
		}
		h.finish()
	})
}
