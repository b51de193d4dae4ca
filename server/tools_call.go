package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"septet/server/jsonrpc"
	"septet/session"
	"septet/toolset"
)

// invocation is a tool and what it is called with.
type invocation struct {
	set        *toolset.FinalizedToolset
	session    string
	definition toolset.Definition
	arguments  json.RawMessage
}

// prepareCall finds the tool. What is wrong with the call as a request is
// found here; what is wrong with the fields of its arguments is the tool's.
func (s *server) prepareCall(q *request) *jsonrpc.Error {
	var name string
	if !decodes(q.params["name"], &name) {
		return badParams("name must be a string")
	}
	definition, selected := s.peer.set.Definition(name)
	if !selected {
		return unknownTool(name)
	}
	arguments := q.params["arguments"]
	if len(arguments) > 0 && arguments[0] != '{' && string(arguments) != "null" {
		return badParams("arguments must be an object")
	}
	q.invocation = &invocation{set: s.peer.set, session: s.peer.session, definition: definition, arguments: arguments}
	return nil
}

func unknownTool(name string) *jsonrpc.Error {
	message := "Unknown tool: " + clip(name, maxMessageBytes)
	return badParams("%s", message).WithData(failure{Code: toolset.UnknownTool, Message: message})
}

// toolsCall waits for a slot, runs the tool and shapes its result. The slot is
// held until the answer has left: a host that does not read cannot make more
// results pile up than there are slots.
func (s *server) toolsCall(ctx context.Context, q *request) (any, *jsonrpc.Error) {
	began := time.Now()
	result, err := s.execute(ctx, q)
	if err != nil {
		if errors.Is(err, toolset.ErrNotObject) {
			return nil, badParams("%v", err)
		}
		return nil, unknownTool(q.invocation.definition.Name)
	}
	if result.Panic != nil {
		s.log.Error().Str("call", s.callID(q)).Str("tool", q.invocation.definition.Name).
			Interface("panic", result.Panic.Value).Bytes("stack", result.Panic.Stack).Msg("a tool panicked")
	}
	body := encode(s.shapeResult(q.era, result))
	if limit := q.call.AnswerBytes(); len(body) > limit {
		effects, decision := result.Effects, result.Decision
		result = frameTooLarge(len(body), limit)
		result.Effects, result.Decision = effects, decision
		body = encode(s.shapeResult(q.era, result))
	}
	s.logCall(q, result, len(body), time.Since(began))
	return body, nil
}

// execute runs the tool in a slot, which the request then holds.
func (s *server) execute(ctx context.Context, q *request) (toolset.ToolResult, error) {
	in := q.invocation
	release, err := s.slots.acquire(ctx, in.definition.Load)
	if err != nil {
		return cancelledWaiting(err), nil
	}
	q.release = release
	if q.call.Batched() && s.stream.Crowded() {
		return toolset.NotBegun(s.tooMany()), nil
	}
	ctx = session.WithProvenance(ctx, session.Provenance{
		Session: in.session, Turn: q.turn, CallID: s.callID(q), Tool: in.definition.Name,
	})
	if err := q.member.Admitted(ctx); err != nil {
		return cancelledWaiting(err), nil
	}
	progress := newProgress(s.stream, q)
	defer progress.stop()
	call := session.NewCall(s.callID(q), progress.report())
	if q.auto {
		call = call.AsAuto()
	}
	q.member.Attach(call)
	return in.set.Call(ctx, call, in.definition.Name, in.arguments)
}

// callID names a call in records that outlive the process.
func (s *server) callID(q *request) string { return s.run + "-" + q.call.Key() }

func cancelledWaiting(cause error) toolset.ToolResult {
	return toolset.NotBegun(toolset.Errorf(toolset.Cancelled, "cancelled before it started: %v", cause))
}

func frameTooLarge(size, limit int) toolset.ToolResult {
	return toolset.Failed(toolset.Errorf(toolset.FrameTooLarge,
		"the result has %d bytes as JSON; one answer may have %d", size, limit).
		WithHint("ask for less: a smaller limit or maxResults, a narrower path or glob, or a command that prints less"))
}

func (s *server) logCall(q *request, result toolset.ToolResult, size int, took time.Duration) {
	e := s.log.Info().Str("call", s.callID(q)).Str("tool", q.invocation.definition.Name)
	if q.turn != "" {
		e = e.Str("turn", q.turn)
	}
	if q.trace != "" {
		e = e.Str("traceparent", q.trace)
	}
	kinds := make([]string, len(result.Effects)) // no paths, programs or arguments: they can hold secrets
	for i, effect := range result.Effects {
		kinds[i] = string(effect.Kind)
	}
	e = e.Strs("effects", kinds).Str("decision", string(result.Decision.Verdict)).Str("rule", result.Decision.Rule)
	e.Str("status", string(result.Status)).Int("bytes", size).Dur("duration", took).Msg("call")
}

// clip shortens text that a client chose, for an error.
func clip(s string, max int) string {
	if len(s) <= max {
		return s
	}
	return fmt.Sprintf("%s... (%d bytes)", toValid(s[:max]), len(s))
}
