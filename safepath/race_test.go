//go:build linux

package safepath_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"septet/safepath"
)

// raceTime is how long each race runs. Naive readers lose within milliseconds.
func raceTime() time.Duration {
	if testing.Short() {
		return 500 * time.Millisecond
	}
	return 2 * time.Second
}

// swapping exchanges two names as fast as it can until the test is done.
func swapping(t *testing.T, a, b string) {
	t.Helper()
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
			}
		}
	})
	t.Cleanup(func() { close(stop); wg.Wait() })
}

// raceWorld has a directory "top/sub" that is swapped with a link to decoy.
func raceWorld(t *testing.T, decoy string) *world {
	w := newWorld(t, "f top/sub/x=inside", "f .git/x=protected", "l top/link -> "+decoy)
	w.resolver()
	return w
}

// tally counts how the attempts of a race ended.
type tally struct{ done, refused, escaped int }

// maxRaceTime is how long a race waits, on a busy machine, for one attempt to
// end well.
const maxRaceTime = 30 * time.Second

// run repeats attempt for the time of a race and until one has ended well;
// attempt tells whether it escaped.
func (c *tally) run(t *testing.T, attempt func() (escaped bool, err error)) {
	c.runUntil(t, attempt, func() bool { return c.done > 0 })
}

func (c *tally) runUntil(t *testing.T, attempt func() (escaped bool, err error), enough func() bool) {
	start := time.Now()
	for took := time.Duration(0); took < raceTime() || !enough() && took < maxRaceTime; took = time.Since(start) {
		escaped, err := attempt()
		switch {
		case escaped:
			c.escaped++
		case err == nil:
			c.done++
		default:
			c.refused++
			var e *safepath.Error
			if !errors.As(err, &e) {
				t.Fatalf("error without a code: %v", err)
			}
		}
	}
	t.Logf("%d done, %d refused, %d escaped", c.done, c.refused, c.escaped)
}

var decoys = map[string]string{"outside": "$OUT/sub", "protected": "$WS/.git"}

func eachDecoy(t *testing.T, race func(t *testing.T, w *world)) {
	for name, decoy := range decoys {
		t.Run(name, func(t *testing.T) {
			w := raceWorld(t, decoy)
			swapping(t, w.ws+"/top/sub", w.ws+"/top/link")
			race(t, w)
		})
	}
}

func TestRaceRead(t *testing.T) {
	eachDecoy(t, func(t *testing.T, w *world) {
		var c tally
		c.run(t, func() (bool, error) {
			p, err := w.r.Resolve("top/sub/x", safepath.Read, safepath.File)
			if err != nil {
				return false, err
			}
			defer p.Close()
			h, err := safepath.Open(p)
			if err != nil {
				return false, err
			}
			defer h.Close()
			b, err := io.ReadAll(h)
			// Reading .git is allowed, under that name only.
			allowed := string(b) == "inside" || string(b) == "protected" && p.String() == ".git/x"
			return !allowed, err
		})
		if c.escaped > 0 || c.done == 0 {
			t.Errorf("%d escapes in %d reads", c.escaped, c.done)
		}
	})
}

// TestRaceReadNaively shows that the race above can be lost.
func TestRaceReadNaively(t *testing.T) {
	eachDecoy(t, func(t *testing.T, w *world) {
		for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
			full, err := filepath.EvalSymlinks(w.ws + "/top/sub/x")
			if err != nil || !strings.HasPrefix(full, w.ws+"/top/sub/") {
				continue
			}
			if b, err := os.ReadFile(full); err == nil && string(b) != "inside" {
				return
			}
		}
		t.Error("a reader that checks a prefix never escaped: the harness cannot fail")
	})
}

func TestRaceCommit(t *testing.T) {
	eachDecoy(t, func(t *testing.T, w *world) {
		var c tally
		c.run(t, func() (bool, error) {
			_, err := writeVia(w.r, "top/sub/x", "inside")
			return false, err
		})
		w.checkDecoys(t)
		if c.done == 0 {
			t.Error("no write went through")
		}
	})
}

func TestRaceMkdir(t *testing.T) {
	eachDecoy(t, func(t *testing.T, w *world) {
		var c tally
		c.run(t, func() (bool, error) {
			done, err := writeVia(w.r, "top/sub/n/e/w", "inside")
			if done.MadeDirs > 0 {
				os.RemoveAll(w.ws + "/top/sub/n")
				os.RemoveAll(w.ws + "/top/link/n")
			}
			return false, err
		})
		w.checkDecoys(t)
		if c.done == 0 {
			t.Error("no write went through")
		}
	})
}

