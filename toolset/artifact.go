package toolset

import (
	"fmt"
	"time"

	"septet/backend"
)

// Artifact is a product of a call that a host may show, such as a file change.
type Artifact any

// Artificer is an Output with artifacts.
type Artificer interface{ Artifacts() []Artifact }

// FileChange is the artifact of a write or an edit.
type FileChange struct {
	Kind         string         `json:"kind"` // "file_change"
	ChangeID     string         `json:"changeId"`
	Session      string         `json:"session"`
	Turn         string         `json:"turn,omitempty"`
	CallID       string         `json:"callId"`
	Tool         string         `json:"tool"`
	Path         string         `json:"path"`
	Change       string         `json:"change"`
	Added        int            `json:"added"`
	Removed      int            `json:"removed"`
	Hunks        []backend.Hunk `json:"hunks"`
	BeforeSHA256 *string        `json:"beforeSha256"`
	AfterSHA256  *string        `json:"afterSha256"`
	BytesBefore  int64          `json:"bytesBefore"`
	BytesAfter   int64          `json:"bytesAfter"`
	ModeBefore   string         `json:"modeBefore,omitempty"` // octal, e.g. "0644"
	ModeAfter    string         `json:"modeAfter,omitempty"`
	At           string         `json:"at"` // RFC 3339, UTC
	Undone       bool           `json:"undone"`
}

// NewFileChange turns a change into its artifact.
func NewFileChange(c backend.Change, p backend.Provenance) FileChange {
	f := FileChange{
		Kind: "file_change", ChangeID: c.ID,
		Session: p.Session, Turn: p.Turn, CallID: p.CallID, Tool: p.Tool,
		Path: c.Path, Change: string(c.Kind), Added: c.Added, Removed: c.Removed, Hunks: c.Hunks,
		BytesBefore: c.BytesBefore, BytesAfter: c.BytesAfter,
		At: c.At.UTC().Format(time.RFC3339Nano),
	}
	if c.BeforeSHA256 != "" {
		f.BeforeSHA256 = &c.BeforeSHA256
		f.ModeBefore = fmt.Sprintf("%04o", c.ModeBefore.Perm())
	}
	if c.AfterSHA256 != "" {
		f.AfterSHA256 = &c.AfterSHA256
		f.ModeAfter = fmt.Sprintf("%04o", c.ModeAfter.Perm())
	}
	return f
}
