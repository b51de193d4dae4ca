package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"runtime/debug"

	"septet/session"
)

// Definition is a tool as a host sees it.
type Definition struct {
	Name         string
	Title        string
	Description  string
	InputSchema  json.RawMessage
	OutputSchema json.RawMessage
	Annotations  Annotations
	Load         Load
}

// entry is one erased tool: its definition and its dispatch are made together
// and never apart.
type entry struct {
	definition Definition
	risk       Risk
	bind       func(json.RawMessage) (invocation, error)
}

// invocation is a tool with its decoded input.
type invocation struct {
	effects func(context.Context, *session.SessionContext) ([]session.Effect, error)
	call    func(context.Context, *session.SessionContext, *session.CallContext) (Output, error)
}

func define(spec Spec, input, output reflect.Type) (Definition, *decoder, error) {
	in, err := schemaOf(input)
	if err != nil {
		return Definition{}, nil, err
	}
	inputSchema, err := encodeSchema(in)
	if err != nil {
		return Definition{}, nil, err
	}
	d, err := newDecoder(spec.ID, input, in)
	if err != nil {
		return Definition{}, nil, err
	}
	out, err := schemaOf(output)
	if err != nil {
		return Definition{}, nil, err
	}
	outputSchema, err := encodeSchema(out)
	return Definition{
		Name: spec.ID, Title: spec.Title, Description: spec.Description,
		InputSchema: inputSchema, OutputSchema: outputSchema,
		Annotations: spec.Annotations(), Load: spec.Load,
	}, d, err
}

func erase[I any, O Output](t Tool[I, O], definition Definition, d *decoder) *entry {
	return &entry{
		definition: definition,
		risk:       t.Spec().Risk,
		bind: func(arguments json.RawMessage) (invocation, error) {
			var in I
			if err := d.decode(arguments, reflect.ValueOf(&in)); err != nil {
				return invocation{}, err
			}
			return invocation{
				effects: func(ctx context.Context, sc *session.SessionContext) ([]session.Effect, error) {
					return t.Effects(ctx, sc, in)
				},
				call: func(ctx context.Context, sc *session.SessionContext, cc *session.CallContext) (Output, error) {
					return t.Call(ctx, sc, cc, in)
				},
			}, nil
		},
	}
}

// run decides on the call and makes it, catches the tool's panic and makes the
// result.
func (e *entry) run(ctx context.Context, sc *session.SessionContext, cc *session.CallContext, arguments json.RawMessage) (result ToolResult, err error) {
	var effects []session.Effect
	var decision session.Decision
	defer func() {
		if value := recover(); value != nil {
			result = Failed(Errorf(Internal, "%s failed with an internal error", e.definition.Name).
				WithHint("this is a bug in septet; other calls still work"))
			result.Panic = &Panic{Value: value, Stack: debug.Stack()}
			err = nil
			if decision.Verdict == "" { // it panicked before there was one
				decision = refused(&Error{Code: Internal})
			}
		}
		result.Effects, result.Decision = effects, decision
	}()
	bound, err := e.bind(arguments)
	if errors.Is(err, ErrNotObject) {
		return ToolResult{}, err
	}
	if err != nil {
		decision = refused(err)
		return resultOf(ctx, nil, err), nil
	}
	effects, err = bound.effects(ctx, sc)
	if decision = decide(sc, effects, err); cc.Auto() && decision.Verdict != session.Allow {
		return notAllowed(e.definition.Name, decision, err), nil
	}
	out, err := bound.call(ctx, sc, cc)
	return resultOf(ctx, out, err), nil
}
