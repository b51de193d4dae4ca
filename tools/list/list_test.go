package list_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"septet/backend"
	"septet/backend/local"
	"septet/internal/tooltest"
	"septet/session"
	"septet/tools/list"
	"septet/toolset"
)

// place is a session that the tool is called in.
type place struct{ tooltest.Place }

func newPlace(t testing.TB, files map[string]string) place {
	return place{tooltest.New(t, files)}
}

// call lists and returns the text of the answer, good or bad.
func (p place) call(t *testing.T, in list.Input) (list.Output, string) {
	t.Helper()
	if in.Limit == 0 {
		in.Limit = 200 // as the decoder does
	}
	out, err := list.Tool{}.Call(t.Context(), p.Session, session.NewCall("c", nil), in)
	if err != nil {
		e := toolset.AsError(err)
		return out, fmt.Sprintf("%s: %s", e.Code, e.Text())
	}
	return out, out.Text()
}

func TestList(t *testing.T) {
	p := newPlace(t, map[string]string{
		"main.go": strings.Repeat("x", 1204), "src/a": "", ".hidden": "1", "B": "", "new\nline": "", "big": strings.Repeat("x", 1234567),
		".git/config": "", ".gitignore": "main.go\n",
	})
	tooltest.Check(t, p.Symlink("releases/7", tooltest.Root+"/cur"))
	tooltest.Check(t, p.Mkfifo(tooltest.Root+"/pipe"))
	tooltest.Check(t, p.MkdirAll(tooltest.Root+"/empty", 0o755))
	for _, tt := range []struct {
		name string
		in   list.Input
		want string
	}{
		{"all", list.Input{Path: "."}, ".git/\n.gitignore  8\n.hidden  1\nB  0\nbig  1,234,567\ncur -> releases/7\nempty/\nmain.go  1,204\nnew\\u000aline  0\npipe  other\nsrc/"},
		{"a page", list.Input{Path: ".", Offset: 3, Limit: 2}, "B  0\nbig  1,234,567\n[entries 4-5 of 11; continue with offset=5]"},
		{"the last page", list.Input{Path: ".", Offset: 9, Limit: 2}, "pipe  other\nsrc/"},
		{"a directory below", list.Input{Path: "src"}, "a  0"},
		{"nothing", list.Input{Path: "empty"}, "[empty directory]"},
		{"past the end", list.Input{Path: ".", Offset: 11, Limit: 5}, "invalid_arguments: offset 11 is past the end: . has 11 entries\nhint: list {\"path\":\".\",\"offset\":6}"},
		{"past the end of nothing", list.Input{Path: "empty", Offset: 1}, "invalid_arguments: offset 1 is past the end: empty has 0 entries\nhint: leave offset out: there is nothing to skip"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, got := p.call(t, tt.in); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
	for path, code := range map[string]string{"main.go": "not_directory", "missing": "not_found", "..": "outside_roots", "cur": "not_found"} {
		if _, got := p.call(t, list.Input{Path: path}); !strings.HasPrefix(got, code+":") {
			t.Errorf("%s: %s, want %s", path, got, code)
		}
		if _, err := (list.Tool{}).Effects(t.Context(), p.Session, list.Input{Path: path}); err == nil || string(toolset.AsError(err).Code) != code {
			t.Errorf("effects of %s: %v, want %s", path, err, code)
		}
	}
}

func TestListManyEntries(t *testing.T) {
	files := map[string]string{}
	for i := range 1431 {
		files[fmt.Sprintf("f%04d", i)] = ""
	}
	p := newPlace(t, files)
	out, text := p.call(t, list.Input{Path: "."})
	if !strings.HasSuffix(text, "\nf0199  0\n[entries 1-200 of 1,431; continue with offset=200]") || out.Total != 1431 || len(out.Entries) != 200 {
		t.Errorf("%d of %d: ...%s", len(out.Entries), out.Total, text[len(text)-80:])
	}
}

func TestListFields(t *testing.T) {
	p := newPlace(t, map[string]string{"f": "", "d/x": ""})
	tooltest.Check(t, p.Symlink("f", tooltest.Root+"/l"))
	out, _ := p.call(t, list.Input{Path: ".", Offset: 1})
	got, err := json.Marshal(out)
	want := `{"entries":[{"name":"f","kind":"file","size":0},{"name":"l","kind":"symlink","target":"f"}],"offset":1,"total":3}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s (%v)\nwant %s", got, err, want)
	}
	out, _ = p.call(t, list.Input{Path: "d", Offset: 0, Limit: 1})
	if got, _ := json.Marshal(out); string(got) != `{"entries":[{"name":"x","kind":"file","size":0}],"offset":0,"total":1}` {
		t.Errorf("got %s", got)
	}
}

func TestListOnDisk(t *testing.T) {
	dir := t.TempDir()
	tooltest.Check(t, os.WriteFile(dir+"/b", []byte("12"), 0o644))
	tooltest.Check(t, os.Mkdir(dir+"/a", 0o755))
	p := place{tooltest.Place{Session: tooltest.NewSession(t, backend.Operations{Files: local.Files()}, dir)}}
	if _, got := p.call(t, list.Input{Path: "."}); got != "a/\nb  2" {
		t.Errorf("got %q", got)
	}
}

// TestCallByName: the arguments arrive from JSON, with their defaults.
func TestCallByName(t *testing.T) {
	var r toolset.Registry
	toolset.Register(&r, list.Tool{})
	p := newPlace(t, map[string]string{"f": "a\nb\n"})
	set, err := r.Finalize(p.Session, toolset.Selection{})
	tooltest.Check(t, err)
	result, err := set.Call(t.Context(), session.NewCall("c", nil), "list", []byte(`{}`))
	if want := "f  4"; err != nil || result.Text != want {
		t.Errorf("got %q (%v), want %q", result.Text, err, want)
	}
}
