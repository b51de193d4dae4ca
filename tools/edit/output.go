package edit

import (
	"context"
	"fmt"
	"strings"

	"septet/backend"
	"septet/toolset"
)

// Output is what edit returns. Lines are 1-based and those of the new content.
type Output struct {
	Path          string `json:"path"`
	Change        string `json:"change"` // created or modified
	Added         int    `json:"added"`  // lines
	Removed       int    `json:"removed"`
	FirstLine     int    `json:"firstLine,omitempty"`
	LastLine      int    `json:"lastLine,omitempty"`
	Replacements  int    `json:"replacements,omitempty"`
	NonAtomic     bool   `json:"nonAtomic,omitempty"`
	ReplaceWindow bool   `json:"replaceWindow,omitempty"`
	HardLinks     int    `json:"hardLinks,omitempty"` // other names, which keep the old content
	DroppedSetID  bool   `json:"droppedSetId,omitempty"`
	ParentMoved   bool   `json:"parentMoved,omitempty"`

	caveats   []string
	artifacts []toolset.Artifact
}

var _ toolset.Artificer = Output{}

func newOutput(ctx context.Context, c backend.Change, e edited) Output {
	o := Output{
		Path: c.Path, Change: string(c.Kind), Added: c.Added, Removed: c.Removed,
		NonAtomic: c.NonAtomic, ReplaceWindow: c.ReplaceWindow, HardLinks: c.HardLinks,
		DroppedSetID: c.DroppedSetID, ParentMoved: c.ParentMoved,
		artifacts: []toolset.Artifact{toolset.NewFileChange(c, backend.ProvenanceOf(ctx))},
	}
	if c.Kind == backend.Modified {
		o.FirstLine, o.LastLine, o.Replacements = e.firstLine, e.lastLine, e.replacements
	}
	if e.crlf {
		o.caveats = append(o.caveats, "The file has CRLF line ends: oldText was matched and newText inserted with CRLF.")
	}
	o.caveats = append(o.caveats, c.Caveats()...)
	return o
}

// Artifacts is the file change.
func (o Output) Artifacts() []toolset.Artifact { return o.artifacts }

// Text is one line, and a sentence for each thing worth knowing.
func (o Output) Text() string {
	return strings.Join(append([]string{o.headline()}, o.caveats...), "\n")
}

func (o Output) headline() string {
	counts := fmt.Sprintf("(+%d -%d)", o.Added, o.Removed)
	switch {
	case o.Change == string(backend.Created):
		return fmt.Sprintf("Created %s (+%d)", o.Path, o.Added)
	case o.Replacements > 1:
		return fmt.Sprintf("Replaced %d occurrences in %s %s", o.Replacements, o.Path, counts)
	case o.FirstLine == o.LastLine:
		return fmt.Sprintf("Edited %s:%d %s", o.Path, o.FirstLine, counts)
	}
	return fmt.Sprintf("Edited %s:%d-%d %s", o.Path, o.FirstLine, o.LastLine, counts)
}
