package backendtest

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"septet/backend"
	"septet/safepath"
)

// The scripts of the suite. A real backend runs them; a scripted one plays
// what their names and comments say.
const (
	ScriptQuiet    = "exit 7"                                               // prints nothing, exits 7
	ScriptBoth     = "echo out; echo err >&2; exit 3"                       // "out\n" and "err\n", exits 3
	ScriptSignal   = "kill -SEGV $$"                                        // ends by SIGSEGV
	ScriptNotFound = "no-such-command-here"                                 // says so on stderr, exits 127
	ScriptWaits    = "echo ready; sleep 60"                                 // "ready\n", then runs until it is ended, at once
	ScriptDeaf     = "trap '' TERM; echo ready; while :; do sleep 60; done" // the same, but only without grace
	ScriptLeaves   = "sleep 60 & exit 2"                                    // exits 2 and leaves "sleep"
	ScriptLong     = "seq 1000000"                                          // the numbers from 1 on, one a line
	ScriptSlow     = "for i in 1 2 3; do echo $i; sleep 0.15; done"         // "1\n2\n3\n" with pauses
)

// ProcessPlace is a process backend under test.
type ProcessPlace struct {
	Process backend.Process
	// Dir resolves an existing directory. The suite closes it.
	Dir func(*testing.T) *safepath.CheckedPath
	Env []string // what the scripts need to find their programs
	// Install writes a file into a directory of its own, the same one for the
	// same key, and returns the directory.
	Install func(t *testing.T, key, name, content string, executable bool) string
}

// TestProcess runs the suite of process backends.
func TestProcess(t *testing.T, p ProcessPlace) {
	for _, tt := range []struct {
		name string
		run  func(*testing.T, ProcessPlace)
	}{
		{"ends by itself", testProcessEnds},
		{"output", testProcessOutput},
		{"leftover", testProcessLeftover},
		{"long output", testProcessLong},
		{"progress", testProcessProgress},
		{"timeout", testProcessTimeout},
		{"cancel", testProcessCancel},
		{"no grace", testProcessNoGrace},
		{"ended before", testProcessEndedBefore},
		{"refused scripts", testProcessRefused},
		{"side by side", testProcessSideBySide},
		{"find", testProcessFind},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, p) })
	}
}

// run runs a script; change may alter the command.
func (p ProcessPlace) run(ctx context.Context, t *testing.T, script string, change func(*backend.Command)) backend.Completion {
	t.Helper()
	dir := p.Dir(t)
	defer dir.Close()
	c := backend.Command{Script: script, Dir: dir, Env: p.Env, CallID: "1"}
	if change != nil {
		change(&c)
	}
	done, err := p.Process.Run(ctx, c)
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return done
}

// whenReady runs a script that says that it is ready, and then does what do
// does.
func (p ProcessPlace) whenReady(ctx context.Context, t *testing.T, script string, hurry <-chan struct{}, do func()) backend.Completion {
	t.Helper()
	var once sync.Once
	return p.run(ctx, t, script, func(c *backend.Command) {
		c.Hurry = hurry
		c.Output = func(_ backend.StreamName, text string, _ int64) {
			if strings.Contains(text, "ready") {
				once.Do(do)
			}
		}
	})
}

func testProcessEnds(t *testing.T, p ProcessPlace) {
	for script, want := range map[string]backend.Completion{
		ScriptQuiet:    {Status: backend.Exited, ExitCode: 7},
		ScriptSignal:   {Status: backend.Signaled, Signal: "SIGSEGV"},
		ScriptNotFound: {Status: backend.Exited, ExitCode: 127},
	} {
		got := p.run(t.Context(), t, script, nil)
		if got.Status != want.Status || got.ExitCode != want.ExitCode || got.Signal != want.Signal || len(got.Leftover)+len(got.Alive) > 0 {
			t.Errorf("%s: %+v", script, got)
		}
	}
}

