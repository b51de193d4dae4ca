package toolset_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"septet/backend"
	"septet/safepath"
	"septet/session"
	"septet/toolset"
)

var timeZero = time.Unix(0, 0)

// echo is a small tool with one argument of each kind.
type echo struct {
	spec toolset.Spec
	call func(context.Context, echoInput) (echoOutput, error)
}

type echoInput struct {
	Text  string `json:"text" jsonschema_description:"What to say, please."`
	Times int    `json:"times,omitempty" jsonschema:"minimum=1,maximum=9,default=1" jsonschema_description:"How often."`
	Limit *int   `json:"limit,omitempty" jsonschema_description:"No default."`
	Loud  bool   `json:"loud,omitempty" jsonschema_description:"Upper case."`
	Mode  string `json:"mode,omitempty" jsonschema:"enum=plain,enum=fancy,default=plain" jsonschema_description:"How."`
}

type echoOutput struct {
	Said echoInput `json:"said"`
}

func (o echoOutput) Text() string {
	limit := "nil"
	if o.Said.Limit != nil {
		limit = fmt.Sprint(*o.Said.Limit)
	}
	return fmt.Sprintf("%s %d %s %t %s", o.Said.Text, o.Said.Times, limit, o.Said.Loud, o.Said.Mode)
}

func (e echo) Spec() toolset.Spec { return e.spec }

func (echo) Effects(context.Context, *session.SessionContext, echoInput) ([]session.Effect, error) {
	return []session.Effect{{Kind: session.EffectRead, Path: "x"}}, nil
}

func (e echo) Call(ctx context.Context, _ *session.SessionContext, _ *session.CallContext, in echoInput) (echoOutput, error) {
	if e.call != nil {
		return e.call(ctx, in)
	}
	return echoOutput{Said: in}, nil
}

func spec(id string, risk toolset.Risk) toolset.Spec {
	return toolset.Spec{ID: id, Title: "T", Description: "d", Risk: risk}
}

