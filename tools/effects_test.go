package tools_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"septet/backend"
	"septet/backend/memory"
	"septet/safepath"
	"septet/session"
	"septet/tools"
	"septet/toolset"
)

// recorder writes down what a tool really does: reads and writes by path,
// commands as execute.
type recorder struct {
	mu   sync.Mutex
	seen []session.Effect
}

func (r *recorder) saw(kind session.EffectKind, path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, session.Effect{Kind: kind, Path: path})
}

// take returns what was seen since the last time.
func (r *recorder) take() []session.Effect {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := r.seen
	r.seen = nil
	return seen
}

type recordedFiles struct {
	backend.FileSystem
	*recorder
}

func (f recordedFiles) Open(ctx context.Context, p *safepath.CheckedPath) (backend.File, error) {
	f.saw(session.EffectRead, p.String())
	return f.FileSystem.Open(ctx, p)
}

func (f recordedFiles) ReadDir(ctx context.Context, p *safepath.CheckedPath, offset, limit int) (backend.Page, error) {
	f.saw(session.EffectRead, p.String())
	return f.FileSystem.ReadDir(ctx, p, offset, limit)
}

func (f recordedFiles) Replace(ctx context.Context, p *safepath.CheckedPath, r backend.Replacement) (backend.Change, error) {
	kind := session.EffectWrite
	if safepath.StatOf(p).Kind == safepath.KindUnknown {
		kind = session.EffectCreate
	}
	f.saw(kind, p.String())
	return f.FileSystem.Replace(ctx, p, r)
}

type recordedSearch struct {
	backend.Searcher
	*recorder
}

func (s recordedSearch) Grep(ctx context.Context, p *safepath.CheckedPath, q backend.GrepQuery) (backend.GrepResult, error) {
	s.saw(session.EffectRead, p.String())
	return s.Searcher.Grep(ctx, p, q)
}

func (s recordedSearch) Glob(ctx context.Context, p *safepath.CheckedPath, q backend.GlobQuery) (backend.GlobResult, error) {
	s.saw(session.EffectRead, p.String())
	return s.Searcher.Glob(ctx, p, q)
}

type recordedProcesses struct {
	backend.Process
	*recorder
}

func (p recordedProcesses) Run(ctx context.Context, c backend.Command) (backend.Completion, error) {
	p.saw(session.EffectExecute, "")
	return p.Process.Run(ctx, c)
}

// TestObservedEffectsAreDeclared calls every tool on recording backends. What
// is seen must have been declared; declaring it, beforehand, does nothing.
func TestObservedEffectsAreDeclared(t *testing.T) {
	v := memory.NewVolume()
	for name, content := range map[string]string{"a.txt": "one\ntwo\n", "src/b.txt": "two\n"} {
		if err := v.MkdirAll("/work/src", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := v.WriteFile("/work/"+name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := &recorder{}
	ops := memory.New(v, &memory.Processes{Scripts: map[string]memory.Script{"make": {}, "cat a.txt > c.txt": {}}})
	ops.Files, ops.Search, ops.Processes = recordedFiles{ops.Files, r}, recordedSearch{ops.Search, r}, recordedProcesses{ops.Processes, r}
	sc, err := session.New(session.Config{
		Paths:   safepath.Config{WorkingDirectory: "/work", Roots: []safepath.Root{{Path: "/work", Writable: true}}},
		Profile: session.Profile{Mode: session.ModeAcceptEdits},
	}, ops)
	if err != nil {
		t.Fatal(err)
	}
	var registry toolset.Registry
	tools.Register(&registry, tools.Config{})
	set, err := registry.Finalize(sc, toolset.Selection{Mode: session.ModeAcceptEdits})
	if err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{}
	for _, call := range []struct{ tool, arguments string }{
		{"read", `{"path":"a.txt"}`}, {"read", `{"path":"./src/../a.txt","offset":1,"limit":1}`},
		{"write", `{"path":"new/c.txt","content":"x"}`}, {"write", `{"path":"a.txt","content":"x\ntwo\n"}`},
		{"edit", `{"path":"a.txt","oldText":"two","newText":"three"}`}, {"edit", `{"path":"d.txt","oldText":"","newText":"x"}`},
		{"grep", `{"pattern":"two"}`}, {"grep", `{"pattern":"two","path":"src/b.txt"}`}, {"glob", `{"pattern":"**/*.txt","path":"src"}`}, {"list", `{}`}, {"list", `{"path":"src"}`},
		{"bash", `{"command":"make"}`}, {"bash", `{"command":"cat a.txt > c.txt"}`},
	} {
		declared, err := set.Effects(t.Context(), call.tool, json.RawMessage(call.arguments))
		if err != nil {
			t.Fatalf("%s %s: %v", call.tool, call.arguments, err)
		}
		for _, e := range r.take() {
			if e.Kind != session.EffectRead {
				t.Errorf("%s %s: declaring did %+v", call.tool, call.arguments, e)
			}
		}
		result, err := set.Call(t.Context(), session.NewCall("1", nil), call.tool, json.RawMessage(call.arguments))
		if err != nil || result.Status != toolset.StatusSucceeded {
			t.Errorf("%s %s: %+v, %v", call.tool, call.arguments, result, err)
		}
		observed := r.take()
		if len(observed) == 0 {
			t.Errorf("%s %s: nothing was seen", call.tool, call.arguments)
		}
		for _, e := range observed {
			if !covered(declared, e) {
				t.Errorf("%s %s: did %+v, declared %+v", call.tool, call.arguments, e, declared)
			}
		}
		called[call.tool] = true
	}
	for _, d := range set.Definitions() {
		if !called[d.Name] {
			t.Errorf("%s was not called", d.Name)
		}
	}
}

// covered reports whether an effect was declared: by itself, by one on a
// directory above it, or by an unknown one.
func covered(declared []session.Effect, e session.Effect) bool {
	for _, d := range declared {
		switch {
		case d.Kind == session.EffectUnknown && e.Kind == session.EffectExecute,
			d.Kind == session.EffectExecute && e.Kind == session.EffectExecute,
			d.Kind == e.Kind && (d.Path == e.Path || d.Path == "." || strings.HasPrefix(e.Path, d.Path+"/")):
			return true
		case e.Kind == session.EffectRead && (d.Kind == session.EffectWrite || d.Kind == session.EffectCreate) && d.Path == e.Path:
			return true // an edit reads what it replaces
		case e.Kind == session.EffectRead && (d.Kind == session.EffectExecute || d.Kind == session.EffectUnknown):
			return true // the decision is made again when the command runs
		}
	}
	return false
}