// TestRaceMkdirInside swaps the directory that is being made itself.
func TestRaceMkdirInside(t *testing.T) {
	eachDecoy(t, func(t *testing.T, w *world) {
		swapping(t, w.ws+"/top/n", w.ws+"/top/link")
		var c tally
		c.run(t, func() (bool, error) {
			_, err := writeVia(w.r, "top/n/e/w", "inside")
			os.RemoveAll(w.ws + "/top/n/e")
			return false, err
		})
		w.checkDecoys(t)
	})
}

func (w *world) checkDecoys(t *testing.T) {
	t.Helper()
	w.wantContent(".git/x", "protected")
	w.wantContent("$OUT/sub/x", "outside")
	for _, dir := range []string{w.ws + "/.git", w.out + "/sub"} {
		if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
			t.Errorf("%s holds %v (%v)", dir, names, err)
		}
	}
}

func TestRaceWalk(t *testing.T) {
	eachDecoy(t, func(t *testing.T, w *world) {
		var c tally
		c.run(t, func() (bool, error) {
			p, err := w.r.Resolve("top", safepath.Read, safepath.Directory)
			if err != nil {
				return false, err
			}
			defer p.Close()
			d, err := safepath.OpenDir(p)
			if err != nil {
				return false, err
			}
			defer d.Close()
			return walkEscapes(d), nil
		})
		if c.escaped > 0 || c.done == 0 {
			t.Errorf("%d escapes in %d walks", c.escaped, c.done)
		}
	})
}

// walkEscapes reads every file below d by handle.
func walkEscapes(d safepath.Dir) bool {
	entries, err := d.ReadNames()
	if err != nil {
		return false
	}
	for _, e := range entries {
		if sub, err := d.OpenDir(e.Name); err == nil {
			escapes := walkEscapes(sub)
			sub.Close()
			if escapes {
				return true
			}
		} else if h, err := d.OpenFile(e.Name); err == nil {
			b, _ := io.ReadAll(h)
			h.Close()
			if string(b) != "inside" {
				return true
			}
		}
	}
	return false
}

