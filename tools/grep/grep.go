// Package grep is the tool that searches the lines of files.
package grep

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
	// MaxResults is the most a call may ask for: more lines than that are no
	// answer to a question.
	MaxResults = 2000
	// MaxContextLines is the most context a match may have.
	MaxContextLines = 10
	// DefaultTimeout ends a search that would keep a caller waiting; what was
	// found until then is the answer.
	DefaultTimeout = 30 * time.Second
)

//go:embed description.txt
var description string

// Tool is the grep tool. The zero value works.
type Tool struct {
	Timeout time.Duration // of one search; optional, 0 is DefaultTimeout
}

var _ toolset.Tool[Input, Output] = Tool{}

// Input is what grep takes.
type Input struct {
	Pattern         string `json:"pattern" jsonschema_description:"A regular expression, RE2 syntax; with literal=true the text itself."`
	Path            string `json:"path,omitempty" jsonschema_description:"The directory or file to search, relative to the workspace or absolute." jsonschema:"default=."`
	Glob            string `json:"glob,omitempty" jsonschema_description:"Only files whose path matches; without a slash the base name at any depth, such as *.go."`
	Mode            string `json:"mode,omitempty" jsonschema_description:"What to show: matching lines, paths of files that have one, or the number of lines per file." jsonschema:"enum=content,enum=files_with_matches,enum=count,default=content"`
	MaxResults      int    `json:"maxResults,omitempty" jsonschema_description:"Lines, or in the other modes files, to return at most, 1-2000." jsonschema:"minimum=1,maximum=2000,default=100"`
	CaseInsensitive bool   `json:"caseInsensitive,omitempty" jsonschema_description:"Ignore case." jsonschema:"default=false"`
	Literal         bool   `json:"literal,omitempty" jsonschema_description:"Take the pattern as text." jsonschema:"default=false"`
	Context         int    `json:"context,omitempty" jsonschema_description:"Lines to show before and after each match, 0-10." jsonschema:"minimum=0,maximum=10,default=0"`
	IncludeIgnored  bool   `json:"includeIgnored,omitempty" jsonschema_description:"Search what ignore files hide too." jsonschema:"default=false"`
}

// Spec describes the tool.
func (Tool) Spec() toolset.Spec {
	return toolset.Spec{ID: "grep", Title: "Search in files", Description: description, Risk: toolset.RiskRead, Idempotent: true, Load: toolset.LoadSearch}
}

// Effects is one read.
func (Tool) Effects(_ context.Context, sc *session.SessionContext, in Input) ([]session.Effect, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return sc.Reads(in.Path, session.FileOrDirectory)
}

// Call searches. What was found before a timeout or a cancel is returned.
func (t Tool) Call(ctx context.Context, sc *session.SessionContext, cc *session.CallContext, in Input) (Output, error) {
	if err := in.check(); err != nil {
		return Output{}, err
	}
	p, err := sc.Resolve(in.Path, session.Read, session.FileOrDirectory)
	if err != nil {
		return Output{}, err
	}
	defer p.Close()
	timeout := cmp.Or(t.Timeout, DefaultTimeout)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r, err := sc.Search().Grep(ctx, p, in.query(cc))
	if err != nil {
		return Output{}, err
	}
	out := newOutput(in, p.String(), timeout, r)
	return out, out.failure()
}

// check refuses values that no schema kept out.
func (in Input) check() error {
	switch {
	case in.MaxResults < 1 || in.MaxResults > MaxResults:
		return toolset.Errorf(toolset.InvalidArguments, "maxResults is %d; it must be 1-%d", in.MaxResults, MaxResults)
	case in.Context < 0 || in.Context > MaxContextLines:
		return toolset.Errorf(toolset.InvalidArguments, "context is %d; it must be 0-%d", in.Context, MaxContextLines)
	}
	switch backend.GrepMode(in.Mode) {
	case backend.GrepContent, backend.GrepFiles, backend.GrepCount:
		return nil
	}
	return toolset.Errorf(toolset.InvalidArguments, "mode is %q; it must be content, files_with_matches or count", in.Mode)
}

func (in Input) query(cc *session.CallContext) backend.GrepQuery {
	return backend.GrepQuery{
		Pattern: in.Pattern, Literal: in.Literal, CaseInsensitive: in.CaseInsensitive,
		Glob: in.Glob, Mode: backend.GrepMode(in.Mode), MaxResults: in.MaxResults,
		Context: in.Context, IncludeIgnored: in.IncludeIgnored,
		Progress: func(files int64) {
			cc.Progress(session.Progress{Kind: session.ProgressMessage, Chunk: fmt.Sprintf("%s files searched", toolset.Grouped(files)), Done: files})
		},
	}
}
