package backend

import (
	"fmt"
	"io/fs"
	"time"
)

// ChangeKind is what happened to a file.
type ChangeKind string

const (
	Created   ChangeKind = "created"
	Modified  ChangeKind = "modified"
	Deleted   ChangeKind = "deleted"
	Unchanged ChangeKind = "unchanged" // nothing was written; there is no record of it
)

// Change records one replacement exactly. It is made here once and shown,
// stored and undone elsewhere, never derived from the disk again.
type Change struct {
	ID           string
	Kind         ChangeKind
	Path         string // for display, escaped
	Added        int    // lines
	Removed      int    // lines
	Hunks        []Hunk
	BeforeSHA256 string // lower-case hex; "" when there was no file
	AfterSHA256  string // lower-case hex; "" when there is no file
	BytesBefore  int64
	BytesAfter   int64
	ModeBefore   fs.FileMode // permission bits; 0 when there was no file
	ModeAfter    fs.FileMode
	MadeParents  int       // directories made for a created file
	At           time.Time // UTC

	// What a careful reader should be told beside the success.
	NonAtomic     bool // written in place: a rename could not work here
	ReplaceWindow bool // no atomic exchange here: a change in a window of microseconds could be lost
	HardLinks     int  // other names of the old file; they keep the old content
	DroppedSetID  bool // setuid or setgid was not carried over
	ParentMoved   bool // the directory was moved while the file was written
	Unrecorded    bool // the change stands, but its record could not be completed; it is settled later
}

// Caveats are short sentences about what a careful reader should know beside
// the success; none when all went as it should.
func (c Change) Caveats() []string {
	var said []string
	say := func(when bool, sentence string) {
		if when {
			said = append(said, sentence)
		}
	}
	say(c.NonAtomic, "Written in place, not atomically: a rename could not work here.")
	say(c.ReplaceWindow, "This file system has no atomic exchange: a change made by another program at the same instant could be lost.")
	say(c.HardLinks == 1, "One other name of the old file keeps the old content.")
	say(c.HardLinks > 1, fmt.Sprintf("%d other names of the old file keep the old content.", c.HardLinks))
	say(c.DroppedSetID, "The setuid and setgid bits were dropped.")
	say(c.Unrecorded, "The record of this change could not be completed; it is settled later.")
	say(c.ParentMoved, "The directory was moved while the file was written; the file is where the directory is now.")
	return said
}

// Hunk is a run of changed lines with up to three lines of context. Starts are
// 1-based; 0 with no lines.
type Hunk struct {
	OldStart int      `json:"oldStart"`
	OldLines int      `json:"oldLines"`
	NewStart int      `json:"newStart"`
	NewLines int      `json:"newLines"`
	Lines    []string `json:"lines"` // " context", "-old", "+new" or "\ No newline at end of file", without the line feed
}
