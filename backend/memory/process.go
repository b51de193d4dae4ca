package memory

import (
	"context"
	"errors"
	"path"
	"strings"
	"sync"
	"time"

	"septet/backend"
	"septet/safepath"
)

// maxShownBytes bounds each end of a fake stream, as real backends do.
const maxShownBytes = 64 << 10

// Script is what one command does. The zero value prints nothing and exits 0
// at once.
type Script struct {
	Prints   []Print
	Runs     time.Duration // after its last print
	ExitCode int
	Signal   string        // ends by this signal instead of exiting
	Leftover []string      // what it leaves running, which is killed
	Grace    time.Duration // how long it takes to end when it is asked to
	Refuses  error         // it never starts
	// Alive is what KILL cannot confirm: once asked to end, the outcome is
	// unknown.
	Alive []backend.Alive
	// Spill is the path that a long output is said to be kept under.
	Spill string
}

// Print is one piece of output.
type Print struct {
	After  time.Duration // since the one before
	Stream backend.StreamName
	Text   string
}

// Processes is a process backend that starts nothing: it plays scripts by the
// text of the command. Time is the clock's, so that a test with a virtual
// clock does not wait. It is safe for concurrent use.
type Processes struct {
	Scripts  map[string]Script // by Command.Script; an unknown one exits 127
	Programs map[string]string // identities by absolute path, for Find

	mu  sync.Mutex
	ran []backend.Command
}

var _ backend.Process = (*Processes)(nil)

// Ran lists the commands that were run, in the order of their start.
func (p *Processes) Ran() []backend.Command {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]backend.Command(nil), p.ran...)
}

// Run implements backend.Process.
func (p *Processes) Run(ctx context.Context, c backend.Command) (backend.Completion, error) {
	script, known := p.Scripts[c.Script]
	if !known {
		script = Script{ExitCode: 127, Prints: []Print{{Stream: backend.Stderr, Text: "bash: line 1: " + c.Script + ": command not found\n"}}}
	}
	switch {
	case len(c.Script) > backend.MaxScriptBytes || strings.ContainsRune(c.Script, 0):
		return backend.Completion{}, &backend.Error{Code: backend.SpawnFailed, Fact: "the command cannot be an argument"}
	case script.Refuses != nil:
		return backend.Completion{}, &backend.Error{Code: backend.SpawnFailed, Fact: "the command was not started: " + script.Refuses.Error(), Err: script.Refuses}
	}
	p.mu.Lock()
	p.ran = append(p.ran, c)
	p.mu.Unlock()
	return (&play{script: script, command: c, began: time.Now()}).run(ctx), nil
}

// Find implements backend.Process.
func (p *Processes) Find(name string, dirs []string) (backend.Executable, error) {
	for _, dir := range dirs {
		full := path.Join(dir, name)
		if identity, ok := p.Programs[full]; ok {
			return backend.Executable{Path: full, Identity: identity}, nil
		}
	}
	return backend.Executable{}, &backend.Error{Code: safepath.NotFound, Fact: name + " is not installed"}
}

// play is one running script.
type play struct {
	script  Script
	command backend.Command
	began   time.Time
	stdout  stream
	stderr  stream
}

func (p *play) run(ctx context.Context) backend.Completion {
	if ctx.Err() == nil && p.prints(ctx) {
		return p.finish(p.ownEnd())
	}
	if ctx.Err() != nil && len(p.script.Alive) > 0 {
		return p.finish(backend.Completion{Status: backend.OutcomeUnknown, Alive: p.script.Alive})
	}
	p.grace(ctx)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return p.finish(backend.Completion{Status: backend.TimedOut})
	}
	return p.finish(backend.Completion{Status: backend.Cancelled})
}

// prints plays the output and reports whether the script came to its end.
func (p *play) prints(ctx context.Context) bool {
	for _, print := range p.script.Prints {
		if !pause(ctx.Done(), print.After) {
			return false
		}
		p.print(print)
	}
	return pause(ctx.Done(), p.script.Runs)
}

func (p *play) print(print Print) {
	s := &p.stdout
	if print.Stream == backend.Stderr {
		s = &p.stderr
	}
	s.text.WriteString(print.Text)
	if p.command.Output != nil {
		p.command.Output(print.Stream, print.Text, int64(s.text.Len()))
	}
}

// pause waits for d and reports whether that much time passed before stop.
func pause(stop <-chan struct{}, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-stop:
		return false
	case <-timer.C:
		return true
	}
}

// grace is the time between being asked to end and ending. A shutdown and
// Hurry give none.
func (p *play) grace(ctx context.Context) {
	if !errors.Is(context.Cause(ctx), backend.ErrShutdown) {
		pause(p.command.Hurry, p.script.Grace)
	}
}

func (p *play) ownEnd() backend.Completion {
	c := backend.Completion{Status: backend.Exited, ExitCode: p.script.ExitCode, Leftover: p.script.Leftover}
	if p.script.Signal != "" {
		c.Status, c.ExitCode, c.Signal = backend.Signaled, 0, p.script.Signal
	}
	return c
}

func (p *play) finish(c backend.Completion) backend.Completion {
	c.Stdout, c.Stderr = p.stdout.captured(p.script.Spill), p.stderr.captured(p.script.Spill)
	c.Duration = time.Since(p.began)
	return c
}

// stream is what was printed.
type stream struct{ text strings.Builder }

func (s *stream) captured(spill string) backend.Captured {
	text := s.text.String()
	c := backend.Captured{Head: text, Bytes: int64(len(text)), Lines: int64(strings.Count(text, "\n"))}
	if len(text) > backend.MaxInlineBytes {
		c.SpillPath = spill
	}
	if len(text) <= 2*maxShownBytes {
		return c
	}
	between := text[maxShownBytes : len(text)-maxShownBytes]
	c.Head, c.Tail = text[:maxShownBytes], text[len(text)-maxShownBytes:]
	c.OmittedBytes, c.OmittedLines = int64(len(between)), int64(strings.Count(between, "\n"))
	return c
}
