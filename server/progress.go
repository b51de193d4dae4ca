package server

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

	"septet/server/jsonrpc"
	"septet/session"
)

// progress sends a call's signs of life to a host that asked for them. Tools
// never wait for it: what the host is too slow for is joined, and dropped from
// the oldest when it grows too long.
type progress struct {
	stream *jsonrpc.Stream
	call   *jsonrpc.Call
	token  json.RawMessage
	era    era

	mu      sync.Mutex
	pending []session.Progress // at most one of each kind, the oldest first
	last    int64              // the number sent last; -1 before the first
	busy    bool               // a sender runs
	stopped chan struct{}
}

// newProgress returns nil when the host did not ask.
func newProgress(stream *jsonrpc.Stream, q *request) *progress {
	if q.token == nil {
		return nil
	}
	return &progress{stream: stream, call: q.call, token: q.token, era: q.era, last: -1, stopped: make(chan struct{})}
}

// report is what the call reports to; nil when nobody listens.
func (p *progress) report() func(session.Progress) {
	if p == nil {
		return nil
	}
	return p.add
}

// stop ends it: no frame may follow the answer.
func (p *progress) stop() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending = nil
	close(p.stopped)
}

// add never blocks.
func (p *progress) add(news session.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.stopped:
		return
	default:
	}
	p.join(news)
	if !p.busy {
		p.busy = true
		go p.send()
	}
}

// join merges news into what is pending of its kind.
func (p *progress) join(news session.Progress) {
	for i := range p.pending {
		if old := &p.pending[i]; old.Kind == news.Kind {
			old.Chunk = tail(old.Chunk+news.Chunk, maxProgressBytes)
			old.Done = max(old.Done, news.Done)
			return
		}
	}
	news.Chunk = tail(news.Chunk, maxProgressBytes)
	p.pending = append(p.pending, news)
}

// send writes frames, no faster than allowed, until nothing is pending.
func (p *progress) send() {
	pace := time.NewTicker(time.Second / maxProgressPerSecond)
	defer pace.Stop()
	for {
		news, number, ok := p.next()
		if !ok {
			return
		}
		p.stream.Notify(p.call, "notifications/progress", p.frame(news, number))
		select {
		case <-pace.C:
		case <-p.stopped:
			return
		}
	}
}

// next takes the oldest news and gives it a number above the last.
func (p *progress) next() (session.Progress, int64, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.pending) == 0 {
		p.busy = false
		return session.Progress{}, 0, false
	}
	news := p.pending[0]
	p.pending = p.pending[1:]
	p.last = max(p.last+1, news.Done)
	return news, p.last, true
}

func (p *progress) frame(news session.Progress, number int64) json.RawMessage {
	chunk := toValid(news.Chunk)
	params := map[string]any{
		"progressToken": p.token,
		"progress":      number,
		"_meta":         map[string]any{"septet/progress": map[string]any{"kind": news.Kind, "chunk": chunk}},
	}
	if p.era.since(Revision20250326) {
		params["message"] = lastLine(chunk)
	}
	return encode(params)
}

// lastLine is what a person sees of a chunk.
func lastLine(chunk string) string {
	line := strings.TrimRight(chunk, "\r\n")
	line = line[strings.LastIndexAny(line, "\r\n")+1:]
	if len(line) > maxMessageBytes {
		line = strings.ToValidUTF8(line[:maxMessageBytes], "")
	}
	return line
}

// tail keeps the last bytes of text, from a whole character on.
func tail(s string, max int) string {
	if len(s) <= max {
		return s
	}
	return strings.ToValidUTF8(s[len(s)-max:], "")
}
