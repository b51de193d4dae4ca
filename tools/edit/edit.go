// Package edit is the tool that replaces exact text in a file.
package edit

import (
	"context"
	_ "embed"
	"strings"

	"septet/backend"
	"septet/session"
	"septet/toolset"
)

//go:embed description.txt
var description string

// Tool is the edit tool.
type Tool struct{}

var _ toolset.Tool[Input, Output] = Tool{}

// Input is what edit takes.
type Input struct {
	Path       string `json:"path" jsonschema_description:"The file, relative to the workspace or absolute."`
	OldText    string `json:"oldText" jsonschema_description:"The exact text to replace. Empty: create the file."`
	NewText    string `json:"newText" jsonschema_description:"The text to put in its place."`
	ReplaceAll bool   `json:"replaceAll,omitempty" jsonschema_description:"Replace every occurrence instead of exactly one." jsonschema:"default=false"`
}

// Spec describes the tool.
func (Tool) Spec() toolset.Spec {
	return toolset.Spec{ID: "edit", Title: "Edit file", Description: description, Risk: toolset.RiskWrite}
}

// Effects is a create when oldText is empty, else a write.
func (Tool) Effects(ctx context.Context, sc *session.SessionContext, in Input) ([]session.Effect, error) {
	p, err := sc.Resolve(in.Path, session.Write, session.File)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if err := check(p.String(), in); err != nil {
		return nil, err
	}
	_, err = sc.Files().Stat(ctx, p)
	missing := err != nil && toolset.AsError(err).Code == toolset.NotFound
	switch {
	case in.OldText == "" && missing:
		return []session.Effect{{Kind: session.EffectCreate, Path: p.String()}}, nil
	case in.OldText == "":
		return nil, exists(p.String())
	case missing:
		return nil, notFound(sc, in.Path)
	}
	return []session.Effect{{Kind: session.EffectWrite, Path: p.String()}}, nil
}

// Call edits. The text is matched under the lock of the file's writers, so
// that edits of one file at the same time all see one another.
func (Tool) Call(ctx context.Context, sc *session.SessionContext, _ *session.CallContext, in Input) (Output, error) {
	p, err := sc.Resolve(in.Path, session.Write, session.File)
	if err != nil {
		return Output{}, err
	}
	defer p.Close()
	if err := check(p.String(), in); err != nil {
		return Output{}, err
	}
	var done edited
	change, err := sc.Files().Replace(ctx, p, backend.Replacement{Make: func(b backend.Before) ([]byte, error) {
		var err error
		switch {
		case !b.Exists && in.OldText != "":
			return nil, notFound(sc, in.Path)
		case b.Exists && in.OldText == "":
			return nil, exists(p.String())
		}
		done, err = apply(p.String(), string(b.Content), in)
		return []byte(done.content), err
	}})
	if err != nil {
		return Output{}, err
	}
	return newOutput(ctx, change, done), nil
}

// check refuses what is wrong whatever the file holds.
func check(path string, in Input) error {
	if in.OldText == in.NewText && in.OldText != "" {
		return toolset.Errorf(toolset.NoChange, "oldText and newText are the same; %s was not changed", path).
			WithHint("give a newText that differs, or leave the call out")
	}
	if at := strings.IndexByte(in.NewText, 0); at >= 0 {
		return toolset.Errorf(toolset.Binary, "newText for %s holds a NUL at byte offset %d; only text can be written", path, at)
	}
	return nil
}

func exists(path string) error {
	return toolset.Errorf(toolset.Exists, "%s exists; an empty oldText only creates a new file", path).
		WithHint(`give the text to replace as oldText (read {"path":%q} shows it), or replace the whole file with write`, path)
}

// notFound is the error that reading the file gives: it knows names that are
// close.
func notFound(sc *session.SessionContext, path string) error {
	p, err := sc.Resolve(path, session.Read, session.File)
	if err != nil {
		return err
	}
	defer p.Close()
	return toolset.Errorf(toolset.NotFound, "%s did not exist a moment ago", p).WithHint("try again")
}
