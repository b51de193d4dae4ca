//go:build linux

package local

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"septet/backend"
)

// waiting returns a script that runs until it is killed, and says so by
// creating the file ready.
func waiting(setup string) string { return setup + "\ntouch ready\nwhile :; do sleep 1; done" }

// runReady starts script, ends it with cause once it is ready, and returns the
// result and how long the end took.
func (w *world) runReady(script string, cause error) (backend.Completion, time.Duration) {
	w.t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	type result struct {
		c   backend.Completion
		err error
	}
	done := make(chan result, 1)
	_ = removeIfThere(w.path("ready"))
	go func() {
		c, err := w.start(ctx, script)
		done <- result{c, err}
	}()
	eventually(w.t, "ready: "+short(script), func() bool { return w.exists("ready") })
	began := time.Now()
	cancel(cause)
	r := <-done
	took := time.Since(began)
	if r.err != nil {
		w.t.Fatal(r.err)
	}
	if r.c.Status != backend.OutcomeUnknown {
		w.nothingLeft(script)
	}
	return r.c, took
}

var errAsked = errors.New("asked in a test")

// Whatever a command does, a cancel ends it, and without waiting for the grace
// where it listens.
func TestCancel(t *testing.T) {
	rows := []struct {
		name, script string
		most         time.Duration // a bound for a loaded machine, far from what it takes
	}{
		{"sleep", "touch ready; exec sleep 30", askedGrace},
		{"yes", "yes & " + waiting(""), askedGrace},
		{"stopped", "touch ready; kill -STOP $$", askedGrace},
		{"stopped child", "sleep 30 & kill -STOP $!; " + waiting(""), askedGrace},
		{"50 children", "for i in {1..50}; do sleep 30 & done; " + waiting(""), askedGrace},
		{"chain", chain(20), askedGrace},
		{"setsid below", "setsid sleep 30 & " + waiting(""), askedGrace},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for range repeats {
				c, took := w.runReady(row.script, errAsked)
				if wantStatus(t, c, backend.Cancelled); took > row.most {
					t.Fatalf("took %v", took)
				}
			}
		})
	}
}

// chain is depth shells, each waiting for the next.
func chain(depth int) string {
	return "f() { if [ $1 -gt 0 ]; then ( f $(($1-1)) ); :; else touch ready; sleep 30; fi; }; f " + itoa(depth)
}

// What does not listen is killed when its grace is over, or at once when there
// is none.
func TestDeaf(t *testing.T) {
	rows := []struct{ name, script string }{
		{"shell", waiting("trap '' TERM")},
		{"python", "exec python3 -c 'import signal,time; signal.signal(signal.SIGTERM, signal.SIG_IGN); open(\"ready\",\"w\"); time.sleep(60)'"},
		{"another session", "setsid -w bash -c \"trap '' TERM; touch ready; while :; do sleep 1; done\"; exit 1"},
		{"200 children", "trap '' TERM; for i in {1..200}; do sleep 30 & done; " + waiting("")},
		{"chain", "trap '' TERM; " + chain(20)},
		{"fork bomb", "trap '' TERM; b() { while :; do sleep 0.01 & [ $(jobs -p | wc -l) -gt 100 ] && wait; done; }; b & b & " + waiting("")},
		{"child that adopts", "python3 -c '" + adopter + "' & while [ ! -e adopts ]; do sleep 0.01; done; rm adopts; " + waiting("trap '' TERM")},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for range 5 {
				wantStatus(t, second(w.runReady(row.script, backend.ErrShutdown)), backend.Cancelled)
			}
		})
	}
	t.Run("grace", func(t *testing.T) {
		t.Parallel()
		c, took := newWorld(t).runReady(waiting("trap '' TERM"), errAsked)
		if wantStatus(t, c, backend.Cancelled); took < askedGrace {
			t.Errorf("killed after %v, before its grace was over", took)
		}
	})
}

func second(c backend.Completion, _ time.Duration) backend.Completion { return c }

// adopter makes itself the parent of the orphans below it.
const adopter = `
import ctypes, os, signal, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    if os.fork() == 0:
        open("adopts", "w"); time.sleep(60)
    os._exit(0)
time.sleep(60)`

// TERM comes first, so that a program can tidy up.
func TestTermComesFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range repeats {
		c, _ := w.runReady(waiting("touch lock; trap 'rm lock; exit 1' TERM"), errAsked)
		if wantStatus(t, c, backend.Cancelled); w.exists("lock") {
			t.Fatal("the lock is still there")
		}
	}
}

// A second cancel ends the grace.
func TestHurry(t *testing.T) {
	w := newWorld(t)
	hurry := make(chan struct{})
	w.command.Hurry = hurry
	time.AfterFunc(200*time.Millisecond, func() { close(hurry) })
	c, took := w.runReady(waiting("trap '' TERM"), errAsked)
	if wantStatus(t, c, backend.Cancelled); took > askedGrace-500*time.Millisecond {
		t.Errorf("took %v", took)
	}
	// Closed before, it ends nothing by itself, and gives no grace later.
	wantExit(t, w.run(context.Background(), "sleep 0.1; exit 4"), 4)
	if c, took := w.runReady(waiting("trap '' TERM"), errAsked); c.Status != backend.Cancelled || took > askedGrace-500*time.Millisecond {
		t.Errorf("%s after %v", c.Status, took)
	}
}

// The status says why the command ended.
func TestCauses(t *testing.T) {
	w := newWorld(t)
	wantStatus(t, second(w.runReady(waiting(""), backend.ErrShutdown)), backend.Cancelled)
	wantStatus(t, w.run(w.within(50*time.Millisecond), "sleep 30"), backend.TimedOut)
	parent, cancel := context.WithCancelCause(w.within(time.Minute))
	time.AfterFunc(50*time.Millisecond, func() { cancel(errAsked) })
	wantStatus(t, w.run(parent, "sleep 30"), backend.Cancelled)
}

// A cancel at any moment around the start and the end gives one of the true
// outcomes and leaves nothing.
func TestCancelRaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 2 * repeats {
		ctx, cancel := context.WithCancel(context.Background())
		timer := time.AfterFunc(time.Duration(i)*500*time.Microsecond, cancel)
		c := w.run(ctx, "exit 3")
		if c.Status == backend.Exited {
			wantExit(t, c, 3)
		} else {
			wantStatus(t, c, backend.Cancelled)
		}
		timer.Stop()
		cancel()
	}
}

// A command that ended before it was asked to has ended by itself, even when
// what it left is still being killed.
func TestExitBeforeCancel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		// The child outlives the shell, tells that the shell is gone, and does
		// not listen: the cancel comes while the supervisor waits for it.
		script := `trap '' TERM; shell=$$
(while [ -e /proc/$shell ] && [ "$(cut -d' ' -f3 /proc/$shell/stat)" != Z ]; do sleep 0.01; done; echo gone; sleep 30) & exit 9`
		w.command.Output = func(_ backend.StreamName, chunk string, _ int64) {
			if strings.Contains(chunk, "gone") {
				cancel()
			}
		}
		wantExit(t, w.run(ctx, script), 9)
		cancel()
	}
}
