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
	effects    func(context.Context, *session.SessionContext, json.RawMessage) ([]session.Effect, error)
	call       func(context.Context, *session.SessionContext, *session.CallContext, json.RawMessage) (Output, error)
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
	decode := func(arguments json.RawMessage) (I, error) {
		var in I
		err := d.decode(arguments, reflect.ValueOf(&in))
		return in, err
	}
	return &entry{
		definition: definition,
		risk:       t.Spec().Risk,
		effects: func(ctx context.Context, sc *session.SessionContext, arguments json.RawMessage) ([]session.Effect, error) {
			in, err := decode(arguments)
			if err != nil {
				return nil, err
			}
			return t.Effects(ctx, sc, in)
		},
		call: func(ctx context.Context, sc *session.SessionContext, cc *session.CallContext, arguments json.RawMessage) (Output, error) {
			in, err := decode(arguments)
			if err != nil {
				return nil, err
			}
			return t.Call(ctx, sc, cc, in)
		},
	}
}

// run calls the tool, catches its panic and makes the result.
func (e *entry) run(ctx context.Context, sc *session.SessionContext, cc *session.CallContext, arguments json.RawMessage) (result ToolResult, err error) {
	defer func() {
		if value := recover(); value != nil {
			result = Failed(Errorf(Internal, "%s failed with an internal error", e.definition.Name).
				WithHint("this is a bug in septet; other calls still work"))
			result.Panic = &Panic{Value: value, Stack: debug.Stack()}
			err = nil
		}
	}()
	out, err := e.call(ctx, sc, cc, arguments)
	if errors.Is(err, ErrNotObject) {
		return ToolResult{}, err
	}
	return resultOf(ctx, out, err), nil
}