func testProcessOutput(t *testing.T, p ProcessPlace) {
	got := p.run(t.Context(), t, ScriptBoth, nil)
	out, err := backend.Captured{Head: "out\n", Bytes: 4, Lines: 1}, backend.Captured{Head: "err\n", Bytes: 4, Lines: 1}
	if got.ExitCode != 3 || !reflect.DeepEqual(got.Stdout, out) || !reflect.DeepEqual(got.Stderr, err) {
		t.Errorf("%+v", got)
	}
	if got := p.run(t.Context(), t, ScriptNotFound, nil); !strings.Contains(got.Stderr.Head, ScriptNotFound) {
		t.Errorf("stderr %q", got.Stderr.Head)
	}
}

func testProcessLeftover(t *testing.T, p ProcessPlace) {
	got := p.run(t.Context(), t, ScriptLeaves, nil)
	// On a loaded machine it is killed before it has become sleep.
	if got.Status != backend.Exited || got.ExitCode != 2 || len(got.Leftover) != 1 || got.Leftover[0] != "sleep" && got.Leftover[0] != "bash" {
		t.Errorf("%+v", got)
	}
}

// LongOutput is what ScriptLong prints.
func LongOutput() string {
	var b strings.Builder
	for i := range 1_000_000 {
		fmt.Fprintln(&b, i+1)
	}
	return b.String()
}

func testProcessLong(t *testing.T, p ProcessPlace) {
	whole := LongOutput()
	got := p.run(t.Context(), t, ScriptLong, nil).Stdout
	if got.Bytes != int64(len(whole)) || got.Lines != 1_000_000 {
		t.Errorf("counted %d bytes, %d lines", got.Bytes, got.Lines)
	}
	if !strings.HasPrefix(whole, got.Head) || !strings.HasSuffix(whole, got.Tail) || len(got.Tail) < backend.MaxInlineBytes || len(got.Head) < backend.MaxInlineBytes {
		t.Fatalf("%d and %d bytes are not the ends", len(got.Head), len(got.Tail))
	}
	gap := whole[len(got.Head) : len(whole)-len(got.Tail)]
	if got.OmittedBytes != int64(len(gap)) || got.OmittedLines != int64(strings.Count(gap, "\n")) {
		t.Errorf("omitted %d bytes, %d lines", got.OmittedBytes, got.OmittedLines)
	}
	if shown := len(got.Head) + len(got.Tail); shown > 1<<20 {
		t.Errorf("%d bytes in the result", shown)
	}
}

func testProcessProgress(t *testing.T, p ProcessPlace) {
	var text strings.Builder
	var last int64
	got := p.run(t.Context(), t, ScriptSlow, func(c *backend.Command) {
		c.Output = func(s backend.StreamName, chunk string, total int64) {
			if s != backend.Stdout || !utf8.ValidString(chunk) || total <= last {
				t.Errorf("%s %q %d after %d", s, chunk, total, last)
			}
			text.WriteString(chunk)
			last = total
		}
	})
	if text.String() != "1\n2\n3\n" || last != 6 || got.Stdout.Head != text.String() {
		t.Errorf("told %q, %d; got %q", text.String(), last, got.Stdout.Head)
	}
}

// deadline is a context whose deadline passes when over is closed.
type deadline struct {
	context.Context
	over chan struct{}
}

func (d deadline) Done() <-chan struct{} { return d.over }

