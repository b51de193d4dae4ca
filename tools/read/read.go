// Package read is the tool that shows a text file, whole or by windows.
package read

import (
	"context"
	_ "embed"

	"septet/backend"
	"septet/session"
	"septet/toolset"
)

// MaxCountedBytes is the size up to which a window also says how many lines
// the file has: counting means reading all of it, about 10 ms here when it is
// in the page cache.
const MaxCountedBytes = 64 << 20

// MaxSkippedBytes is how far into a file a window may begin: seconds where the
// file is in the page cache, half a minute where it is not, which is what hosts
// wait. Without limit it is MaxCountedBytes: what can be answered then is the
// last MiB, and an offset near it is mostly a mistake.
const MaxSkippedBytes = 16 << 30

// MaxReadBytes bounds the content of one answer; a larger one could not be
// written or edited as a whole anyway. A file without limit over it is
// refused, a window stops at its last whole line.
const MaxReadBytes = backend.MaxTextBytes

//go:embed description.txt
var description string

// Tool is the read tool.
type Tool struct{}

var _ toolset.Tool[Input, Output] = Tool{}

// Input is what read takes.
type Input struct {
	Path        string `json:"path" jsonschema_description:"The file, relative to the workspace or absolute."`
	Offset      int64  `json:"offset,omitempty" jsonschema_description:"Number of lines to skip." jsonschema:"minimum=0,default=0"`
	Limit       int    `json:"limit,omitempty" jsonschema_description:"Number of lines to return, 1-2000. Without it everything up to 1 MiB." jsonschema:"minimum=1,maximum=2000"`
	LineNumbers bool   `json:"lineNumbers,omitempty" jsonschema_description:"Put the 1-based number before each line." jsonschema:"default=false"`
}

// Spec describes the tool.
func (Tool) Spec() toolset.Spec {
	return toolset.Spec{ID: "read", Title: "Read file", Description: description, Risk: toolset.RiskRead, Idempotent: true}
}

// Effects is one read.
func (Tool) Effects(_ context.Context, sc *session.SessionContext, in Input) ([]session.Effect, error) {
	return sc.Reads(in.Path, session.File)
}

// Call reads.
func (Tool) Call(ctx context.Context, sc *session.SessionContext, _ *session.CallContext, in Input) (Output, error) {
	p, err := sc.Resolve(in.Path, session.Read, session.File)
	if err != nil {
		return Output{}, err
	}
	defer p.Close()
	f, err := sc.Files().Open(ctx, p)
	if err != nil {
		return Output{}, err
	}
	defer f.Close()
	return newReader(p.String(), f, in).read(ctx)
}
