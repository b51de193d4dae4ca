// Package write is the tool that creates a text file or replaces it as a whole.
package write

import (
	"context"
	_ "embed"
	"strings"

	"septet/backend"
	"septet/session"
	"septet/toolset"
)

const byteOrderMark = "\ufeff"

//go:embed description.txt
var description string

// Tool is the write tool.
type Tool struct{}

var _ toolset.Tool[Input, Output] = Tool{}

// Input is what write takes.
type Input struct {
	Path    string `json:"path" jsonschema_description:"The file, relative to the workspace or absolute."`
	Content string `json:"content" jsonschema_description:"The complete new content."`
}

// Spec describes the tool.
func (Tool) Spec() toolset.Spec {
	return toolset.Spec{ID: "write", Title: "Write file", Description: description, Risk: toolset.RiskWrite, Idempotent: true}
}

// Effects is a create or a write, by what is there now.
func (Tool) Effects(ctx context.Context, sc *session.SessionContext, in Input) ([]session.Effect, error) {
	p, err := sc.Resolve(in.Path, session.Write, session.File)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if err := check(p.String(), in.Content); err != nil {
		return nil, err
	}
	kind := session.EffectWrite
	if _, err := sc.Files().Stat(ctx, p); toolset.AsError(err).Code == toolset.NotFound {
		kind = session.EffectCreate
	}
	return []session.Effect{{Kind: kind, Path: p.String()}}, nil
}

// Call writes.
func (Tool) Call(ctx context.Context, sc *session.SessionContext, _ *session.CallContext, in Input) (Output, error) {
	p, err := sc.Resolve(in.Path, session.Write, session.File)
	if err != nil {
		return Output{}, err
	}
	defer p.Close()
	if err := check(p.String(), in.Content); err != nil {
		return Output{}, err
	}
	var lost []string
	change, err := sc.Files().Replace(ctx, p, backend.Replacement{
		Make: func(b backend.Before) ([]byte, error) {
			lost = lostForm(string(b.Content), in.Content)
			return []byte(in.Content), nil
		},
	})
	if err != nil {
		return Output{}, err
	}
	out := newOutput(ctx, change)
	out.caveats = append(lost, out.caveats...)
	return out, nil
}

// lostForm says what the old text had that is easily lost unseen when a text
// is written anew. The content is still written as it was given.
func lostForm(old, content string) []string {
	var lost []string
	if strings.HasPrefix(old, byteOrderMark) && !strings.HasPrefix(content, byteOrderMark) {
		lost = append(lost, "The old file began with a byte order mark (U+FEFF); the new content does not.")
	}
	if strings.Contains(old, "\r\n") && strings.Contains(content, "\n") && !strings.Contains(content, "\r\n") {
		lost = append(lost, "The old file had CRLF line ends; the new content has LF.")
	}
	return lost
}

// check refuses content that could never be edited or undone.
func check(path, content string) error {
	if len(content) > backend.MaxTextBytes {
		return toolset.Errorf(toolset.TooLarge, "content for %s is %d bytes; at most %d can be written", path, len(content), backend.MaxTextBytes).
			WithHint("write it in several files, or let a command in bash produce it")
	}
	if at := strings.IndexByte(content, 0); at >= 0 {
		return toolset.Errorf(toolset.Binary, "content for %s holds a NUL at byte offset %d; only text can be written", path, at).
			WithHint("let a command in bash produce binary files, e.g. printf or base64 -d")
	}
	return nil
}
