package search

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"septet/backend"
	"septet/backend/memory"
	"septet/safepath"
)

// slowGrep is the oracle of a grep: one name after the other, every file read
// whole, every line asked about by itself.
type slowGrep struct {
	w      *world
	query  backend.GrepQuery
	re     *regexp.Regexp
	result backend.GrepResult
}

func (g *slowGrep) run(path string) backend.GrepResult {
	f, err := newFilter(g.query.Glob)
	g.w.must(err)
	at, err := g.w.search.begin(g.w.resolve(path), g.query.IncludeIgnored)
	g.w.must(err)
	defer at.close()
	t := &tree{at: at, filter: f}
	root := t.root()
	g.directory(t, root)
	return g.result
}

func (g *slowGrep) directory(t *tree, d *directory) bool {
	c, err := t.content(d, newScratch())
	g.w.must(err)
	g.result.Summary.Ignored += c.ignored
	for _, it := range c.items {
		if it.wanted && !g.file(t.at.shown(d.showing(it.name)), filepath.Join(g.w.root, t.at.below[0], d.path, it.name)) {
			return false
		}
		if !it.enter {
			continue
		}
		in, err := t.enter(d, it)
		g.w.must(err)
		more := g.directory(t, in)
		in.release()
		if !more {
			return false
		}
	}
	return true
}

func (g *slowGrep) file(shown, path string) bool {
	content, err := os.ReadFile(path)
	g.w.must(err)
	if bytes.IndexByte(content, 0) >= 0 {
		g.result.Summary.Binary++
		return true
	}
	g.result.Summary.Files++
	lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	if len(content) == 0 {
		lines = nil
	}
	var matches []backend.Match
	free := 1 // the first line that no match has shown
	for i, l := range lines {
		l = strings.TrimSuffix(l, "\r")
		if !g.re.MatchString(l) {
			continue
		}
		m := backend.Match{Path: shown, Line: i + 1, Text: l}
		for n := max(free, i+1-g.query.Context); n <= i; n++ {
			m.Before = append(m.Before, strings.TrimSuffix(lines[n-1], "\r"))
		}
		last := g.query.Mode == backend.GrepContent && len(g.result.Matches)+len(matches)+1 == g.query.MaxResults
		free = i + 2
		for n := i + 2; n <= len(lines) && n <= i+1+g.query.Context; n++ {
			text := strings.TrimSuffix(lines[n-1], "\r")
			if g.re.MatchString(text) && !last {
				break
			}
			m.After = append(m.After, text)
			free = n + 1
		}
		matches = append(matches, m)
		if last || g.query.Mode == backend.GrepFiles {
			break
		}
	}
	if len(matches) == 0 {
		return true
	}
	return g.add(shown, matches)
}

func (g *slowGrep) add(shown string, matches []backend.Match) bool {
	r := &g.result
	r.FileCount++
	r.MatchCount += int64(len(matches))
	full := r.FileCount == g.query.MaxResults
	switch g.query.Mode {
	case backend.GrepFiles:
		r.Files = append(r.Files, shown)
	case backend.GrepCount:
		r.Counts = append(r.Counts, backend.FileCount{Path: shown, Count: int64(len(matches))})
	default:
		r.Matches = append(r.Matches, matches...)
		full = len(r.Matches) == g.query.MaxResults
	}
	if full {
		r.Summary.Stopped = backend.StoppedAtLimit
	}
	return !full
}

// randomTree makes a tree of a few hundred files in "t".
func randomTree(t *testing.T, seed uint64) *world {
	r := rand.New(rand.NewPCG(seed, 9))
	w := newWorld(t, "t/")
	words := []string{"alpha", "beta", "gamma", "delta", "needle", "Needle", "", "x", "foo(bar)", "end"}
	var fill func(dir string, depth int)
	fill = func(dir string, depth int) {
		for i := range 3 + r.IntN(12) {
			name := fmt.Sprintf("%s/%c%d", dir, 'a'+rune(r.IntN(26)), i)
			switch k := r.IntN(12); {
			case k < 4 && depth < 4:
				w.make(name + "/")
				fill(name, depth+1)
			case k == 4:
				w.make(name + "=a\x00b")
			case k == 5:
				w.make(dir + "/.gitignore=*" + fmt.Sprint(r.IntN(10)) + "\n")
			default:
				var b strings.Builder
				for range r.IntN(30) {
					b.WriteString(words[r.IntN(len(words))] + " " + words[r.IntN(len(words))] + []string{"\n", "\n", "\r\n"}[r.IntN(3)])
				}
				if r.IntN(3) == 0 {
					b.WriteString("needle without a line end")
				}
				w.make(name + "=" + b.String())
			}
		}
	}
	fill("t", 0)
	return w
}

