package edit_test

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"septet/backend"
	"septet/backend/local"
	"septet/internal/tooltest"
	"septet/session"
	"septet/tools/edit"
	"septet/toolset"
)

// place is a session that the tool is called in.
type place struct{ tooltest.Place }

func newPlace(t testing.TB, files map[string]string) place {
	return place{tooltest.New(t, files)}
}

// call edits and returns the text of the answer, good or bad.
func (p place) call(t *testing.T, in edit.Input) (edit.Output, string) {
	t.Helper()
	out, err := edit.Tool{}.Call(t.Context(), p.Session, session.NewCall("c", nil), in)
	if err != nil {
		e := toolset.AsError(err)
		return out, fmt.Sprintf("%s: %s", e.Code, e.Text())
	}
	return out, out.Text()
}

func TestEdit(t *testing.T) {
	p := newPlace(t, map[string]string{"src/a.go": "1\n2\n3\n4\n5\n", "lib.go": "a\nb a\na\n", "dos": "a\r\nb\r\n"})
	for _, tt := range []struct {
		in         edit.Input
		text, left string
	}{
		{edit.Input{Path: "src/a.go", OldText: "2\n3\n", NewText: "two\nthree\nmore\n"}, "Edited src/a.go:2-4 (+3 -2)", "1\ntwo\nthree\nmore\n4\n5\n"},
		{edit.Input{Path: "src/a.go", OldText: "more\n"}, "Edited src/a.go:4 (+0 -1)", "1\ntwo\nthree\n4\n5\n"},
		{edit.Input{Path: "lib.go", OldText: "a", NewText: "c", ReplaceAll: true}, "Replaced 3 occurrences in lib.go (+3 -3)", "c\nb c\nc\n"},
		{edit.Input{Path: "dos", OldText: "a\nb\n", NewText: "x\ny\n"}, "Edited dos:1-2 (+2 -2)\nThe file has CRLF line ends: oldText was matched and newText inserted with CRLF.", "x\r\ny\r\n"},
		{edit.Input{Path: "new/f", NewText: "a\nb\n"}, "Created new/f (+2)", "a\nb\n"},
	} {
		if _, got := p.call(t, tt.in); got != tt.text {
			t.Errorf("got %q, want %q", got, tt.text)
		}
		p.Holds(t, tt.in.Path, tt.left)
	}
}

func TestEditRefuses(t *testing.T) {
	old := map[string]string{"f": "a\nb\na\n", "README.md": "x", "bin": "\x00a", ".git/config": "a"}
	p := newPlace(t, old)
	for _, tt := range []struct {
		in   edit.Input
		want string
	}{
		{edit.Input{Path: "f", OldText: "c", NewText: "d"}, "no_match: oldText is not in f, nor anything like it"},
		{edit.Input{Path: "f", OldText: "a", NewText: "d"}, "many_matches: oldText occurs 2 times in f: lines 1, 3\nhint: "},
		{edit.Input{Path: "f", OldText: "b", NewText: "b"}, "no_change: oldText and newText are the same; f was not changed"},
		{edit.Input{Path: "f", NewText: "d"}, "exists: f exists; an empty oldText only creates a new file\nhint: "},
		{edit.Input{Path: "f"}, "exists: "},
		{edit.Input{Path: "f", OldText: "b", NewText: "\x00"}, "binary: newText for f holds a NUL at byte offset 0; only text can be written"},
		{edit.Input{Path: "f", OldText: "b", NewText: strings.Repeat("x", 1<<20)}, "too_large: f would become 1048581 bytes"},
		{edit.Input{Path: "readme.md", OldText: "x", NewText: "y"}, "not_found: "},
		{edit.Input{Path: "bin", OldText: "a", NewText: "y"}, "binary: bin is binary"},
		{edit.Input{Path: ".git/config", OldText: "a", NewText: "y"}, "protected_path: "},
		{edit.Input{Path: "../f", OldText: "a", NewText: "y"}, "outside_roots: "},
	} {
		if _, got := p.call(t, tt.in); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%+.60v: got %q, want %q", tt.in, got, tt.want)
		}
	}
	if _, got := p.call(t, edit.Input{Path: "readme.md", OldText: "x", NewText: "y"}); !strings.Contains(got, "README.md") {
		t.Errorf("no close name in %q", got)
	}
	for name, content := range old {
		p.Holds(t, name, content)
	}
	if names, _ := p.Names(tooltest.Root); fmt.Sprint(names) != "[.git README.md bin f]" {
		t.Errorf("left %v", names)
	}
}

