// Package server speaks the Model Context Protocol on a pair of pipes. It is
// the only place that knows the protocol's methods and the shapes of its JSON;
// tools know nothing of it.
//
// Every revision of the protocol is served on the same pipe: which one, is
// decided for each request (era.go). Requests that can take long run in
// goroutines of their own; everything else runs on the goroutine that reads,
// in the order of arrival, and never blocks.
package server

import "time"

const (
	// DefaultDrain is how long accepted calls may go on after the end of the
	// input, so that `printf ... | septet` gets its answers.
	DefaultDrain = 1500 * time.Millisecond

	// maxSettle bounds the wait for calls that were cancelled at the end. A
	// process that ignores every signal is confirmed dead, or reported, in 4 s.
	maxSettle = 10 * time.Second

	// maxFlush bounds the wait for a host that does not read its last answers.
	maxFlush = 2 * time.Second

	// DefaultMaxCalls and DefaultMaxProcesses bound what runs at once; more
	// calls wait. A host runs a handful; 16 shells keep any machine busy.
	DefaultMaxCalls     = 64
	DefaultMaxProcesses = 16

	// maxTurnChars bounds the name of a turn, in characters.
	maxTurnChars = 128

	// maxProgressPerSecond bounds the progress frames of one call; a person
	// sees no more.
	maxProgressPerSecond = 10

	// maxProgressBytes is how much of a running call's output waits for a host
	// that reads slower than the call writes. Older output is dropped.
	maxProgressBytes = 16 << 10

	// maxMessageBytes bounds the line that a progress frame shows.
	maxMessageBytes = 200

	// maxFailureBytes bounds the message in the data of an error answer: it has
	// room for the longest path and what is wrong with it.
	maxFailureBytes = 8 << 10

	// maxListed bounds one page of stored changes: at 600 bytes a record, it is
	// far from the bound of a frame.
	maxListed = 1000

	// listLifetimeMs is how long a host may keep the list of tools. It never
	// changes while the process lives; five minutes outlast its restart.
	listLifetimeMs = 300_000
)
