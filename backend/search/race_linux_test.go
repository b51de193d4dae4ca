package search

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"septet/backend"
)

// disturb repeats do beside the test until the test ends.
func disturb(t *testing.T, do func()) {
	var done sync.WaitGroup
	end := make(chan struct{})
	done.Go(func() {
		for {
			select {
			case <-end:
				return
			default:
				do()
			}
		}
	})
	t.Cleanup(func() { close(end); done.Wait() })
}

func (w *world) exchange(a, b string) {
	unix.Renameat2(unix.AT_FDCWD, filepath.Join(w.root, a), unix.AT_FDCWD, filepath.Join(w.root, b), unix.RENAME_EXCHANGE)
}

// TestSwapRaces: while a directory and a file are swapped with links to the
// outside as fast as can be, nothing of the outside is ever seen.
func TestSwapRaces(t *testing.T) {
	w := newWorld(t, "ws/dir/a=inside\n", "ws/file=inside\n", "ws/one/two/three/b=inside\n", "secret/a=outside\n", "secret/only-outside", "secret/three/only-outside", "secret/file=outside\n", "secret/three/b=outside\n",
		"ws/d->../secret", "ws/f->../secret/file", "ws/one/t->../../secret")
	disturb(t, func() { w.exchange("ws/dir", "ws/d") })
	disturb(t, func() { w.exchange("ws/file", "ws/f"); w.exchange("ws/one/two", "ws/one/t") })
	inside := 0
	for begin := time.Now(); time.Since(begin) < time.Second; {
		r := w.grep("ws", "outside|inside")
		for _, m := range r.Matches {
			if m.Text != "inside" {
				t.Fatalf("saw %+v", m)
			}
		}
		inside += len(r.Matches)
		if names := w.glob("ws", "**/only-outside"); len(names.Paths) > 0 {
			t.Fatalf("found %s", names.Paths)
		}
	}
	if inside == 0 {
		t.Error("saw nothing at all")
	}
}

// TestChangingTree: files that come and go and grow are no failure.
func TestChangingTree(t *testing.T) {
	w := newWorld(t, "stays=x\n", "grows=x\n")
	disturb(t, func() {
		path := filepath.Join(w.root, "goes")
		os.WriteFile(path, []byte("x\n"), 0o644)
		os.Remove(path)
	})
	disturb(t, func() {
		f, err := os.OpenFile(filepath.Join(w.root, "grows"), os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			f.WriteString("more\n")
			f.Close()
		}
	})
	for range 100 {
		r := w.grep(".", "x", countMode)
		got := shown(r)
		if !strings.HasPrefix(strings.TrimPrefix(got, "goes:1 "), "grows:1 stays:1") || r.Summary.Unreadable != 0 {
			t.Fatalf("got %s %+v", got, r.Summary)
		}
	}
}

// TestManyEntries: one directory with very many names.
func TestManyEntries(t *testing.T) {
	const entries = 100_000
	w := newWorld(t, "d/")
	for i := range entries {
		f, err := os.Create(filepath.Join(w.root, "d", fmt.Sprintf("n%d", i)))
		w.must(err)
		f.Close()
	}
	r := w.glob(".", "**/n*", func(q *backend.GlobQuery) { q.MaxResults = 1 << 30 })
	if len(r.Paths) != entries {
		t.Errorf("got %d", len(r.Paths))
	}
	for i := 1; i < len(r.Paths); i++ {
		if r.Paths[i-1] >= r.Paths[i] {
			t.Fatalf("%s before %s", r.Paths[i-1], r.Paths[i])
		}
	}
}

// TestHugeLine: a file that is one line of 503 MB is searched, with memory for
// a piece of it.
func TestHugeLine(t *testing.T) {
	const pieces = 503
	w := newWorld(t)
	f, err := os.Create(filepath.Join(w.root, "line"))
	w.must(err)
	piece := bytes.Repeat([]byte("no line ends here. "), 1_000_000/19)
	for range pieces {
		_, err := f.Write(piece)
		w.must(err)
	}
	_, err = f.WriteString("needle")
	w.must(err)
	w.must(f.Close())

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := w.grep("line", "n[e]{2}dle$")
	runtime.ReadMemStats(&after)
	if len(r.Matches) != 1 || r.Matches[0].Line != 1 || !strings.HasSuffix(r.Matches[0].Text, "needle") || len(r.Matches[0].Text) > backend.MaxMatchBytes {
		t.Fatalf("got %+v", r)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 48<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
}

// TestCancelInFlight: a search in the middle of a large file ends soon after
// its context and keeps what it has.
func TestCancelInFlight(t *testing.T) {
	w := newWorld(t, "a=needle\n", "b="+strings.Repeat("nothing to see here\n", 1<<19))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	q := backend.GrepQuery{Pattern: "needle|(x+x+)+y", Mode: backend.GrepContent, MaxResults: 10, Context: 1, Progress: func(int64) { cancel() }}
	r, err := w.search.Grep(ctx, w.resolve("."), q)
	if err != nil || r.Summary.Stopped != backend.StoppedCanceled || len(r.Matches) != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
}
