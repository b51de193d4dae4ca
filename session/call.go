package session

import "sync"

// CallContext is what belongs to one call. Its cancellation and deadline are
// the context.Context beside it.
type CallContext struct {
	id       string
	progress func(Progress)
	auto     bool
	hurry    *hurry
}

// hurry is a signal that can be given more than once.
type hurry struct {
	once   sync.Once
	closed chan struct{}
}

// NewCall makes the context of one call. progress may be nil; it must return
// at once and may drop what it is given.
func NewCall(id string, progress func(Progress)) *CallContext {
	if progress == nil {
		progress = func(Progress) {}
	}
	return &CallContext{id: id, progress: progress, hurry: &hurry{closed: make(chan struct{})}}
}

// AsAuto returns the context of the same call when the host runs it without
// asking anybody: it is run only if the verdict on it is Allow, and a command
// in the environment that the verdict is about.
func (c *CallContext) AsAuto() *CallContext {
	auto := *c
	auto.auto = true
	return &auto
}

// Auto reports whether the call is run without anybody having been asked. No
// context is a call that somebody was asked about.
func (c *CallContext) Auto() bool { return c != nil && c.auto }

// Hurry is for a call that was cancelled and is cancelled again, or is still
// there when the program ends: its command gets no more time to tidy up. It
// ends nothing by itself, and may be repeated.
func (c *CallContext) Hurry() { c.hurry.once.Do(func() { close(c.hurry.closed) }) }

// Hurried is closed by Hurry.
func (c *CallContext) Hurried() <-chan struct{} { return c.hurry.closed }

// ID names the call, unique in the process.
func (c *CallContext) ID() string { return c.id }

// Progress tells the host what a running call is doing. It never blocks and
// may be lost. It is safe for concurrent use.
func (c *CallContext) Progress(p Progress) { c.progress(p) }

// ProgressKind says what a chunk of progress is.
type ProgressKind string

const (
	ProgressStdout  ProgressKind = "stdout"
	ProgressStderr  ProgressKind = "stderr"
	ProgressMessage ProgressKind = "message"
)

// Progress is one sign of life of a running call.
type Progress struct {
	Kind  ProgressKind
	Chunk string // valid UTF-8 without escape sequences
	Done  int64  // bytes of output seen, or files searched; grows
}