// TestRaceProtectedDirectory swaps the protected directory itself with an
// ordinary one: no link is involved, and each has the other's name half of the
// time.
func TestRaceProtectedDirectory(t *testing.T) {
	w := newWorld(t, "f sub/x=inside", "f .git/x=protected")
	w.resolver()
	git, err := os.Open(w.ws + "/.git")
	if err != nil {
		t.Fatal(err)
	}
	defer git.Close()
	swapping(t, w.ws+"/sub", w.ws+"/.git")
	var c tally
	c.runUntil(t, func() (bool, error) {
		_, err := writeVia(w.r, "sub/x", "written")
		return false, err
	}, func() bool { return c.refused > 0 })
	var buf [32]byte
	fd, err := unix.Openat(int(git.Fd()), "x", unix.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	n, _ := unix.Read(fd, buf[:])
	if string(buf[:n]) != "protected" {
		t.Errorf("the protected directory was written to: %q", buf[:n])
	}
}

// TestRaceFIFO swaps a file with a pipe: the read neither hangs nor reads it.
func TestRaceFIFO(t *testing.T) {
	w := newWorld(t, "f f=inside")
	w.resolver()
	if err := unix.Mkfifo(w.ws+"/pipe", 0o644); err != nil {
		t.Fatal(err)
	}
	swapping(t, w.ws+"/f", w.ws+"/pipe")
	codes := map[safepath.Code]int{}
	var c tally
	c.run(t, func() (bool, error) {
		p, err := w.r.Resolve("f", safepath.Read, safepath.File)
		if err == nil {
			defer p.Close()
			var h safepath.Handle
			if h, err = safepath.Open(p); err == nil {
				h.Close()
			}
		}
		codes[safepath.CodeOf(err)]++
		return false, err
	})
	for code := range codes {
		if code != "" && code != safepath.NotRegularFile && code != safepath.PathChanged {
			t.Errorf("code %q", code)
		}
	}
	t.Log(codes)
	if codes[""] == 0 {
		t.Errorf("the race did not happen: %v", codes)
	}
}

// TestRaceLost writes while another program replaces the file as fast as it
// can. Every version of the other program must be accounted for: it was
// replaced by the program itself, it was what a successful write was made
// from, or it is still on disk.
func TestRaceLost(t *testing.T) {
	w := newWorld(t, "f f=v0")
	w.resolver()
	seen := map[string]bool{} // versions that are accounted for
	other := otherWriter{file: w.ws + "/f", tmp: w.dir + "/w/other", stop: make(chan struct{})}
	var wg sync.WaitGroup
	wg.Go(other.run)
	n := 0
	var c tally
	c.run(t, func() (bool, error) {
		p, err := w.r.Resolve("f", safepath.Write, safepath.File)
		if err != nil {
			return false, err
		}
		defer p.Close()
		content, was, err := safepath.ReadVersion(p, readLimit)
		if err != nil {
			return false, err
		}
		n++
		_, err = safepath.Commit(p, safepath.Replacement{Content: fmt.Appendf(nil, "own%d", n), Was: was})
		if err == nil {
			seen[string(content)] = true
		} else if code := safepath.CodeOf(err); code != safepath.Stale && code != safepath.PathChanged {
			t.Fatalf("%s: %v", code, err)
		}
		return false, err
	})
	close(other.stop)
	wg.Wait()
	os.Remove(other.tmp)
	for _, version := range append(other.displaced, contents(t, w.ws)...) {
		seen[version] = true
	}
	for i := range other.versions {
		if version := fmt.Sprintf("v%d", i+1); !seen[version] {
			t.Errorf("%s was lost", version)
		}
	}
	if c.done == 0 || other.versions == 0 {
		t.Errorf("no race: %d done, %d refused, %d versions of the other", c.done, c.refused, other.versions)
	}
}

// otherWriter replaces a file by exchanges, so that it sees what it replaces.
type otherWriter struct {
	file, tmp string
	stop      chan struct{}
	versions  int
	displaced []string
}

func (o *otherWriter) run() {
	for {
		select {
		case <-o.stop:
			return
		default:
		}
		os.WriteFile(o.tmp, fmt.Appendf(nil, "v%d", o.versions+1), 0o644)
		if unix.Renameat2(unix.AT_FDCWD, o.tmp, unix.AT_FDCWD, o.file, unix.RENAME_EXCHANGE) != nil {
			continue
		}
		o.versions++
		b, _ := os.ReadFile(o.tmp)
		o.displaced = append(o.displaced, string(b))
		os.Remove(o.tmp)
	}
}

// contents returns what the files directly in dir hold.
func contents(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(dir + "/*")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(b))
	}
	return all
}

// TestRaceWrittenInPlace: another program saves the file in place, which shows
// it empty for a moment and may go on writing to what was exchanged. After
// each of its saves the text is there, whatever our writes made of it.
func TestRaceWrittenInPlace(t *testing.T) {
	w := newWorld(t, "f f=v0")
	w.resolver()
	attempts := make(chan error)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			err := w.prefix("f", "+")
			select {
			case attempts <- err:
			case <-stop:
				return
			}
		}
	})
	saves, done := 0, 0
	for end := time.Now().Add(raceTime()); time.Now().Before(end); saves++ {
		saved := make(chan error)
		text := fmt.Sprintf("v%d", saves)
		go func() { saved <- os.WriteFile(w.ws+"/f", []byte(text), 0o644) }()
		// What is under way when the save ends may fail; the two after it see it.
		for left := 3; left > 0; {
			select {
			case err := <-saved:
				if err != nil {
					t.Fatal(err)
				}
				saved = nil
			case err := <-attempts:
				if err == nil {
					done++
				}
				if saved == nil {
					left--
				}
			}
		}
		if b, err := os.ReadFile(w.ws + "/f"); err != nil || strings.TrimLeft(string(b), "+") != text {
			t.Errorf("%q, %v after %q was saved", b, err, text)
		}
	}
	close(stop)
	wg.Wait()
	t.Logf("%d saves, %d writes", saves, done)
	if done == 0 {
		t.Error("no write went through")
	}
}

// prefix puts one mark in front of a file, in place of those that are there.
func (w *world) prefix(raw, mark string) error {
	p, err := w.r.Resolve(raw, safepath.Write, safepath.File)
	if err != nil {
		return err
	}
	defer p.Close()
	content, was, err := safepath.ReadVersion(p, readLimit)
	if err != nil {
		return err
	}
	text := strings.TrimPrefix(string(content), mark)
	if text == string(content) {
		text = mark + text
	}
	_, err = safepath.Commit(p, safepath.Replacement{Content: []byte(text), Was: was})
	return err
}
