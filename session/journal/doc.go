// Package journal keeps what every write and edit changed, so that it can be
// shown later and taken back.
//
// A Store is one SQLite database per workspace, shared by all processes that
// work there. Wrap puts it around a file system: the old content and the
// intent are durable before a file is replaced, the outcome after it. After a
// crash an intent without outcome is settled by what is on disk. History lists
// and undoes.
//
// What is not promised: the file system and the store are not one transaction.
// A program that changes the same file between a crash and the settling makes
// the outcome unknown, and such a change cannot be undone. What commands do to
// files is not recorded.
package journal

import "time"

const (
	// MaxContentBytes bounds the old contents kept for one workspace, and the
	// diffs beside them: months of work, and no disk that anybody would miss.
	// The oldest go first; their records stay, expired.
	MaxContentBytes = 500 << 20
	// MaxContentAge is the age at which contents go, whatever room is left.
	MaxContentAge = 30 * 24 * time.Hour
	// pruneEvery is how many changes pass between two looks at those bounds:
	// at most 64 MiB over, as one text is at most 1 MiB.
	pruneEvery = 64
	// busyTimeout is how long a process waits for another's transaction. One
	// takes a millisecond; ten seconds without a turn is a hung disk.
	busyTimeout = 10 * time.Second
	// minIDLetters is how much of an id must be given: fewer are typing errors.
	minIDLetters = 4
	// idLetters of base 32 are 80 random bits: no two alike in any history.
	idLetters = 16
)
