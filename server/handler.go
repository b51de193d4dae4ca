package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"

	"github.com/sourcegraph/jsonrpc2"

	"septet/server/jsonrpc"
	"septet/toolset"
)

// method is one request that is served.
type method struct {
	legacy, modern bool // in which eras it exists
	host           bool // part of our extension
	tools          bool // needs the toolset
	// spawned methods run in a goroutine of their own and can be cancelled;
	// the others must not block.
	spawned bool
	inTurn  bool // belongs to a turn while it runs; spawned only
	// prepare checks the parameters before anything is spawned. Optional.
	prepare func(*request) *jsonrpc.Error
	run     func(context.Context, *request) (any, *jsonrpc.Error)
}

// table lists every method. Its names are the whole surface of the server.
func (s *server) table() map[string]method {
	return map[string]method{
		"initialize":               {legacy: true, run: s.initialize},
		"ping":                     {legacy: true, run: ping},
		"server/discover":          {modern: true, run: s.discover},
		"tools/list":               {legacy: true, modern: true, tools: true, run: s.toolsList},
		"tools/call":               {legacy: true, modern: true, tools: true, spawned: true, inTurn: true, prepare: s.prepareCall, run: s.toolsCall},
		"resources/list":           {legacy: true, run: emptyList("resources")},
		"resources/templates/list": {legacy: true, run: emptyList("resourceTemplates")},
		"prompts/list":             {legacy: true, run: emptyList("prompts")},
		"septet/effects":           {legacy: true, modern: true, host: true, tools: true, spawned: true, prepare: s.prepareCall, run: s.effects},
		"septet/changes/list":      {legacy: true, modern: true, host: true, spawned: true, run: s.changesList},
		"septet/changes/get":       {legacy: true, modern: true, host: true, spawned: true, run: s.changesGet},
		"septet/changes/undo":      {legacy: true, modern: true, host: true, tools: true, spawned: true, prepare: s.prepareUndo, run: s.changesUndo},
		"subscriptions/listen":     {modern: true, spawned: true, prepare: prepareListen, run: s.listen},
	}
}

// handle is called on the reading goroutine for each message, in order.
func (s *server) handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	call := s.stream.Take(r)
	switch {
	case call == nil:
		return
	case call.Notification():
		s.notified(call)
		return
	}
	q, bad := newRequest(conn, call)
	defer s.recovered(q)
	if bad == nil {
		bad = s.admit(ctx, q)
	}
	if bad != nil {
		s.stream.ReplyError(conn, call, bad)
	}
}

// admit decides how a request is served and starts it.
func (s *server) admit(ctx context.Context, q *request) *jsonrpc.Error {
	var bad *jsonrpc.Error
	if q.era, bad = eraOf(q, s.peer.agreed); bad != nil {
		return bad
	}
	if q.era.modern() { // also when the method does not exist: who claims a revision reads its errors
		s.metModern()
	}
	m, known := s.methods[q.call.Method]
	switch {
	case !known, q.era.modern() && !m.modern, !q.era.modern() && !m.legacy:
		return unknownMethod(q)
	case m.host && !q.era.host:
		return missingHost()
	}
	if m.tools {
		if bad := s.ensureToolset(); bad != nil {
			return bad
		}
	}
	if m.spawned && !s.stream.Admit(q.call) {
		return ownError(s.tooMany())
	}
	if m.prepare != nil {
		if bad := m.prepare(q); bad != nil {
			return bad
		}
	}
	if m.spawned {
		s.spawn(ctx, q, m)
		return nil
	}
	return s.answer(ctx, q, m)
}

func (s *server) tooMany() *toolset.Error {
	return toolset.Errorf(toolset.TooManyCalls, "too many calls are in flight: at most %d may be, and what they keep may have %d MiB",
		jsonrpc.MaxInFlightCalls, s.stream.MaxInFlightBytes()>>20)
}

func unknownMethod(q *request) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.MethodNotFound, Message: fmt.Sprintf("unknown method %q", q.call.Method)}
}

// answer runs a method that does not block.
func (s *server) answer(ctx context.Context, q *request, m method) *jsonrpc.Error {
	result, bad := m.run(ctx, q)
	if bad != nil {
		return bad
	}
	body, bad := fitting(q, result)
	if bad != nil {
		return bad
	}
	s.stream.Reply(q.conn, q.call, body)
	return nil
}

// spawn runs a method in a goroutine. It can be cancelled from here on.
func (s *server) spawn(ctx context.Context, q *request, m method) {
	ctx, cancel, end := s.contextOf(ctx, q, m)
	s.stream.Bind(q.call, cancel)
	go func() {
		defer q.released()
		defer s.recovered(q)
		defer end()
		result, bad := m.run(ctx, q)
		end() // a host that has its answer finds the call gone
		var body json.RawMessage
		if bad == nil {
			body, bad = fitting(q, result)
		}
		if bad != nil {
			s.stream.ReplyError(q.conn, q.call, bad)
			return
		}
		s.stream.ReplyAndWait(q.conn, q.call, body)
	}()
}

// contextOf derives the context of a spawned request.
func (s *server) contextOf(ctx context.Context, q *request, m method) (context.Context, func(error), func()) {
	if m.inTurn {
		ctx, member := s.turns.Begin(ctx, q.turn)
		q.member = member
		return ctx, member.Cancel, member.End
	}
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, cancel, func() { cancel(nil) }
}

// recovered answers a request whose method panicked: the process goes on.
func (s *server) recovered(q *request) {
	if value := recover(); value != nil {
		s.log.Error().Str("method", q.call.Method).Interface("panic", value).Bytes("stack", debug.Stack()).Msg("a method panicked")
		s.stream.ReplyError(q.conn, q.call, &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "internal error"})
	}
}

// fitting encodes a result, or says that it is too large for one answer: a
// diff of two whole megabytes of control characters is, and so is a list of
// tools in a batch of a thousand.
func fitting(q *request, result any) (json.RawMessage, *jsonrpc.Error) {
	body := encode(result)
	if limit := q.call.AnswerBytes(); len(body) > limit {
		return nil, ownError(toolset.Errorf(toolset.FrameTooLarge, "the answer has %d bytes as JSON; one answer may have %d", len(body), limit).
			WithHint("ask for less: a smaller limit, a smaller batch"))
	}
	return body, nil
}

// encode writes a result. It keeps < and > as they are: escaped, a page of
// HTML costs a half more.
func encode(result any) json.RawMessage {
	if raw, done := result.(json.RawMessage); done {
		return raw
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(result); err != nil {
		panic(fmt.Sprintf("encode %T: %v", result, err))
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