func finalize(t *testing.T, s toolset.Selection, tools ...echo) *toolset.FinalizedToolset {
	t.Helper()
	var r toolset.Registry
	for _, tool := range tools {
		toolset.Register(&r, tool)
	}
	set, err := r.Finalize(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestDecode(t *testing.T) {
	set := finalize(t, toolset.Selection{}, echo{spec: spec("echo", toolset.RiskRead)})
	ok := []struct{ arguments, text string }{
		{`{"text":"a"}`, "a 1 nil false plain"},
		{`{"text":"a","times":5.0,"loud":true}`, "a 5 nil true plain"},
		{`{"text":"a","times":"5","loud":"true"}`, "a 5 nil true plain"},
		{`{"text":"a","times":null,"limit":null,"mode":null}`, "a 1 nil false plain"},
		{`{"text":"","limit":-3,"mode":"fancy"}`, " 1 -3 false fancy"},
		{"  {\"text\" : \"\\u00e9\"}\n", "é 1 nil false plain"},
	}
	for _, c := range ok {
		result, err := set.Call(t.Context(), session.NewCall("1", nil), "echo", json.RawMessage(c.arguments))
		if err != nil || result.Status != toolset.StatusSucceeded || result.Text != c.text {
			t.Errorf("%s: got %q, %v, %v; want %q", c.arguments, result.Text, result.Status, err, c.text)
		}
	}
	bad := []struct{ arguments, fact string }{
		{`{}`, `missing argument "text"`},
		{``, `missing argument "text"`},
		{`null`, `missing argument "text"`},
		{`{"text":null}`, `missing argument "text"`},
		{`{"Text":"a"}`, `unknown argument "Text"`},
		{`{"text":"a","text":"b"}`, `argument "text" is given twice`},
		{`{"text":"a","more":1}`, `unknown argument "more"`},
		{`{"text":7}`, `text must be a string, got 7`},
		{`{"text":["a"]}`, `text must be a string, got ["a"]`},
		{`{"text":"a","times":0}`, `times must be at least 1, got 0`},
		{`{"text":"a","times":10}`, `times must be at most 9, got 10`},
		{`{"text":"a","times":99999999999999999999}`, `times must be at most 9, got 99999999999999999999`},
		{`{"text":"a","limit":99999999999999999999}`, `limit is out of range`},
		{`{"text":"a","times":1e999999999}`, `times must be an integer, got 1e999999999`},
		{`{"text":"a","times":1.5}`, `times must be an integer, got 1.5`},
		{`{"text":"a","times":""}`, `times must be an integer, got ""`},
		{`{"text":"a","times":"1/1"}`, `times must be an integer, got "1/1"`},
		{`{"text":"a","times":true}`, `times must be an integer, got true`},
		{`{"text":"a","loud":1}`, `loud must be true or false, got 1`},
		{`{"text":"a","loud":"yes"}`, `loud must be true or false, got "yes"`},
		{`{"text":"a","mode":"odd"}`, `mode must be one of [plain fancy], got "odd"`},
	}
	for _, c := range bad {
		result, err := set.Call(t.Context(), session.NewCall("1", nil), "echo", json.RawMessage(c.arguments))
		if err != nil || result.Failure == nil || result.Failure.Code != toolset.InvalidArguments || result.Failure.Message != c.fact {
			t.Errorf("%s: got %+v, %v; want %q", c.arguments, result, err, c.fact)
		}
		if !strings.Contains(result.Text, "\nhint: ") || !strings.Contains(result.Text, "echo takes text (string), times (integer, optional, default 1)") {
			t.Errorf("%s: the hint does not say what echo takes: %q", c.arguments, result.Text)
		}
	}
	for _, arguments := range []string{`[]`, `7`, `"x"`, `true`} {
		if _, err := set.Call(t.Context(), session.NewCall("1", nil), "echo", json.RawMessage(arguments)); !errors.Is(err, toolset.ErrNotObject) {
			t.Errorf("%s: got %v, want ErrNotObject", arguments, err)
		}
	}
}

func TestUnknownArgumentNamesTheNearest(t *testing.T) {
	set := finalize(t, toolset.Selection{}, echo{spec: spec("echo", toolset.RiskRead)})
	for given, want := range map[string]string{"Times": "times", "input_text": "text", "tme": "times", "louder": "loud"} {
		result, _ := set.Call(t.Context(), session.NewCall("1", nil), "echo", json.RawMessage(`{"`+given+`":1}`))
		if !strings.Contains(result.Text, fmt.Sprintf("hint: did you mean %q?", want)) {
			t.Errorf("%s: %q does not name %s", given, result.Text, want)
		}
	}
}

func TestSchemaIsSelfContained(t *testing.T) {
	set := finalize(t, toolset.Selection{}, echo{spec: spec("echo", toolset.RiskRead)})
	d, _ := set.Definition("echo")
	want := `{"properties":{` +
		`"text":{"type":"string","description":"What to say, please."},` +
		`"times":{"type":"integer","maximum":9,"minimum":1,"description":"How often.","default":1},` +
		`"limit":{"type":"integer","description":"No default."},` +
		`"loud":{"type":"boolean","description":"Upper case."},` +
		`"mode":{"type":"string","enum":["plain","fancy"],"description":"How.","default":"plain"}},` +
		`"additionalProperties":false,"type":"object","required":["text"]}`
	if string(d.InputSchema) != want {
		t.Errorf("got  %s\nwant %s", d.InputSchema, want)
	}
}

func TestFinalizeReportsEveryMistake(t *testing.T) {
	var r toolset.Registry
	toolset.Register(&r, echo{spec: spec("echo", toolset.RiskRead)})
	toolset.Register(&r, echo{spec: spec("echo", toolset.RiskRead)})
	toolset.Register(&r, echo{spec: spec("", toolset.RiskRead)})
	toolset.Register(&r, echo{spec: spec("Two Words", toolset.RiskRead)})
	toolset.Register(&r, echo{spec: toolset.Spec{ID: "blank", Risk: toolset.RiskRead}})
	toolset.Register(&r, echo{spec: spec("riskless", 0)})
	toolset.Register(&r, recursive{})
	_, err := r.Finalize(nil, toolset.Selection{Mode: "odd", Tools: []string{"ecko", "", "echo", "echo"}})
	if err == nil {
		t.Fatal("no mistake was reported")
	}
	for _, want := range []string{
		`tool "echo" is registered twice`, `tool "": the id must be one lower-case word`, `tool "Two Words": the id`,
		"title and description must not be blank", "the risk must be", "contains itself",
		`unknown mode "odd"`, `unknown tool "ecko"; did you mean "echo"?`, "name is blank", `tool "echo" is selected twice`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not reported in:\n%v", want, err)
		}
	}
}

// recursive has an input for which there is no closed schema.
type recursive struct{}

type recursiveInput struct {
	Next *recursiveInput `json:"next" jsonschema_description:"more"`
}

func (recursive) Spec() toolset.Spec { return spec("recursive", toolset.RiskRead) }

func (recursive) Effects(context.Context, *session.SessionContext, recursiveInput) ([]session.Effect, error) {
	return nil, nil
}

func (recursive) Call(context.Context, *session.SessionContext, *session.CallContext, recursiveInput) (echoOutput, error) {
	return echoOutput{}, nil
}

func TestAdvertisedAndCallableAreOne(t *testing.T) {
	tools := []echo{{spec: spec("alpha", toolset.RiskRead)}, {spec: spec("beta", toolset.RiskWrite)}, {spec: spec("gamma", toolset.RiskExecute)}}
	cases := []struct {
		selection toolset.Selection
		want      string
	}{
		{toolset.Selection{}, "alpha beta gamma"},
		{toolset.Selection{Mode: session.ModeReadOnly}, "alpha"},
		{toolset.Selection{Tools: []string{"gamma", "alpha"}}, "alpha gamma"},
	}
	for _, c := range cases {
		set := finalize(t, c.selection, tools...)
		var listed []string
		for _, d := range set.Definitions() {
			listed = append(listed, d.Name)
		}
		if got := strings.Join(listed, " "); got != c.want {
			t.Errorf("%+v: listed %q, want %q", c.selection, got, c.want)
		}
		for _, tool := range tools {
			_, err := set.Call(t.Context(), session.NewCall("1", nil), tool.spec.ID, json.RawMessage(`{"text":"a"}`))
			_, effectsErr := set.Effects(t.Context(), tool.spec.ID, json.RawMessage(`{"text":"a"}`))
			selected := strings.Contains(c.want, tool.spec.ID)
			if selected != (err == nil) || selected != (effectsErr == nil) {
				t.Errorf("%+v: %s: call %v, effects %v", c.selection, tool.spec.ID, err, effectsErr)
			}
			if !selected && !errors.Is(err, toolset.ErrUnknownTool) {
				t.Errorf("%s: got %v, want ErrUnknownTool", tool.spec.ID, err)
			}
		}
	}
}

func TestReadOnlyModeRefusesNamedWriter(t *testing.T) {
	var r toolset.Registry
	toolset.Register(&r, echo{spec: spec("beta", toolset.RiskWrite)})
	_, err := r.Finalize(nil, toolset.Selection{Mode: session.ModeReadOnly, Tools: []string{"beta"}})
	if err == nil || !strings.Contains(err.Error(), `tool "beta" is not available in mode "read-only"`) {
		t.Errorf("got %v", err)
	}
}

func TestPanicIsOneFailedCall(t *testing.T) {
	boom := echo{spec: spec("boom", toolset.RiskRead), call: func(context.Context, echoInput) (echoOutput, error) { panic("kaboom") }}
	set := finalize(t, toolset.Selection{}, boom)
	result, err := set.Call(t.Context(), session.NewCall("1", nil), "boom", json.RawMessage(`{"text":"a"}`))
	if err != nil || result.Failure == nil || result.Failure.Code != toolset.Internal {
		t.Fatalf("got %+v, %v", result, err)
	}
	if strings.Contains(result.Text, "kaboom") {
		t.Errorf("the panic's value reached the model: %q", result.Text)
	}
	if result.Panic == nil || result.Panic.Value != "kaboom" || !strings.Contains(string(result.Panic.Stack), "toolset_test") {
		t.Errorf("the panic is not kept for the log: %+v", result.Panic)
	}
}

func TestResultOfErrors(t *testing.T) {
	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(session.ErrTurnEnded)
	late, stop := context.WithDeadlineCause(t.Context(), timeZero, nil)
	defer stop()
	cases := []struct {
		ctx    context.Context
		err    error
		status toolset.Status
		code   toolset.Code
		text   string
	}{
		{t.Context(), &safepath.Error{Code: safepath.OutsideRoots, Fact: "outside", Hint: "stay"}, toolset.StatusDenied, safepath.OutsideRoots, "outside\nhint: stay"},
		{t.Context(), &backend.Error{Code: backend.Binary, Fact: "binary"}, toolset.StatusFailed, backend.Binary, "binary\nhint: look at it with bash"},
		{t.Context(), errors.New("odd"), toolset.StatusFailed, toolset.Internal, "internal error: odd\nhint: this is a bug in septet; other calls still work"},
		{t.Context(), toolset.Errorf(toolset.OutcomeUnknown, "lost"), toolset.StatusOutcomeUnknown, toolset.OutcomeUnknown, "lost\nhint: look at what is there before you call again"},
		{t.Context(), &toolset.Error{Code: toolset.Timeout, Fact: "late", HasOutput: true}, toolset.StatusFailed, toolset.Timeout, "partial 0 nil false "},
		{cancelled, context.Canceled, toolset.StatusCancelled, toolset.Cancelled, "cancelled: turn cancelled by the host"},
		{cancelled, toolset.Errorf(toolset.NoMatch, "none"), toolset.StatusFailed, toolset.NoMatch, "none\nhint: read the file and call again with what it holds now"},
		{late, fmt.Errorf("walk: %w", context.DeadlineExceeded), toolset.StatusFailed, toolset.Timeout, "timed out\nhint: ask for less and call again"},
	}
	for _, c := range cases {
		tool := echo{spec: spec("echo", toolset.RiskRead), call: func(context.Context, echoInput) (echoOutput, error) {
			return echoOutput{Said: echoInput{Text: "partial"}}, c.err
		}}
		result, err := finalize(t, toolset.Selection{}, tool).Call(c.ctx, session.NewCall("1", nil), "echo", json.RawMessage(`{"text":"a"}`))
		if err != nil || result.Status != c.status || result.Failure.Code != c.code || result.Text != c.text || result.Output != nil {
			t.Errorf("%v: got %+v %+v, %v", c.err, result, result.Failure, err)
		}
	}
}

func TestNarrow(t *testing.T) {
	base := toolset.Selection{Mode: session.ModeDefault, Tools: []string{"read", "bash"}}
	cases := []struct {
		to      toolset.Selection
		want    string // of the error; "" when it is accepted
		changed bool
	}{
		{toolset.Selection{}, "", false},
		{toolset.Selection{Mode: session.ModeReadOnly}, "", true},
		{toolset.Selection{Tools: []string{"read"}}, "", true},
		{toolset.Selection{Tools: []string{"bash", "read"}}, "", false},
		{toolset.Selection{Mode: session.ModeAcceptEdits}, "wider", false},
		{toolset.Selection{Mode: "odd"}, "unknown mode", false},
		{toolset.Selection{Tools: []string{"write"}}, "not among", false},
	}
	for _, c := range cases {
		got, err := base.Narrow(c.to)
		if (c.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.to, err, c.want)
		}
		if changed := !got.Equal(base); changed != c.changed {
			t.Errorf("%+v: changed %t", c.to, changed)
		}
	}
}

// Every failure tells the next step, also one whose maker knew none.
func TestEveryCodeHasAHint(t *testing.T) {
	for _, c := range toolset.Codes() {
		_, hint, ok := strings.Cut(toolset.Errorf(c, "fact").Text(), "fact\nhint: ")
		if wanted := c != toolset.Cancelled; ok != wanted || ok && hint == "" {
			t.Errorf("%s: hint %q", c, hint)
		}
	}
}

func TestCodesAreDistinct(t *testing.T) {
	seen := map[toolset.Code]bool{}
	for _, c := range toolset.Codes() {
		if seen[c] || c == "" {
			t.Errorf("code %q is listed twice or blank", c)
		}
		seen[c] = true
	}
}
