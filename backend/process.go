package backend

import (
	"context"
	"errors"
	"time"

	"septet/safepath"
)

// ErrShutdown is the cause of a context that ends because the program does.
// A process backend gives no grace then.
var ErrShutdown = errors.New("shutting down")

// Bounds of a command that the texts about it name.
const (
	// MaxScriptBytes bounds a script. The kernel takes 128 KiB in one
	// argument; half of that leaves room on every system.
	MaxScriptBytes = 64 << 10
	// MaxInlineBytes is the length of text up to which a stream is not kept in
	// a file: a third of what one answer shows, so that either stream can
	// count on it.
	MaxInlineBytes = 10_000
	// MaxSpillBytes bounds the file of one stream; the rest is not kept.
	MaxSpillBytes = 64 << 20
)

// Process runs commands in the foreground: when Run returns, nothing that the
// command started is alive, or Status says OutcomeUnknown.
type Process interface {
	// Run runs c to its end. The context's end ends the command: its deadline
	// gives TimedOut, ErrShutdown and any other cause give Cancelled. The
	// error is for a command that never ran (*Error with SpawnFailed or a
	// path error); whatever a started command did is in the Completion.
	Run(ctx context.Context, c Command) (Completion, error)
	// Find says which file a plain name stands for when PATH is the given
	// directories, absolute and in this order: the first that may be executed.
	// The error has the code NotFound when there is none. It runs nothing.
	Find(name string, path []string) (Executable, error)
}

// Executable is a program where a process backend runs it.
type Executable struct {
	Path string // absolute; a link on it was not resolved
	// Identity is another one when the file behind Path is another or was
	// changed. "" where that cannot be told.
	Identity string
}

// Command is one shell command.
type Command struct {
	Script string                // required; given to bash -c as it is
	Dir    *safepath.CheckedPath // required; where it starts
	Env    []string              // complete, KEY=VALUE
	CallID string                // optional; names the files that keep long output, none without it
	// Hurry, when set and closed, ends the grace that a command gets to end by
	// itself after the context has ended: a second cancel, or a shutdown after
	// a cancel. It ends nothing by itself.
	Hurry <-chan struct{}
	// Output, when set, is told what arrives: valid UTF-8 without escape
	// sequences. Calls do not overlap; it must return at once.
	Output func(stream StreamName, text string, totalBytes int64)
}

// StreamName is "stdout" or "stderr".
type StreamName string

const (
	Stdout StreamName = "stdout"
	Stderr StreamName = "stderr"
)

// CompletionStatus is how a command ended.
type CompletionStatus string

const (
	Exited         CompletionStatus = "exited"
	Signaled       CompletionStatus = "signaled"
	TimedOut       CompletionStatus = "timed_out"
	Cancelled      CompletionStatus = "cancelled"
	OutcomeUnknown CompletionStatus = "outcome_unknown"
)

// Completion is what is known about a command that was started.
type Completion struct {
	Status   CompletionStatus
	ExitCode int    // Exited only
	Signal   string // Signaled only, e.g. "SIGSEGV"
	Stdout   Captured
	Stderr   Captured
	Duration time.Duration
	Leftover []string // names of processes that were still running at the end and were killed; the last may be "...": and others
	Alive    []Alive  // OutcomeUnknown only: what could not be confirmed dead
}

// Alive is a process whose end could not be confirmed.
type Alive struct {
	PID   int
	Name  string
	State string // the kernel's letter, e.g. "D"
}

// Captured is one output stream, bounded. Text is valid UTF-8 without escape
// sequences; carriage-return frames are collapsed to the last.
type Captured struct {
	Head         string // the beginning, or everything when nothing was omitted
	Tail         string // the end, when something between was omitted
	Bytes        int64  // exact, as the command wrote them
	Lines        int64  // exact count of line feeds, as the command wrote them
	HeadFrom     Origin // what Head stands for
	TailFrom     Origin // what Tail stands for
	OmittedBytes int64  // of Bytes, between Head and Tail; frames that others overwrote count as shown
	OmittedLines int64  // line feeds in them
	Binary       bool   // bytes that are not UTF-8 were escaped
	SpillPath    string // the raw stream up to MaxSpillBytes, when its text is longer than MaxInlineBytes or not whole and it could be kept
}