func TestEditEffects(t *testing.T) {
	p := newPlace(t, map[string]string{"f": "x"})
	for _, tt := range []struct {
		in   edit.Input
		want string
	}{
		{edit.Input{Path: "f", OldText: "x", NewText: "y"}, "write f"},
		{edit.Input{Path: "new", NewText: "y"}, "create new"},
		{edit.Input{Path: "f", NewText: "y"}, "exists"},
		{edit.Input{Path: "new", OldText: "x"}, "not_found"},
		{edit.Input{Path: "f", OldText: "x", NewText: "x"}, "no_change"},
		{edit.Input{Path: "../f", OldText: "x"}, "outside_roots"},
	} {
		effects, err := edit.Tool{}.Effects(t.Context(), p.Session, tt.in)
		got := ""
		if err != nil {
			got = string(toolset.AsError(err).Code)
		} else if len(effects) == 1 {
			got = string(effects[0].Kind) + " " + effects[0].Path
		}
		if got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.in, got, tt.want)
		}
	}
	p.Holds(t, "f", "x")
}

func TestEditTellsTheChange(t *testing.T) {
	p := newPlace(t, map[string]string{"f": "1\nold\n3\n"})
	out, text := p.call(t, edit.Input{Path: "f", OldText: "old", NewText: "new"})
	artifacts := out.Artifacts()
	if len(artifacts) != 1 || strings.Contains(text, "new") {
		t.Fatalf("artifacts %+v, text %q", artifacts, text)
	}
	change := artifacts[0].(toolset.FileChange)
	if fmt.Sprint(change.Hunks) != "[{1 3 1 3 [ 1 -old +new  3]}]" || change.Change != "modified" {
		t.Errorf("change %+v", change)
	}
	structured, err := json.Marshal(out)
	want := `{"path":"f","change":"modified","added":1,"removed":1,"firstLine":2,"lastLine":2,"replacements":1}`
	if err != nil || string(structured) != want {
		t.Errorf("structured %s (%v), want %s", structured, err, want)
	}
}

// TestParallelEdits: of 100 edits of one file at the same time none is lost.
func TestParallelEdits(t *testing.T) {
	for name, open := range map[string]func(t *testing.T, content string) (place, func() (string, error)){
		"memory": func(t *testing.T, content string) (place, func() (string, error)) {
			p := newPlace(t, map[string]string{"f": content})
			return p, func() (string, error) { return p.ReadFile(tooltest.Root + "/f") }
		},
		"disk": func(t *testing.T, content string) (place, func() (string, error)) {
			dir := t.TempDir()
			tooltest.Check(t, os.WriteFile(dir+"/f", []byte(content), 0o644))
			p := place{tooltest.Place{Session: tooltest.NewSession(t, backend.Operations{Files: local.Files()}, dir)}}
			return p, func() (string, error) {
				content, err := os.ReadFile(dir + "/f")
				return string(content), err
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after strings.Builder
			for i := range 100 {
				fmt.Fprintf(&before, "line %d.\n", i)
				fmt.Fprintf(&after, "LINE %d!\n", i)
			}
			p, content := open(t, before.String())
			var wait sync.WaitGroup
			for i := range 100 {
				wait.Go(func() {
					in := edit.Input{Path: "f", OldText: fmt.Sprintf("line %d.", i), NewText: fmt.Sprintf("LINE %d!", i)}
					if _, err := (edit.Tool{}).Call(t.Context(), p.Session, session.NewCall("c", nil), in); err != nil {
						t.Error(err)
					}
				})
			}
			wait.Wait()
			if got, err := content(); err != nil || got != after.String() {
				t.Errorf("edits were lost: %q (%v)", got, err)
			}
		})
	}
}

