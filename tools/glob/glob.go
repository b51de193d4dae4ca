// Package glob is the tool that finds files by name.
package glob

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"time"

	"septet/backend"
	"septet/session"
	"septet/toolset"
)

const (
	// MaxResults is the most a call may ask for: more names than that are no
	// answer to a question.
	MaxResults = 2000
	// DefaultTimeout ends a search that would keep a caller waiting; what was
	// found until then is the answer.
	DefaultTimeout = 30 * time.Second
)

//go:embed description.txt
var description string

// Tool is the glob tool. The zero value works.
type Tool struct {
	Timeout time.Duration // of one search; optional, 0 is DefaultTimeout
}

var _ toolset.Tool[Input, Output] = Tool{}

// Input is what glob takes.
type Input struct {
	Pattern        string `json:"pattern" jsonschema_description:"The names to find, relative to path, such as **/*.go. With / at its end: directories."`
	Path           string `json:"path,omitempty" jsonschema_description:"The directory to look in, relative to the workspace or absolute." jsonschema:"default=."`
	MaxResults     int    `json:"maxResults,omitempty" jsonschema_description:"Paths to return at most, 1-2000." jsonschema:"minimum=1,maximum=2000,default=200"`
	IncludeIgnored bool   `json:"includeIgnored,omitempty" jsonschema_description:"Find what ignore files hide too." jsonschema:"default=false"`
}

// Spec describes the tool.
func (Tool) Spec() toolset.Spec {
	return toolset.Spec{ID: "glob", Title: "Find files", Description: description, Risk: toolset.RiskRead, Idempotent: true, Load: toolset.LoadSearch}
}

// Effects is one read.
func (Tool) Effects(_ context.Context, sc *session.SessionContext, in Input) ([]session.Effect, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return sc.Reads(in.Path, session.Directory)
}

// Call looks. What was found before a timeout or a cancel is returned.
func (t Tool) Call(ctx context.Context, sc *session.SessionContext, cc *session.CallContext, in Input) (Output, error) {
	if err := in.check(); err != nil {
		return Output{}, err
	}
	p, err := sc.Resolve(in.Path, session.Read, session.Directory)
	if err != nil {
		return Output{}, err
	}
	defer p.Close()
	timeout := cmp.Or(t.Timeout, DefaultTimeout)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r, err := sc.Search().Glob(ctx, p, backend.GlobQuery{
		Pattern: in.Pattern, MaxResults: in.MaxResults, IncludeIgnored: in.IncludeIgnored,
		Progress: func(names int64) {
			cc.Progress(session.Progress{Kind: session.ProgressMessage, Chunk: fmt.Sprintf("%s names looked at", toolset.Grouped(names)), Done: names})
		},
	})
	if err != nil {
		return Output{}, err
	}
	out := newOutput(in, p.String(), timeout, r)
	return out, out.failure()
}

// check refuses values that no schema kept out.
func (in Input) check() error {
	if in.MaxResults < 1 || in.MaxResults > MaxResults {
		return toolset.Errorf(toolset.InvalidArguments, "maxResults is %d; it must be 1-%d", in.MaxResults, MaxResults)
	}
	return nil
}
