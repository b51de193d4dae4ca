package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"septet/server"
	"septet/server/jsonrpc"
	"septet/session"
	"septet/toolset"
)

// patience bounds every wait of a test that would otherwise never end.
const patience = 20 * time.Second

// host plays the other side of a connection: it writes frames and reads what
// comes back.
type host struct {
	t      *testing.T
	in     *io.PipeWriter
	out    *io.PipeReader
	frames chan string // closed at the end of the output
	served chan error  // what Serve returned
	stop   context.CancelFunc
	fake   *fakes
	gate   chan chan struct{} // of holdReading
	rules  conformity
	slow   atomic.Bool // it reads 1 KiB a second
}

// start serves the fake tools; change may adjust the configuration.
func start(t *testing.T, change func(*server.Config)) *host {
	t.Helper()
	fake := newFakes()
	c := server.Config{Version: "1.2.3", Session: "s", Finalize: fake.finalize}
	if change != nil {
		change(&c)
	}
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	h := &host{t: t, in: inWrite, out: outRead, frames: make(chan string, 1000), served: make(chan error, 1), stop: stop, fake: fake, gate: make(chan chan struct{}, 1), rules: conformity{asked: map[string]question{}}}
	go func() {
		err := server.Serve(ctx, c, inRead, outWrite)
		_ = outWrite.Close()
		_ = inRead.Close()
		h.served <- err
	}()
	go h.read(c.Framing)
	t.Cleanup(func() {
		fake.releaseAll()
		stop()
		_ = inWrite.Close()
		_ = outRead.Close()
	})
	return h
}

func (h *host) read(framing jsonrpc.Framing) {
	defer close(h.frames)
	r := bufio.NewReaderSize(slowReader{h}, 64<<10)
	for {
		select {
		case hold := <-h.gate:
			<-hold
		default:
		}
		frame, err := readFrame(r, framing)
		if err != nil {
			return
		}
		h.frames <- frame
	}
}

// slowReader reads the server's output at the pace of its host.
type slowReader struct{ h *host }

func (r slowReader) Read(b []byte) (int, error) {
	if r.h.slow.Load() {
		time.Sleep(time.Second)
		b = b[:min(len(b), 1<<10)]
	}
	return r.h.out.Read(b)
}

func readFrame(r *bufio.Reader, framing jsonrpc.Framing) (string, error) {
	line, err := r.ReadString('\n')
	if framing != jsonrpc.FramingHeader || err != nil {
		return strings.TrimSuffix(line, "\n"), err
	}
	var length int
	if _, err := fmt.Sscanf(line, "Content-Length: %d\r\n", &length); err != nil {
		return "", fmt.Errorf("header %q: %w", line, err)
	}
	body := make([]byte, 2+length)
	if _, err := io.ReadFull(r, body); err != nil || string(body[:2]) != "\r\n" {
		return "", fmt.Errorf("body %q: %w", body, err)
	}
	return string(body[2:]), nil
}

// send writes one frame as a line.
func (h *host) send(frame string) {
	h.t.Helper()
	h.rules.sent(frame)
	if _, err := io.WriteString(h.in, frame+"\n"); err != nil {
		h.t.Fatalf("write %.100s: %v", frame, err)
	}
}

// recv returns the next frame.
func (h *host) recv() string {
	h.t.Helper()
	select {
	case frame, more := <-h.frames:
		if !more {
			h.t.Fatal("the output ended")
		}
		h.rules.check(h.t, frame)
		return frame
	case <-time.After(patience):
		h.t.Fatal("no frame came")
	}
	return ""
}

// expect reads one frame and compares it.
func (h *host) expect(want string) {
	h.t.Helper()
	if got := h.recv(); got != want {
		h.t.Errorf("got  %s\nwant %s", got, want)
	}
}

// ask sends a frame and returns the next one, decoded.
func (h *host) ask(frame string) answer {
	h.t.Helper()
	h.send(frame)
	return h.next()
}

// answer is the parts of a frame that tests look at.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *jsonrpc.Error  `json:"error"`
	raw    string
}

func (h *host) next() answer {
	h.t.Helper()
	raw := h.recv()
	a := answer{raw: raw}
	if err := json.Unmarshal([]byte(raw), &a); err != nil {
		h.t.Fatalf("frame %.200s: %v", raw, err)
	}
	return a
}

// outcome is a result of tools/call.
type outcome struct {
	Content []struct{ Type, Text string }
	IsError bool
	Meta    struct {
		Status    string            `json:"septet/status"`
		Error     *toolset.Failure  `json:"septet/error"`
		Artifacts []json.RawMessage `json:"septet/artifacts"`
		Decision  session.Decision  `json:"septet/decision"`
	} `json:"_meta"`
	StructuredContent json.RawMessage
}

func (a answer) outcome(t *testing.T) outcome {
	t.Helper()
	var o outcome
	if a.Error != nil || json.Unmarshal(a.Result, &o) != nil || len(o.Content) != 1 {
		t.Fatalf("no result of a call: %s", a.raw)
	}
	return o
}

// silence asserts that nothing is written before the answer to a ping.
func (h *host) silence() {
	h.t.Helper()
	h.send(`{"jsonrpc":"2.0","id":"silence","method":"ping"}`)
	h.expect(`{"jsonrpc":"2.0","id":"silence","result":{}}`)
}

// initialize agrees on a revision.
func (h *host) initialize(r server.Revision) {
	h.t.Helper()
	a := h.ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + string(r) + `","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	if a.Error != nil || !strings.Contains(string(a.Result), `"protocolVersion":"`+string(r)+`"`) {
		h.t.Fatalf("initialize: %s", a.raw)
	}
	h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// end closes the input and waits for Serve to return.
func (h *host) end() error {
	h.t.Helper()
	_ = h.in.Close()
	return h.wait()
}

func (h *host) wait() error {
	h.t.Helper()
	select {
	case err := <-h.served:
		return err
	case <-time.After(patience):
		h.t.Fatal("Serve does not return")
	}
	return nil
}

// finish ends the connection within a synctest bubble, where every goroutine
// must end.
func (h *host) finish() {
	h.t.Helper()
	if err := h.end(); err != nil {
		h.t.Error(err)
	}
}

// holdReading stops reading after the frame that is read next, until the
// channel it returns is closed.
func (h *host) holdReading() chan struct{} {
	hold := make(chan struct{})
	h.gate <- hold
	return hold
}

// toolCall is a frame that calls a tool, with more members of params.
func toolCall(id, name, arguments, more string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + more + `}}`
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}`
