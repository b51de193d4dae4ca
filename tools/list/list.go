// Package list is the tool that shows one directory.
package list

import (
	"context"
	_ "embed"

	"septet/session"
	"septet/toolset"
)

//go:embed description.txt
var description string

// Tool is the list tool.
type Tool struct{}

var _ toolset.Tool[Input, Output] = Tool{}

// Input is what list takes.
type Input struct {
	Path   string `json:"path,omitempty" jsonschema_description:"The directory, relative to the workspace or absolute." jsonschema:"default=."`
	Offset int    `json:"offset,omitempty" jsonschema_description:"Number of entries to skip." jsonschema:"minimum=0,default=0"`
	Limit  int    `json:"limit,omitempty" jsonschema_description:"Number of entries to return, 1-2000." jsonschema:"minimum=1,maximum=2000,default=200"`
}

// Spec describes the tool.
func (Tool) Spec() toolset.Spec {
	return toolset.Spec{ID: "list", Title: "List directory", Description: description, Risk: toolset.RiskRead, Idempotent: true}
}

// Effects is one read.
func (Tool) Effects(_ context.Context, sc *session.SessionContext, in Input) ([]session.Effect, error) {
	return sc.Reads(in.Path, session.Directory)
}

// Call lists.
func (Tool) Call(ctx context.Context, sc *session.SessionContext, _ *session.CallContext, in Input) (Output, error) {
	p, err := sc.Resolve(in.Path, session.Read, session.Directory)
	if err != nil {
		return Output{}, err
	}
	defer p.Close()
	page, err := sc.Files().ReadDir(ctx, p, in.Offset, in.Limit)
	if err != nil {
		return Output{}, err
	}
	if in.Offset > 0 && in.Offset >= page.Total {
		return Output{}, pastEnd(p.String(), in, page.Total)
	}
	return newOutput(in.Offset, page), nil
}

func pastEnd(path string, in Input, total int) error {
	e := toolset.Errorf(toolset.InvalidArguments, "offset %d is past the end: %s has %s entries", in.Offset, path, toolset.Grouped(int64(total)))
	if total == 0 {
		return e.WithHint("leave offset out: there is nothing to skip")
	}
	return e.WithHint(`list {"path":%q,"offset":%d}`, path, max(0, total-in.Limit))
}
