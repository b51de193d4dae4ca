package toolset

import (
	"septet/backend"
	"septet/session"
)

// Record is a stored change in JSON: the artifact of its call, and what has
// become of it.
type Record struct {
	FileChange
	Hunks   *[]backend.Hunk     `json:"hunks,omitempty"` // nil in a list
	State   backend.RecordState `json:"state"`
	Undoes  string              `json:"undoes,omitempty"`
	Expired bool                `json:"expired,omitempty"` // the contents are no longer kept
}

// NewRecord turns a stored change into its JSON, without hunks.
func NewRecord(r session.Record) Record {
	change := NewFileChange(r.Change, r.Provenance)
	change.Undone = r.State == backend.Undone
	return Record{FileChange: change, State: r.State, Undoes: r.Undoes, Expired: r.Expired}
}

// WithHunks returns the record with its diff: none for an empty file and for
// one whose contents have expired.
func (r Record) WithHunks(hunks []backend.Hunk) Record {
	if hunks == nil {
		hunks = []backend.Hunk{}
	}
	r.Hunks = &hunks
	return r
}