// TestAgainstSlowGrep: every mode, limit, context and filter, with one, two
// and eight workers, gives what the oracle gives, counts included.
func TestAgainstSlowGrep(t *testing.T) {
	for seed := range uint64(4) {
		w := randomTree(t, seed)
		r := rand.New(rand.NewPCG(seed, 1))
		for range 40 {
			q := backend.GrepQuery{
				Pattern:    []string{"needle", "(?i)needle$", "^x", "alpha|delta", "foo\\(", "e.*e", "nothing at all", "^$", "end$"}[r.IntN(9)],
				Mode:       []backend.GrepMode{backend.GrepContent, backend.GrepContent, backend.GrepFiles, backend.GrepCount}[r.IntN(4)],
				MaxResults: []int{1, 2, 7, 50, 2000}[r.IntN(5)], Glob: []string{"", "", "*1", "t/**/b*", "*[!3-6]"}[r.IntN(5)], IncludeIgnored: r.IntN(4) == 0,
			}
			if q.Mode == backend.GrepContent {
				q.Context = []int{0, 0, 1, 3, 10}[r.IntN(5)]
			}
			slow := slowGrep{w: w, query: q, re: regexp.MustCompile(q.Pattern)}
			want := slow.run("t")
			for _, workers := range []int{1, 2, 8} {
				w.search = New(Config{Workers: workers})
				got, err := w.search.Grep(t.Context(), w.resolve("t"), q)
				w.must(err)
				if shown(got) != shown(want) || got.Summary != want.Summary || got.MatchCount != want.MatchCount || got.FileCount != want.FileCount {
					t.Fatalf("seed %d, %d workers, %+v:\ngot  %+v %d %d %.2000s\nwant %+v %d %d %.2000s", seed, workers, q, got.Summary, got.MatchCount, got.FileCount, shown(got), want.Summary, want.MatchCount, want.FileCount, shown(want))
				}
			}
		}
	}
}

// countingDir counts the files that are opened below it.
type countingDir struct {
	safepath.Dir
	opened *atomic.Int64
}

func (d countingDir) OpenDir(name string) (safepath.Dir, error) {
	in, err := d.Dir.OpenDir(name)
	return countingDir{in, d.opened}, err
}

func (d countingDir) OpenFile(name string) (safepath.Handle, error) {
	d.opened.Add(1)
	return d.Dir.OpenFile(name)
}

// memoryTree makes 60,000 files in 4,000 directories, all with the same line.
func memoryTree(t *testing.T) safepath.Volume {
	v := memory.NewVolume()
	for i := range 60_000 {
		if err := v.WriteFile(fmt.Sprintf("/d%04d/f%02d", i/15, i%15), "x\n", 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// TestStopsEarly: for ten results of a large tree less than a fiftieth of it
// is read.
func TestStopsEarly(t *testing.T) {
	paths, err := safepath.NewResolver(memoryTree(t), safepath.Config{WorkingDirectory: "/", Roots: []safepath.Root{{Path: "/"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2, 8} {
		p, err := paths.Resolve(".", safepath.Read, safepath.Directory)
		if err != nil {
			t.Fatal(err)
		}
		search := New(Config{Workers: workers})
		at, err := search.begin(p, false)
		if err != nil {
			t.Fatal(err)
		}
		var opened atomic.Int64
		at.folder = heldFolder{dir: countingDir{at.dir, &opened}, borrowed: true}
		q := backend.GrepQuery{Pattern: "x", Mode: backend.GrepContent, MaxResults: 10}
		e, err := compile(q)
		if err != nil {
			t.Fatal(err)
		}
		r, err := search.grep(t.Context(), at, filter{}, e, q)
		at.close()
		p.Close()
		if err != nil || len(r.Matches) != 10 || r.Matches[9].Path != "d0000/f09" {
			t.Fatalf("got %+v, %v", r, err)
		}
		if opened.Load() >= 60_000/50 {
			t.Errorf("%d workers opened %d of 60,000 files", workers, opened.Load())
		}
		t.Logf("%d workers opened %d files", workers, opened.Load())
	}
}

// brokenDir panics when a file is opened.
type brokenDir struct{ safepath.Dir }

func (brokenDir) OpenFile(string) (safepath.Handle, error) { panic("broken") }

// TestPanicReachesTheCaller: one in a worker would end the process.
func TestPanicReachesTheCaller(t *testing.T) {
	w := newWorld(t, "a", "b", "c")
	at, err := w.search.begin(w.resolve("."), false)
	w.must(err)
	defer at.close()
	at.folder = heldFolder{dir: brokenDir{at.dir}, borrowed: true}
	q := backend.GrepQuery{Pattern: "x", Mode: backend.GrepContent, MaxResults: 10}
	e, err := compile(q)
	w.must(err)
	defer func() {
		if value := recover(); value == nil || !strings.HasPrefix(value.(string), "broken") {
			t.Errorf("recovered %v", value)
		}
	}()
	w.search.grep(t.Context(), at, filter{}, e, q)
}
