package search

import "time"

// Bounds of a search, beside those of package backend.
const (
	// MaxDepth bounds the directories below one another: a deeper name is too
	// long to be named in a call.
	MaxDepth = 255
	// MaxPatternBytes bounds an expression, which is compiled whole.
	MaxPatternBytes = 32 << 10
	// MaxLineBytes bounds a line that is held in memory; a longer one is
	// searched as a stream.
	MaxLineBytes = 1 << 20

	// MaxBatchFiles is how many files a worker takes at once, when a search
	// has gone on for a while. The first batches are small, because most
	// searches that stop early stop soon.
	MaxBatchFiles = 64
	// maxHeldBytes bounds the results that wait for their turn.
	maxHeldBytes = 4 << 20
	// maxUnitsAhead bounds what is taken before its turn, beside one unit for
	// each worker: whatever is read there is wasted when the search stops
	// before it.
	maxUnitsAhead = 16
	// warmFiles is after how many files a search is taken for a long one.
	warmFiles = 1000
	// maxWarmUnitsAhead is maxUnitsAhead from then on.
	maxWarmUnitsAhead = 256

	// MaxSegmentBytes is how much of a large file one worker takes: enough for
	// a thousandth of a second, so that taking it costs nothing.
	MaxSegmentBytes = 4 << 20
	// minSplitBytes is the size from which a file is split.
	minSplitBytes = 2 * MaxSegmentBytes

	// binaryProbeBytes is how much of a file is looked at for a NUL whatever
	// matches: what is no text has one early.
	binaryProbeBytes = 8 << 10
	// blockBytes is read at once; a line that does not fit makes the buffer
	// grow up to MaxLineBytes.
	blockBytes = 64 << 10

	// cutMarkBytes is room for the two marks of a cut line.
	cutMarkBytes = 64

	// maxLinks bounds the links followed to a user's configuration file, which
	// people like to keep elsewhere.
	maxLinks = 8
	// maxIncludes bounds the files that a git configuration pulls in.
	maxIncludes = 16

	// tickInterval is how often a caller hears of a search's progress: about as
	// often as somebody can read it.
	tickInterval = 100 * time.Millisecond
)
