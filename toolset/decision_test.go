package toolset_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"septet/safepath"
	"septet/session"
	"septet/toolset"
)

// declared is a tool with the effects, or the error, that a test gives it.
type declared struct {
	echo
	effects []session.Effect
	err     error
}

func (d declared) Effects(context.Context, *session.SessionContext, echoInput) ([]session.Effect, error) {
	if d.err == errPanic {
		panic("declared")
	}
	return d.effects, d.err
}

var errPanic = errors.New("panic")

func TestDecisionOfCalls(t *testing.T) {
	write := []session.Effect{{Kind: session.EffectWrite, Path: "a"}}
	read := []session.Effect{{Kind: session.EffectRead, Path: "a"}}
	shell := []session.Effect{{Kind: session.EffectUnknown, Reason: "program: curl is not on the list"}}
	rows := []struct {
		name    string
		effects []session.Effect
		err     error
		verdict session.Verdict
		rule    string
		auto    toolset.Code // of the failure when nobody was asked; "" when it runs
	}{
		{"read", read, nil, session.Allow, "mode:default:read", ""},
		{"write", write, nil, session.Ask, "mode:default:write", toolset.NotAllowed},
		{"shell", shell, nil, session.Ask, "ask:program", toolset.NotAllowed},
		{"outside", nil, &safepath.Error{Code: safepath.OutsideRoots, Fact: "out"}, session.Deny, "outside_roots", safepath.OutsideRoots},
		{"protected", nil, &safepath.Error{Code: safepath.ProtectedPath, Fact: "git", By: ".git"}, session.Deny, "protected:.git", safepath.ProtectedPath},
		{"state", nil, &safepath.Error{Code: safepath.ProtectedPath, Fact: "state"}, session.Deny, "protected_path", safepath.ProtectedPath},
		{"missing", nil, &safepath.Error{Code: safepath.NotFound, Fact: "gone"}, session.Deny, "error:not_found", safepath.NotFound},
		{"panic", nil, errPanic, session.Deny, "error:internal", toolset.Internal},
	}
	for _, row := range rows {
		ran := false
		tool := declared{echo{spec("echo", toolset.RiskRead), func(context.Context, echoInput) (echoOutput, error) {
			ran = true
			return echoOutput{}, nil
		}}, row.effects, row.err}
		var r toolset.Registry
		toolset.Register(&r, tool)
		set, err := r.Finalize(nil, toolset.Selection{})
		if err != nil {
			t.Fatal(err)
		}
		want := session.Decision{Verdict: row.verdict, Rule: row.rule}
		for _, auto := range []bool{false, true} {
			cc := session.NewCall("1", nil)
			if auto {
				cc = cc.AsAuto()
			}
			ran = false
			result, err := set.Call(t.Context(), cc, "echo", json.RawMessage(`{"text":"x"}`))
			if err != nil || result.Decision != want {
				t.Errorf("%s, auto %v: %+v, %v; want %+v", row.name, auto, result.Decision, err, want)
			}
			refused := row.err == errPanic || auto && row.auto != ""
			if ran == refused {
				t.Errorf("%s, auto %v: ran is %v", row.name, auto, ran)
			}
			if auto && row.auto != "" && (result.Failure == nil || result.Failure.Code != row.auto) {
				t.Errorf("%s, auto: %+v, want %s", row.name, result.Failure, row.auto)
			}
		}
	}
}

func TestPreview(t *testing.T) {
	tool := declared{echo: echo{spec: spec("echo", toolset.RiskRead)}, effects: []session.Effect{{Kind: session.EffectUnknown, Reason: "flag: why"}}}
	var r toolset.Registry
	toolset.Register(&r, tool)
	set, err := r.Finalize(nil, toolset.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{
		`{"text":"x"}`: `{"effects":[{"kind":"unknown","reason":"flag: why"}],"verdict":"ask","rule":"ask:flag","reason":"flag: why"}`,
		`{"text":1}`:   `{"effects":[],"verdict":"deny","rule":"error:invalid_arguments","reason":`,
	} {
		p, err := set.Preview(t.Context(), "echo", json.RawMessage(arguments))
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) < len(want) || string(got[:len(want)]) != want {
			t.Errorf("%s: %s, want %s", arguments, got, want)
		}
	}
	panics := declared{echo: echo{spec: spec("panics", toolset.RiskRead)}, err: errPanic}
	var other toolset.Registry
	toolset.Register(&other, panics)
	broken, err := other.Finalize(nil, toolset.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := broken.Preview(t.Context(), "panics", json.RawMessage(`{"text":"x"}`)); err != nil || p.Rule != "error:internal" {
		t.Errorf("panic: %+v, %v", p, err)
	}
	if _, err := set.Preview(t.Context(), "nope", nil); !errors.Is(err, toolset.ErrUnknownTool) {
		t.Errorf("unknown tool: %v", err)
	}
	if _, err := set.Preview(t.Context(), "echo", json.RawMessage(`[]`)); !errors.Is(err, toolset.ErrNotObject) {
		t.Errorf("no object: %v", err)
	}
}