// TestEditNeedsNoRead: what a formatter did elsewhere in the file since it was
// last read is no reason to refuse.
func TestEditNeedsNoRead(t *testing.T) {
	p := newPlace(t, map[string]string{"f": "a\nb\n"})
	if _, got := p.call(t, edit.Input{Path: "f", OldText: "a", NewText: "A"}); got != "Edited f:1 (+1 -1)" {
		t.Error(got)
	}
	tooltest.Check(t, p.WriteFile(tooltest.Root+"/f", "A\n\n\nb\n", 0o644))
	if _, got := p.call(t, edit.Input{Path: "f", OldText: "b", NewText: "B"}); got != "Edited f:4 (+1 -1)" {
		t.Error(got)
	}
	p.Holds(t, "f", "A\n\n\nB\n")
}

// TestHugeFileIsNotLoaded: its size is looked at first.
func TestHugeFileIsNotLoaded(t *testing.T) {
	dir := t.TempDir()
	tooltest.Check(t, os.WriteFile(dir+"/f", []byte("a"), 0o644))
	tooltest.Check(t, os.Truncate(dir+"/f", 1<<40))
	p := place{tooltest.Place{Session: tooltest.NewSession(t, backend.Operations{Files: local.Files()}, dir)}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, got := p.call(t, edit.Input{Path: "f", OldText: "a", NewText: "b"})
	runtime.ReadMemStats(&after)
	if !strings.HasPrefix(got, "too_large: f is 1099511627776 bytes") {
		t.Errorf("got %q", got)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
}

// TestAnotherProgram: another program replaces the file all the time. Edits
// succeed or say stale, and what it wrote last is there in the end.
func TestAnotherProgram(t *testing.T) {
	dir := t.TempDir()
	p := place{tooltest.Place{Session: tooltest.NewSession(t, backend.Operations{Files: local.Files()}, dir)}}
	done, stale := 0, 0
	for round := range 20 {
		theirs := func(i int) string { return fmt.Sprintf("their %d.%d\nlog:\n", round, i) }
		tooltest.Check(t, replaceFile(dir, theirs(0)))
		last := 0
		var wait sync.WaitGroup
		wait.Go(func() {
			for last < 50 {
				last++
				if err := replaceFile(dir, theirs(last)); err != nil {
					t.Error(err)
				}
			}
		})
		for i := range 20 {
			_, got := p.call(t, edit.Input{Path: "f", OldText: "log:\n", NewText: fmt.Sprintf("log:\nours %d\n", i)})
			switch {
			case strings.HasPrefix(got, "Edited f:2"):
				done++
			case strings.HasPrefix(got, "stale: "):
				stale++
			default:
				t.Fatalf("got %q", got)
			}
		}
		wait.Wait()
		if !holdsAnywhere(t, dir, theirs(last)[:len(theirs(last))-1]) {
			t.Errorf("round %d: the last text of the other program was lost", round)
		}
	}
	t.Logf("%d edits done, %d stale", done, stale)
}

// replaceFile is what editors do: a new file under the old name.
func replaceFile(dir, content string) error {
	if err := os.WriteFile(dir+"/theirs", []byte(content), 0o644); err != nil {
		return err
	}
	return os.Rename(dir+"/theirs", dir+"/f")
}

// holdsAnywhere looks into the file and into what was kept beside it.
func holdsAnywhere(t *testing.T, dir, text string) bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	tooltest.Check(t, err)
	for _, e := range entries {
		content, err := os.ReadFile(dir + "/" + e.Name())
		tooltest.Check(t, err)
		if strings.HasPrefix(string(content), text) {
			return true
		}
	}
	return false
}

// TestCallByName: the arguments arrive from JSON, with their defaults.
func TestCallByName(t *testing.T) {
	var r toolset.Registry
	toolset.Register(&r, edit.Tool{})
	p := newPlace(t, map[string]string{"f": "a\nb\n"})
	set, err := r.Finalize(p.Session, toolset.Selection{})
	tooltest.Check(t, err)
	result, err := set.Call(t.Context(), session.NewCall("c", nil), "edit", []byte(`{"path":"f","oldText":"a","newText":"c"}`))
	if want := "Edited f:1 (+1 -1)"; err != nil || result.Text != want {
		t.Errorf("got %q (%v), want %q", result.Text, err, want)
	}
}
