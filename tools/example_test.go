package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"septet/backend/memory"
	"septet/safepath"
	"septet/session"
	"septet/tools"
	"septet/toolset"
)

// count is a tool of an embedding program: how many words a file has.
type count struct{}

type countInput struct {
	Path string `json:"path" jsonschema_description:"The file."`
}

type countOutput struct {
	Words int `json:"words" jsonschema_description:"How many words it has."`
}

func (o countOutput) Text() string { return fmt.Sprintf("%d words", o.Words) }

func (count) Spec() toolset.Spec {
	return toolset.Spec{ID: "count", Title: "Count", Description: "Counts the words of a text file.", Risk: toolset.RiskRead, Idempotent: true}
}

func (count) Effects(_ context.Context, sc *session.SessionContext, in countInput) ([]session.Effect, error) {
	path, err := sc.Resolve(in.Path, session.Read, session.File)
	if err != nil {
		return nil, err
	}
	defer path.Close()
	return []session.Effect{{Kind: session.EffectRead, Path: path.String()}}, nil
}

func (count) Call(ctx context.Context, sc *session.SessionContext, _ *session.CallContext, in countInput) (countOutput, error) {
	path, err := sc.Resolve(in.Path, session.Read, session.File)
	if err != nil {
		return countOutput{}, err
	}
	defer path.Close()
	f, err := sc.Files().Open(ctx, path)
	if err != nil {
		return countOutput{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	return countOutput{len(bytes.Fields(text))}, err
}

// A program of its own serves the seven tools and one more. It works here on a
// tree in memory; local.Files and its kind are for the disk.
func Example() {
	volume := memory.NewVolume()
	must(volume.MkdirAll("/project", 0o755))
	must(volume.WriteFile("/project/a.txt", "three short words\n", 0o644))

	registry := &toolset.Registry{}
	tools.Register(registry, tools.Config{})
	toolset.Register(registry, count{})
	sc, err := session.New(session.Config{Paths: safepath.Config{
		WorkingDirectory: "/project", Roots: []safepath.Root{{Path: "/project", Writable: true}},
	}}, memory.New(volume, nil))
	must(err)
	set, err := registry.Finalize(sc, toolset.Selection{})
	must(err)

	var names []string
	for _, d := range set.Definitions() {
		names = append(names, d.Name)
	}
	fmt.Println(names)
	result, err := set.Call(context.Background(), session.NewCall("1", nil), "count", json.RawMessage(`{"path":"a.txt"}`))
	must(err)
	fmt.Println(result.Text)
	// Output:
	// [read write edit grep glob list bash count]
	// 3 words
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
