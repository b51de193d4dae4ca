//go:build linux

package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"septet/backend"
	"septet/safepath"
)

// world runs commands in a directory of its own and knows which processes are
// theirs: all carry its mark in their environment.
type world struct {
	t       *testing.T
	process *processes
	dir     string
	mark    string
	command backend.Command // what is set here goes into every command
}

var worlds atomic.Int64

func newWorld(t *testing.T) *world {
	return newWorldWith(t, ProcessConfig{Shim: shimPath})
}

func newWorldWith(t *testing.T, c ProcessConfig) *world {
	t.Helper()
	w := &world{
		t: t, dir: t.TempDir(),
		process: Processes(c).(*processes),
		mark:    fmt.Sprintf("SEPTET_TEST_MARK=%d.%d", os.Getpid(), worlds.Add(1)),
	}
	w.command.Env = append(os.Environ(), w.mark)
	return w
}

// start runs a command without looking at what is left.
func (w *world) start(ctx context.Context, script string) (backend.Completion, error) {
	dir, err := os.Open(w.dir)
	if err != nil {
		w.t.Error(err)
		return backend.Completion{}, err
	}
	defer dir.Close()
	c := w.command
	c.Script = script
	return w.process.runIn(ctx, c, &safepath.WorkDir{File: dir, Path: w.dir})
}

// run runs a command to its end and fails the test when any of it is alive
// afterwards.
func (w *world) run(ctx context.Context, script string) backend.Completion {
	w.t.Helper()
	c, err := w.start(ctx, script)
	if err != nil {
		w.t.Fatalf("%s: %v", short(script), err)
	}
	if c.Status != backend.OutcomeUnknown {
		w.nothingLeft(script)
	}
	return c
}

func (w *world) nothingLeft(script string) {
	w.t.Helper()
	if left := survivors(w.mark); len(left) > 0 {
		w.t.Fatalf("%s: alive after the answer: %v", short(script), left)
	}
}

// within is a context with a deadline.
func (w *world) within(d time.Duration) context.Context {
	ctx, stop := context.WithTimeout(context.Background(), d)
	w.t.Cleanup(stop)
	return ctx
}

// survivors lists the living processes with mark in their environment, but for
// this one.
func survivors(mark string) []process {
	return slices.DeleteFunc(marked(mark), func(p process) bool { return p.dead() || p.pid == os.Getpid() })
}

func marked(mark string) []process {
	var found []process
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		environ, _ := os.ReadFile(path)
		if bytes.Contains(environ, []byte(mark)) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			found = append(found, processOf(pid))
		}
	}
	return found
}

func short(script string) string {
	if len(script) > 60 {
		script = script[:60] + "..."
	}
	return strconv.Quote(script)
}

// eventually waits until what is true; it fails the test after ten seconds.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not within 10 s: " + what)
		}
	}
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

func (w *world) exists(name string) bool {
	_, err := os.Stat(w.path(name))
	return err == nil
}

func wantExit(t *testing.T, c backend.Completion, code int) {
	t.Helper()
	if c.Status != backend.Exited || c.ExitCode != code {
		t.Fatalf("got %s %d %s, want exit %d; stderr %q", c.Status, c.ExitCode, c.Signal, code, c.Stderr.Head)
	}
}

func wantStatus(t *testing.T, c backend.Completion, want backend.CompletionStatus) {
	t.Helper()
	if c.Status != want {
		t.Fatalf("got %s %d %s alive %v, want %s; stderr %q", c.Status, c.ExitCode, c.Signal, c.Alive, want, c.Stderr.Head)
	}
}

func wantSpawnFailed(t *testing.T, err error, fact string) {
	t.Helper()
	var e *backend.Error
	if !errors.As(err, &e) || e.Code != backend.SpawnFailed || !strings.Contains(e.Fact, fact) {
		t.Fatalf("got %v, want spawn_failed with %q", err, fact)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

func removeIfThere(path string) error {
	if err := os.Remove(path); !os.IsNotExist(err) {
		return err
	}
	return nil
}
