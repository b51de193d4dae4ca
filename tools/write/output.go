package write

import (
	"context"
	"fmt"
	"strings"

	"septet/backend"
	"septet/toolset"
)

// Output is what write returns.
type Output struct {
	Path          string `json:"path"`
	Change        string `json:"change"` // created, modified or unchanged
	Added         int    `json:"added"`  // lines
	Removed       int    `json:"removed"`
	NonAtomic     bool   `json:"nonAtomic,omitempty"`
	ReplaceWindow bool   `json:"replaceWindow,omitempty"`
	HardLinks     int    `json:"hardLinks,omitempty"` // other names, which keep the old content
	DroppedSetID  bool   `json:"droppedSetId,omitempty"`
	ParentMoved   bool   `json:"parentMoved,omitempty"`

	caveats   []string
	artifacts []toolset.Artifact
}

var _ toolset.Artificer = Output{}

func newOutput(ctx context.Context, c backend.Change) Output {
	o := Output{
		Path: c.Path, Change: string(c.Kind), Added: c.Added, Removed: c.Removed,
		NonAtomic: c.NonAtomic, ReplaceWindow: c.ReplaceWindow, HardLinks: c.HardLinks,
		DroppedSetID: c.DroppedSetID, ParentMoved: c.ParentMoved,
		caveats: c.Caveats(),
	}
	if c.Kind != backend.Unchanged {
		o.artifacts = []toolset.Artifact{toolset.NewFileChange(c, backend.ProvenanceOf(ctx))}
	}
	return o
}

// Artifacts is the file change, or nothing when the content was the same.
func (o Output) Artifacts() []toolset.Artifact { return o.artifacts }

// Text is one line, and a sentence for each thing worth knowing.
func (o Output) Text() string {
	return strings.Join(append([]string{o.headline()}, o.caveats...), "\n")
}

func (o Output) headline() string {
	switch backend.ChangeKind(o.Change) {
	case backend.Unchanged:
		return o.Path + " unchanged: the content is identical"
	case backend.Created:
		return fmt.Sprintf("Created %s (+%d)", o.Path, o.Added)
	}
	return fmt.Sprintf("Overwrote %s (+%d -%d)", o.Path, o.Added, o.Removed)
}
