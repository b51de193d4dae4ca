package backendtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"septet/backend"
	"septet/safepath"
)

// testChangedMeanwhile: what another program does between reading and writing
// is never overwritten.
func testChangedMeanwhile(t *testing.T, p Place) {
	for _, tt := range []struct {
		name   string
		exists bool
		remove bool
		do     func(abs string) error
		code   safepath.Code
		left   []string
	}{
		{"rewritten", true, false, func(abs string) error { return p.Outside.WriteFile(abs, "theirs", 0o644) }, safepath.Stale, []string{"f"}},
		{"replaced", true, false, func(abs string) error {
			return errors.Join(p.Outside.WriteFile(abs+"~", "theirs", 0o644), p.Outside.Rename(abs+"~", abs))
		}, safepath.Stale, []string{"f"}},
		{"deleted", true, false, p.Outside.RemoveAll, safepath.Stale, nil},
		{"created", false, false, func(abs string) error { return p.Outside.WriteFile(abs, "theirs", 0o644) }, safepath.Exists, []string{"f"}},
		{"rewritten before its removal", true, true, func(abs string) error { return p.Outside.WriteFile(abs, "theirs", 0o644) }, safepath.Stale, []string{"f"}},
		{"deleted before its removal", true, true, p.Outside.RemoveAll, safepath.NotFound, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			check(t, p.Outside.MkdirAll(p.abs(tt.name), 0o755))
			name := tt.name + "/f"
			if tt.exists {
				p.put(t, name, "old")
			}
			_, err := p.Files.Replace(t.Context(), p.target(t, name), backend.Replacement{
				Make:   func(backend.Before) ([]byte, error) { return []byte("ours"), tt.do(p.abs(name)) },
				Delete: tt.remove,
			})
			refused(t, err, tt.code, "f")
			p.names(t, tt.name, tt.left...)
			if len(tt.left) > 0 {
				p.holds(t, name, "theirs")
			}
		})
	}
}

// appends is a replacement that adds a line.
func appends(line string) backend.Replacement {
	return backend.Replacement{Make: func(b backend.Before) ([]byte, error) {
		return fmt.Appendf(slices.Clone(b.Content), "%s\n", line), nil
	}}
}

