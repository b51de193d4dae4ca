package server_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"septet/session"
	"septet/toolset"
)

// fakes are small tools with the behaviours that a server must cope with.
type fakes struct {
	registry toolset.Registry
	running  chan string   // the ids of calls of "wait" and "shell" that began
	release  chan struct{} // closed: they end by themselves
	once     sync.Once
	seen     chan session.Provenance             // of each call of "change"
	paced    func(report func(session.Progress)) // what a call of "paced" does
}

func newFakes() *fakes {
	f := &fakes{running: make(chan string, 5000), release: make(chan struct{}), seen: make(chan session.Provenance, 10)}
	toolset.Register(&f.registry, fake[echoInput]{f, toolset.Spec{ID: "echo", Risk: toolset.RiskRead, Idempotent: true}, f.echo})
	toolset.Register(&f.registry, fake[echoInput]{f, toolset.Spec{ID: "change", Risk: toolset.RiskWrite}, f.change})
	toolset.Register(&f.registry, fake[echoInput]{f, toolset.Spec{ID: "wait", Risk: toolset.RiskRead}, f.wait})
	toolset.Register(&f.registry, fake[echoInput]{f, toolset.Spec{ID: "search", Risk: toolset.RiskRead, Load: toolset.LoadSearch}, f.wait})
	toolset.Register(&f.registry, fake[echoInput]{f, toolset.Spec{ID: "shell", Risk: toolset.RiskExecute, Load: toolset.LoadProcess}, f.wait})
	toolset.Register(&f.registry, fake[countInput]{f, toolset.Spec{ID: "chat", Risk: toolset.RiskRead}, f.chat})
	toolset.Register(&f.registry, fake[echoInput]{f, toolset.Spec{ID: "paced", Risk: toolset.RiskRead}, f.pace})
	toolset.Register(&f.registry, fake[echoInput]{f, toolset.Spec{ID: "deaf", Risk: toolset.RiskRead}, f.deaf})
	toolset.Register(&f.registry, fake[countInput]{f, toolset.Spec{ID: "big", Risk: toolset.RiskRead}, f.big})
	toolset.Register(&f.registry, fake[echoInput]{f, toolset.Spec{ID: "boom", Risk: toolset.RiskRead}, f.boom})
	toolset.Register(&f.registry, fake[echoInput]{f, toolset.Spec{ID: "refuse", Risk: toolset.RiskRead}, f.refuse})
	return f
}

func (f *fakes) finalize(s toolset.Selection) (*toolset.FinalizedToolset, error) {
	return f.registry.Finalize(nil, s)
}

func (f *fakes) releaseAll() { f.once.Do(func() { close(f.release) }) }

type fake[I any] struct {
	f    *fakes
	spec toolset.Spec
	call func(context.Context, *session.CallContext, I) (echoOutput, error)
}

func (t fake[I]) Spec() toolset.Spec {
	s := t.spec
	s.Title, s.Description = strings.ToUpper(s.ID[:1])+s.ID[1:], "The tool "+s.ID+"."
	return s
}

func (t fake[I]) Effects(_ context.Context, _ *session.SessionContext, in I) ([]session.Effect, error) {
	switch said, _ := any(in).(echoInput); t.spec.Risk {
	case toolset.RiskWrite:
		return []session.Effect{{Kind: session.EffectWrite, Path: said.Text}}, nil
	case toolset.RiskExecute:
		return []session.Effect{{Kind: session.EffectUnknown, Reason: "expansion: " + said.Text}}, nil
	}
	return []session.Effect{{Kind: session.EffectRead, Path: "x"}}, nil
}

func (t fake[I]) Call(ctx context.Context, _ *session.SessionContext, cc *session.CallContext, in I) (echoOutput, error) {
	return t.call(ctx, cc, in)
}

type echoInput struct {
	Text string `json:"text,omitempty" jsonschema_description:"What to say."`
}

type countInput struct {
	Count int `json:"count" jsonschema:"minimum=0" jsonschema_description:"How many."`
}

type echoOutput struct {
	Said    string `json:"said" jsonschema_description:"What was said."`
	Changed string `json:"-"` // the path of the artifact; "" for none
}

func (o echoOutput) Text() string { return o.Said }

func (o echoOutput) Artifacts() []toolset.Artifact {
	if o.Changed == "" {
		return nil
	}
	return []toolset.Artifact{map[string]any{"kind": "file_change", "path": o.Changed}}
}

func (f *fakes) echo(_ context.Context, _ *session.CallContext, in echoInput) (echoOutput, error) {
	return echoOutput{Said: in.Text}, nil
}

func (f *fakes) change(ctx context.Context, _ *session.CallContext, in echoInput) (echoOutput, error) {
	f.seen <- provenanceOf(ctx)
	return echoOutput{Said: in.Text, Changed: in.Text}, nil
}

// wait runs until it is cancelled or released.
func (f *fakes) wait(ctx context.Context, cc *session.CallContext, in echoInput) (echoOutput, error) {
	f.running <- in.Text
	select {
	case <-f.release:
		return echoOutput{Said: "released"}, nil
	case <-ctx.Done():
		return echoOutput{Said: "partial"}, &toolset.Error{
			Code: toolset.Cancelled, Fact: fmt.Sprintf("cancelled: %v", context.Cause(ctx)), HasOutput: true,
		}
	}
}

// deaf runs on when it is cancelled, until it is made to hurry.
func (f *fakes) deaf(_ context.Context, cc *session.CallContext, _ echoInput) (echoOutput, error) {
	f.running <- "deaf"
	select {
	case <-f.release:
		return echoOutput{Said: "released"}, nil
	case <-cc.Hurried():
		return echoOutput{Said: "hurried"}, nil
	}
}

// chat reports as many signs of life as it is told to.
func (f *fakes) chat(_ context.Context, cc *session.CallContext, in countInput) (echoOutput, error) {
	for i := range in.Count {
		cc.Progress(session.Progress{Kind: session.ProgressStdout, Chunk: fmt.Sprintf("line %d\n", i), Done: int64(7 * i)})
	}
	return echoOutput{Said: "done"}, nil
}

func (f *fakes) pace(_ context.Context, cc *session.CallContext, _ echoInput) (echoOutput, error) {
	f.paced(cc.Progress)
	return echoOutput{Said: "done"}, nil
}

func (f *fakes) big(_ context.Context, _ *session.CallContext, in countInput) (echoOutput, error) {
	return echoOutput{Said: strings.Repeat("<", in.Count)}, nil
}

func (f *fakes) boom(context.Context, *session.CallContext, echoInput) (echoOutput, error) {
	panic("kaboom")
}

func (f *fakes) refuse(_ context.Context, _ *session.CallContext, in echoInput) (echoOutput, error) {
	if in.Text == "" {
		return echoOutput{}, errors.New("odd")
	}
	return echoOutput{}, toolset.Errorf(toolset.Code(in.Text), "refused").WithHint("try again")
}