func (d deadline) Err() error {
	select {
	case <-d.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func testProcessTimeout(t *testing.T, p ProcessPlace) {
	ctx := deadline{context.Background(), make(chan struct{})}
	got := p.whenReady(ctx, t, ScriptWaits, nil, func() { close(ctx.over) })
	if got.Status != backend.TimedOut || got.Stdout.Head != "ready\n" {
		t.Errorf("%+v", got)
	}
}

func testProcessCancel(t *testing.T, p ProcessPlace) {
	ctx, cancel := context.WithCancelCause(t.Context())
	got := p.whenReady(ctx, t, ScriptWaits, nil, func() { cancel(errors.New("no longer wanted")) })
	if got.Status != backend.Cancelled || got.Stdout.Head != "ready\n" {
		t.Errorf("%+v", got)
	}
}

// A shutdown, and Hurry after a cancel, end the grace that a deaf script
// would use up.
func testProcessNoGrace(t *testing.T, p ProcessPlace) {
	ctx, cancel := context.WithCancelCause(t.Context())
	began := time.Now()
	if got := p.whenReady(ctx, t, ScriptDeaf, nil, func() { cancel(backend.ErrShutdown) }); got.Status != backend.Cancelled {
		t.Errorf("shutdown: %+v", got)
	}
	ctx, cancel = context.WithCancelCause(t.Context())
	hurry := make(chan struct{})
	got := p.whenReady(ctx, t, ScriptDeaf, hurry, func() {
		cancel(errors.New("no longer wanted"))
		close(hurry)
	})
	if got.Status != backend.Cancelled {
		t.Errorf("hurried: %+v", got)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}

func testProcessEndedBefore(t *testing.T, p ProcessPlace) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := p.run(ctx, t, ScriptBoth, nil); got.Status != backend.Cancelled || got.Stdout.Bytes != 0 {
		t.Errorf("%+v", got)
	}
	ctx, cancel = context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	if got := p.run(ctx, t, ScriptBoth, nil); got.Status != backend.TimedOut || got.Stdout.Bytes != 0 {
		t.Errorf("%+v", got)
	}
}

func testProcessRefused(t *testing.T, p ProcessPlace) {
	for _, script := range []string{"a\x00b", strings.Repeat("#", backend.MaxScriptBytes+1)} {
		dir := p.Dir(t)
		_, err := p.Process.Run(t.Context(), backend.Command{Script: script, Dir: dir, Env: p.Env})
		dir.Close()
		if safepath.CodeOf(err) != backend.SpawnFailed {
			t.Errorf("%.10q: %v", script, err)
		}
	}
}

func testProcessSideBySide(t *testing.T, p ProcessPlace) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := p.run(t.Context(), t, ScriptBoth, nil); got.ExitCode != 3 || got.Stdout.Head != "out\n" || got.Stderr.Head != "err\n" {
				t.Errorf("%+v", got)
			}
		})
	}
	all.Wait()
}

// The first directory with a file that may be executed counts, and a file that
// was replaced or written is another one.
func testProcessFind(t *testing.T, p ProcessPlace) {
	plain := p.Install(t, "plain", "tool", "#!/bin/sh\n", false)
	first := p.Install(t, "first", "tool", "#!/bin/sh\n", true)
	second := p.Install(t, "second", "tool", "#!/bin/sh\n", true)
	find := func(name string, dirs ...string) backend.Executable {
		t.Helper()
		found, err := p.Process.Find(name, dirs)
		if err != nil {
			t.Fatalf("%s in %v: %v", name, dirs, err)
		}
		return found
	}
	before := find("tool", plain, first, second)
	if want := path.Join(first, "tool"); filepath.ToSlash(before.Path) != want {
		t.Errorf("found %s, want %s", before.Path, want)
	}
	if again := find("tool", first); again != before {
		t.Errorf("the same file is %+v and %+v", before, again)
	}
	if other := find("tool", second); before.Identity != "" && other.Identity == before.Identity {
		t.Errorf("two files are one: %+v %+v", before, other)
	}
	p.Install(t, "first", "tool", "#!/bin/ls\n", true)
	if after := find("tool", first); before.Identity != "" && after.Identity == before.Identity {
		t.Errorf("a file that was written is the same: %+v", after)
	}
	if _, err := p.Process.Find("no-such-tool", []string{plain, first}); safepath.CodeOf(err) != safepath.NotFound {
		t.Errorf("no such tool: %v", err)
	}
	if _, err := p.Process.Find("tool", []string{plain}); safepath.CodeOf(err) != safepath.NotFound {
		t.Errorf("a file that may not be executed: %v", err)
	}
}
