package backend

// RecordState is what has become of a stored change.
type RecordState string

const (
	Applied RecordState = "applied" // the file was changed, and this was not undone
	Undone  RecordState = "undone"
	Unknown RecordState = "unknown" // the program died and the file is neither as before nor as after
)

// Record is a stored change.
type Record struct {
	Change     // Hunks are nil in a list
	Provenance // of the call that made it
	State      RecordState
	Undoes     string // the change that this one took back, or ""
	Expired    bool   // its contents were dropped for age or space: it cannot be undone
}

// RecordQuery selects records. The zero value selects the newest of all.
type RecordQuery struct {
	Session string // "" is every session of the workspace
	Turn    string // "" is every turn
	Path    string // as displayed: a file, or a directory and all below it; "" is every path
	Limit   int    // 1 to MaxRecords; 0 is DefaultRecords
	Before  int64  // Next of the page before; 0 starts at the newest
}

// Bounds of one page of records. A record without hunks is about 600 bytes of
// JSON, so that the largest page is far from the limit of a frame.
const (
	DefaultRecords = 100
	MaxRecords     = 1000
)

// RecordPage is a part of the records, newest first.
type RecordPage struct {
	Records []Record
	Next    int64 // Before of the next page; 0 at the end
}

// UndoRequest names the changes to take back by exactly one of ChangeIDs, Turn
// and Last.
type UndoRequest struct {
	Session   string   // whose Turn or Last; "" is the whole workspace
	ChangeIDs []string // any session's; records of undo too, which is redo
	Turn      string
	Last      int // how many of the newest that are applied and no undo
	DryRun    bool
}

// UndoResult is what an undo did, or with DryRun would do. When the plan meets
// a conflict, nothing was written. When a conflict arises later, between the
// plan and its step, Undone tells which changes were taken back before it.
type UndoResult struct {
	Undone    []string // ids of changes, in the order in which they were taken back
	Recorded  []string // ids of the changes that took them back, in the same order; none with DryRun
	Conflicts []Conflict
}

// Conflict is a file that is not as its change left it.
type Conflict struct {
	ChangeID string
	Path     string
	Expected string // lower-case hex SHA-256; "" where no file should be
	Found    string // the same of what is there; "" where there is no file that could be read
	Reason   string // one line for people
}
