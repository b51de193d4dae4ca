package backend

import (
	"context"

	"septet/safepath"
)

// Searcher looks through trees. Results are ordered by path, byte by byte of
// each component, and repeatable. A walk stops when its limit is reached and
// when the context ends; what was found until then is returned with
// Stopped set and a nil error.
type Searcher interface {
	// Grep searches the lines of the files below p, or of the file p. An
	// expression that does not parse is an *Error with InvalidPattern.
	Grep(ctx context.Context, p *safepath.CheckedPath, q GrepQuery) (GrepResult, error)
	// Glob finds names below the directory p.
	Glob(ctx context.Context, p *safepath.CheckedPath, q GlobQuery) (GlobResult, error)
}

// GrepMode is what a grep reports.
type GrepMode string

const (
	GrepContent GrepMode = "content"
	GrepFiles   GrepMode = "files_with_matches"
	GrepCount   GrepMode = "count"
)

// GrepQuery is what to look for.
type GrepQuery struct {
	Pattern         string // RE2 syntax, or literal text
	Literal         bool
	CaseInsensitive bool
	Glob            string   // optional filter on paths; relative to the workspace, without "/" on the base name
	Mode            GrepMode // required
	MaxResults      int      // lines in content mode, files in the others; at least 1
	Context         int      // lines before and after; content mode only
	IncludeIgnored  bool
	Progress        func(files int64) // optional; must return at once
}

// GrepResult is what was found: Matches, Files or Counts by mode.
type GrepResult struct {
	Matches    []Match
	Files      []string
	Counts     []FileCount
	MatchCount int64 // matching lines seen
	FileCount  int   // files with a match
	Summary    SearchSummary
}

// Match is one matching line.
type Match struct {
	Path   string   // for display; usable as a path again
	Line   int      // 1-based
	Text   string   // without its line end; valid UTF-8, cut around the match when long
	Before []string // context lines
	After  []string
}

// FileCount is the number of matching lines in one file.
type FileCount struct {
	Path  string
	Count int64
}

// GlobQuery is which names to find.
type GlobQuery struct {
	Pattern        string // relative to the directory, "/" separates
	MaxResults     int    // at least 1
	IncludeIgnored bool
	Progress       func(files int64) // optional; must return at once
}

// GlobResult holds the paths found, for display and usable as paths again.
type GlobResult struct {
	Paths   []string
	Summary SearchSummary
}

// StopReason is why a walk ended early; "" when it did not.
type StopReason string

const (
	StoppedAtLimit  StopReason = "maxResults"
	StoppedAtBytes  StopReason = "bytes" // MaxGrepBytes of text
	StoppedTimedOut StopReason = "timeout"
	StoppedCanceled StopReason = "cancelled"
)

// SearchSummary counts what a walk saw and what it left out.
type SearchSummary struct {
	Stopped    StopReason
	Files      int64 // files searched, or names looked at
	Binary     int64 // skipped
	TooLarge   int64 // skipped
	Unreadable int64 // files and directories that could not be read
	Ignored    int64 // names hidden by ignore rules; a directory counts once
}

// Bounds of a search that its texts name.
const (
	// MaxGrepBytes bounds the matched text of one answer: about what a model
	// can take in without losing the question.
	MaxGrepBytes = 256 << 10
	// MaxMatchBytes bounds one shown line; a longer one is cut around its match.
	MaxMatchBytes = 2000
	// MaxSearchFileBytes is the size over which a file is skipped unless it is
	// named by the path itself.
	MaxSearchFileBytes = 64 << 20
)
