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
)

// sign is the params of a progress frame.
type sign struct {
	ProgressToken json.RawMessage
	Progress      int64
	Message       *string
	Total         *int64
	Meta          struct {
		Septet struct{ Kind, Chunk string } `json:"septet/progress"`
	} `json:"_meta"`
}

func (a answer) sign(t *testing.T) sign {
	t.Helper()
	var s sign
	if a.Method != "notifications/progress" || json.Unmarshal(a.Params, &s) != nil {
		t.Fatalf("no progress: %s", a.raw)
	}
	return s
}

// TestProgressIsPacedAndJoined lets a call report every millisecond for a
// second and looks at what the host gets.
func TestProgressIsPacedAndJoined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		h.fake.paced = func(report func(session.Progress)) {
			for i := range 1000 {
				report(session.Progress{Kind: session.ProgressStdout, Chunk: fmt.Sprintf("line %d\n", i), Done: int64(i)})
				time.Sleep(time.Millisecond)
			}
		}
		h.initialize(server.Revision20251125)
		h.send(toolCall("1", "paced", `{}`, `,"_meta":{"progressToken":0}`))
		var all string
		last, frames := int64(-1), 0
		a := h.next()
		for ; a.Method != ""; a = h.next() {
			s := a.sign(t)
			if string(s.ProgressToken) != "0" || s.Progress <= last || s.Total != nil || s.Meta.Septet.Kind != "stdout" {
				t.Errorf("after %d: %s", last, a.raw)
			}
			all += s.Meta.Septet.Chunk
			lines := strings.Split(strings.TrimSuffix(s.Meta.Septet.Chunk, "\n"), "\n")
			if s.Message == nil || *s.Message != lines[len(lines)-1] {
				t.Errorf("message is not the last line: %s", a.raw)
			}
			last, frames = s.Progress, frames+1
		}
		if frames < 9 || frames > 11 {
			t.Errorf("%d frames in a second", frames)
		}
		if strings.Count(all, "\n") < 890 || !strings.HasPrefix(all, "line 0\nline 1\nline 2\n") {
			t.Errorf("chunks are lost: %q", all)
		}
		h.silence() // nothing follows the answer
		h.finish()
	})
}

func TestProgressGoesOnlyToThoseWhoAsked(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	for _, meta := range []string{``, `,"_meta":{}`} {
		if a := h.ask(toolCall("1", "chat", `{"count":50}`, meta)); a.Method != "" {
			t.Errorf("unasked: %s", a.raw)
		}
	}
	h.silence()
}

func TestProgressMessageIsSince20250326(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		h.fake.paced = func(report func(session.Progress)) {
			report(session.Progress{Kind: session.ProgressStderr, Chunk: "a\n", Done: 2})
			time.Sleep(time.Second)
		}
		for r, want := range map[server.Revision]bool{server.Revision20241105: false, server.Revision20250326: true} {
			h.initialize(r)
			h.send(toolCall("1", "paced", `{}`, `,"_meta":{"progressToken":"t"}`))
			if s := h.next().sign(t); (s.Message != nil) != want || s.Meta.Septet.Kind != "stderr" || s.Progress != 2 {
				t.Errorf("%s: %+v", r, s)
			}
			h.next()
		}
		h.finish()
	})
}

// TestSlowHostLosesOldProgressAndNoResult reports far more than is kept while
// the host reads nothing.
func TestSlowHostLosesOldProgressAndNoResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		const chunks, chunkBytes = 1000, 1000
		done := make(chan struct{})
		h.fake.paced = func(report func(session.Progress)) {
			for i := range chunks {
				report(session.Progress{Kind: session.ProgressStdout, Chunk: strings.Repeat("é", chunkBytes/2), Done: int64(i * chunkBytes)})
			}
			close(done)
			<-h.fake.release
		}
		h.initialize(server.Revision20251125)
		hold := h.holdReading()
		h.send(toolCall("1", "paced", `{}`, `,"_meta":{"progressToken":"t"}`))
		<-done // the tool never waited for the host
		close(hold)
		first, second := h.next().sign(t), h.next().sign(t)
		if n := len(second.Meta.Septet.Chunk); n == 0 || n > 16<<10 {
			t.Errorf("%d bytes were kept after %d", n, len(first.Meta.Septet.Chunk))
		}
		if strings.ContainsRune(second.Meta.Septet.Chunk, '\uFFFD') || second.Message == nil || len(*second.Message) > 200 {
			t.Errorf("a character was cut, or the message is long: %q", *second.Message)
		}
		h.fake.releaseAll()
		if o := h.next().outcome(t); o.IsError {
			t.Errorf("%+v", o)
		}
		h.finish()
	})
}

// TestProgressGrowsAlthoughNothingIsDone: a host takes an equal number for a
// mistake.
func TestProgressGrowsAlthoughNothingIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		h.fake.paced = func(report func(session.Progress)) {
			for _, done := range []int64{0, 0, 10, 10, 3} {
				report(session.Progress{Kind: session.ProgressMessage, Chunk: "x", Done: done})
				time.Sleep(200 * time.Millisecond)
			}
		}
		h.initialize(server.Revision20251125)
		h.send(toolCall("1", "paced", `{}`, `,"_meta":{"progressToken":1}`))
		for _, want := range []int64{0, 1, 10, 11, 12} {
			if s := h.next().sign(t); s.Progress != want {
				t.Errorf("got %d, want %d", s.Progress, want)
			}
		}
		h.next()
		h.finish()
	})
}