// testParallelEdits: of 100 edits at once none is lost, whether the file exists
// or not, by its own name or through a link.
func testParallelEdits(t *testing.T, p Place) {
	check(t, p.Outside.Symlink("f", p.abs("link")))
	p.put(t, "f", "")
	var wait sync.WaitGroup
	for i := range 100 {
		target := p.target(t, []string{"f", "link"}[i%2])
		wait.Go(func() {
			if _, err := p.Files.Replace(t.Context(), target, appends(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	p.allLines(t, "f", 100)
	p.names(t, ".", "f", "link")
}

// testParallelCreation: writers of one missing file in missing directories all
// make way for one another.
func testParallelCreation(t *testing.T, p Place) {
	var wait sync.WaitGroup
	for i := range 50 {
		target := p.target(t, "a/b/f")
		wait.Go(func() {
			if _, err := p.Files.Replace(t.Context(), target, appends(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	p.allLines(t, "a/b/f", 50)
	p.names(t, "a/b", "f")
}

func (p Place) allLines(t *testing.T, name string, n int) {
	t.Helper()
	content, err := p.Outside.ReadFile(p.abs(name))
	check(t, err)
	lines := strings.Fields(content)
	slices.Sort(lines)
	if lines = slices.Compact(lines); len(lines) != n {
		t.Errorf("%d of %d edits are there", len(lines), n)
	}
}

func testCancelledWaiting(t *testing.T, p Place) {
	p.put(t, "f", "old")
	p.waits(t, p.target(t, "f"), p.target(t, "f"))
	p.holds(t, "f", "ours")
}

// testTwoPaths: the second path is that of the same file after its directory
// was renamed. Writers through both take turns.
func testTwoPaths(t *testing.T, p Place) {
	p.put(t, "dir/f", "old")
	first := p.target(t, "dir/f")
	check(t, p.Outside.Rename(p.abs("dir"), p.abs("renamed")))
	p.waits(t, first, p.target(t, "renamed/f"))
	p.holds(t, "renamed/f", "ours")
}

// waits asserts that a writer through second waits while one through first is
// at work, and that its cancel ends the waiting.
func (p Place) waits(t *testing.T, first, second *safepath.CheckedPath) {
	t.Helper()
	cancelled, cancel := context.WithCancel(t.Context())
	ctx := &watchedContext{Context: cancelled, waits: make(chan struct{})}
	ended := make(chan error, 1)
	_, err := p.Files.Replace(t.Context(), first, backend.Replacement{
		Make: func(backend.Before) ([]byte, error) {
			go func() {
				_, err := p.Files.Replace(ctx, second, becomes("theirs"))
				ended <- err
			}()
			select {
			case err := <-ended:
				t.Errorf("the other writer did not wait: %v", err)
				ended <- context.Canceled
			case <-ctx.waits:
			}
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the other writer ended with %v", err)
			}
			return []byte("ours"), nil
		},
	})
	check(t, err)
}

// watchedContext tells when somebody is about to wait for its end.
type watchedContext struct {
	context.Context
	once  sync.Once
	waits chan struct{} // closed then
}

func (c *watchedContext) Done() <-chan struct{} {
	c.once.Do(func() { close(c.waits) })
	return c.Context.Done()
}

// testAnotherWriter: a program that swaps its own contents in at full speed
// loses none of them: each comes out again at its next swap, alone or as the
// beginning of what was made from it, or is kept beside the file.
func testAnotherWriter(t *testing.T, p Place) {
	p.put(t, "f", "their 0\n")
	dir, err := p.Files.Volume().OpenRoot(p.Root)
	check(t, err)
	defer dir.Close()
	if err := dir.Rename("f", "f", safepath.Exchange); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this file system has no exchange")
	}
	ctx, stop := context.WithCancel(t.Context())
	var seen []string
	written := 0
	var wait sync.WaitGroup
	wait.Go(func() {
		for ctx.Err() == nil {
			written++
			out, err := p.swapIn(dir, fmt.Sprintf("their %d\n", written))
			if err != nil {
				t.Error(err)
				return
			}
			seen = append(seen, out)
		}
	})
	done, stale := p.appendMany(t, 300)
	stop()
	wait.Wait()
	t.Logf("%d edits done, %d stale, %d contents of the other program", len(done), stale, written)
	last, err := p.Outside.ReadFile(p.abs("f"))
	check(t, err)
	p.accountFor(t, append(seen, last), written, done)
}

// swapIn exchanges the file with new content and returns what came out.
func (p Place) swapIn(dir safepath.Dir, content string) (string, error) {
	tmp := p.abs("theirs")
	if err := p.Outside.WriteFile(tmp, content, 0o644); err != nil {
		return "", err
	}
	if err := dir.Rename("theirs", "f", safepath.Exchange); err != nil {
		return "", err
	}
	out, err := p.Outside.ReadFile(tmp)
	return out, errors.Join(err, p.Outside.RemoveAll(tmp))
}

// appendMany edits the file again and again and says which edits were
// acknowledged. Stale is the only refusal it expects.
func (p Place) appendMany(t *testing.T, times int) (done []string, stale int) {
	for i := range times {
		target, err := p.Resolver.Resolve(p.abs("f"), safepath.Write, safepath.File)
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("ours %d", i)
		_, err = p.Files.Replace(t.Context(), target, appends(line))
		target.Close()
		switch safepath.CodeOf(err) {
		case safepath.Stale:
			stale++
		case "":
			check(t, err)
			done = append(done, line)
		default:
			t.Fatalf("edit %d: %v", i, err)
		}
	}
	return done, stale
}

// accountFor asserts that every content and every acknowledged edit was seen.
func (p Place) accountFor(t *testing.T, seen []string, theirs int, ours []string) {
	names, err := p.Outside.Names(p.Root)
	check(t, err)
	for _, name := range names {
		if name != "f" {
			kept, err := p.Outside.ReadFile(p.abs(name))
			check(t, err)
			seen = append(seen, kept)
		}
	}
	lines := map[string]bool{}
	for _, content := range seen {
		for line := range strings.Lines(content) {
			lines[strings.TrimSuffix(line, "\n")] = true
		}
	}
	for i := range theirs + 1 {
		if line := fmt.Sprintf("their %d", i); !lines[line] {
			t.Errorf("%q was lost", line)
		}
	}
	for _, line := range ours {
		if !lines[line] {
			t.Errorf("acknowledged edit %q was lost", line)
		}
	}
}
