package write_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"septet/backend"
	"septet/backend/local"
	"septet/internal/tooltest"
	"septet/session"
	"septet/tools/write"
	"septet/toolset"
)

// place is a session that the tool is called in.
type place struct{ tooltest.Place }

func newPlace(t testing.TB, files map[string]string) place {
	return place{tooltest.New(t, files)}
}

// call writes and returns the text of the answer, good or bad.
func (p place) call(t *testing.T, path, content string) (write.Output, string) {
	t.Helper()
	ctx := backend.WithProvenance(t.Context(), backend.Provenance{Session: "s", Turn: "t", CallID: "c", Tool: "write"})
	out, err := write.Tool{}.Call(ctx, p.Session, session.NewCall("c", nil), write.Input{Path: path, Content: content})
	if err != nil {
		e := toolset.AsError(err)
		return out, fmt.Sprintf("%s: %s", e.Code, e.Text())
	}
	return out, out.Text()
}

func TestWrite(t *testing.T) {
	p := newPlace(t, map[string]string{"old.go": "1\n2\n3\n"})
	for _, tt := range []struct{ path, content, want string }{
		{"src/deep/new.go", "a\nb\n", "Created src/deep/new.go (+2)"},
		{"empty", "", "Created empty (+0)"},
		{"old.go", "1\ntwo\n3\n4", "Overwrote old.go (+2 -1)"},
		{"old.go", "1\ntwo\n3\n4", "old.go unchanged: the content is identical"},
		{"old.go", "", "Overwrote old.go (+0 -4)"},
		{tooltest.Root + "/abs", "x\r\n\ufeff", "Created abs (+2)"},
	} {
		if _, got := p.call(t, tt.path, tt.content); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
		p.Holds(t, strings.TrimPrefix(tt.path, tooltest.Root+"/"), tt.content)
	}
}

func TestWriteRefuses(t *testing.T) {
	const mega = 1 << 20
	old := map[string]string{
		"bin": "a\x00", "latin1": "caf\xe9", "big": strings.Repeat("x", mega+1), "text": "old", "dir/f": "old", ".git/config": "old",
	}
	p := newPlace(t, old)
	tooltest.Check(t, p.Mkfifo(tooltest.Root+"/pipe"))
	for _, tt := range []struct{ path, content, want string }{
		{"text", "a\x00b", "binary: content for text holds a NUL at byte offset 1; only text can be written"},
		{"new", strings.Repeat("x", mega+1), "too_large: content for new is 1048577 bytes; at most 1048576 can be written"},
		{"bin", "x", "binary: bin is binary: unknown type, 2 bytes"},
		{"latin1", "x", "invalid_utf8: latin1 is not UTF-8: byte 0xe9 at byte offset 3"},
		{"big", "x", "too_large: big is 1048577 bytes; at most 1048576 can be written or edited"},
		{"dir", "x", "not_regular_file: "},
		{"pipe", "x", "not_regular_file: "},
		{"new/", "x", "invalid_path: "},
		{".git/config", "x", "protected_path: "},
		{"../out", "x", "outside_roots: "},
		{".", "x", "invalid_path: "},
		{"text/below", "x", "not_directory: "},
	} {
		if _, got := p.call(t, tt.path, tt.content); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.path, got, tt.want)
		}
	}
	for name, content := range old {
		p.Holds(t, name, content)
	}
	names, err := p.Names(tooltest.Root)
	if want := "[.git big bin dir latin1 pipe text]"; err != nil || fmt.Sprint(names) != want {
		t.Errorf("names %v (%v), want %v", names, err, want)
	}
}

func TestWriteEffects(t *testing.T) {
	p := newPlace(t, map[string]string{"old": "x"})
	for path, want := range map[string]session.Effect{
		"old":   {Kind: session.EffectWrite, Path: "old"},
		"a/new": {Kind: session.EffectCreate, Path: "a/new"},
	} {
		got, err := write.Tool{}.Effects(t.Context(), p.Session, write.Input{Path: path})
		if err != nil || len(got) != 1 || got[0].Kind != want.Kind || got[0].Path != want.Path {
			t.Errorf("%s: %+v (%v), want %+v", path, got, err, want)
		}
	}
	if _, err := (write.Tool{}).Effects(t.Context(), p.Session, write.Input{Path: "a", Content: "\x00"}); toolset.AsError(err).Code != toolset.Binary {
		t.Errorf("effects of a NUL: %v", err)
	}
	if names, _ := p.Names(tooltest.Root); fmt.Sprint(names) != "[old]" {
		t.Errorf("effects left %v", names)
	}
}

// TestWriteTellsTheChange: the artifact is complete and in no text.
func TestWriteTellsTheChange(t *testing.T) {
	p := newPlace(t, map[string]string{"f": "old\n"})
	out, text := p.call(t, "f", "new\n")
	artifacts := out.Artifacts()
	if len(artifacts) != 1 || strings.Contains(text, "new") {
		t.Fatalf("artifacts %+v, text %q", artifacts, text)
	}
	change := artifacts[0].(toolset.FileChange)
	if change.Kind != "file_change" || change.Path != "f" || change.Change != "modified" || change.Tool != "write" ||
		change.Session != "s" || change.Turn != "t" || change.CallID != "c" || len(change.Hunks) != 1 ||
		*change.BeforeSHA256 == *change.AfterSHA256 || change.ModeBefore != "0644" {
		t.Errorf("change %+v", change)
	}
	structured, err := json.Marshal(out)
	if want := `{"path":"f","change":"modified","added":1,"removed":1}`; err != nil || string(structured) != want {
		t.Errorf("structured %s (%v), want %s", structured, err, want)
	}
	if out, _ := p.call(t, "f", "new\n"); len(out.Artifacts()) != 0 || out.Change != "unchanged" {
		t.Errorf("an unchanged file gave %+v", out)
	}
}

// TestWriteSaysWhatWasNotKept: one sentence for each thing worth knowing.
func TestWriteSaysWhatWasNotKept(t *testing.T) {
	p := newPlace(t, map[string]string{"f": "old"})
	tooltest.Check(t, p.Link(tooltest.Root+"/f", tooltest.Root+"/g"))
	tooltest.Check(t, p.Chmod(tooltest.Root+"/f", 0o755|fs.ModeSetuid))
	p.ForbidExchange()
	out, text := p.call(t, "f", "new")
	want := "Overwrote f (+1 -1)\n" +
		"This file system has no atomic exchange: a change made by another program at the same instant could be lost.\n" +
		"One other name of the old file keeps the old content.\n" +
		"The setuid and setgid bits were dropped."
	if text != want || out.HardLinks != 1 || !out.ReplaceWindow || !out.DroppedSetID {
		t.Errorf("%+v\ngot  %s\nwant %s", out, text, want)
	}
}

// TestWriteSaysWhatFormIsLost: the content is written as given all the same.
func TestWriteSaysWhatFormIsLost(t *testing.T) {
	const mark = "The old file began with a byte order mark (U+FEFF); the new content does not."
	const ends = "The old file had CRLF line ends; the new content has LF."
	for _, tt := range []struct{ old, content, want string }{
		{"\ufeffa\r\n", "b\n", "Overwrote f (+1 -1)\n" + mark + "\n" + ends},
		{"\ufeffa\n", "\ufeffb\n", "Overwrote f (+1 -1)"},
		{"a\r\nb\r\n", "c\r\n", "Overwrote f (+1 -2)"},
		{"a\r\n", "", "Overwrote f (+0 -1)"},
	} {
		p := newPlace(t, map[string]string{"f": tt.old})
		if _, got := p.call(t, "f", tt.content); got != tt.want {
			t.Errorf("%q over %q: got %q, want %q", tt.content, tt.old, got, tt.want)
		}
		p.Holds(t, "f", tt.content)
	}
}

func TestWriteOnDisk(t *testing.T) {
	dir := t.TempDir()
	p := place{tooltest.Place{Session: tooltest.NewSession(t, backend.Operations{Files: local.Files()}, dir)}}
	if _, got := p.call(t, "a/b", "x\n"); got != "Created a/b (+1)" {
		t.Error(got)
	}
	if _, got := p.call(t, "a/b", "y\n"); got != "Overwrote a/b (+1 -1)" {
		t.Error(got)
	}
	content, err := os.ReadFile(dir + "/a/b")
	if err != nil || string(content) != "y\n" {
		t.Errorf("%q, %v", content, err)
	}
}

// TestCallByName: the arguments arrive from JSON, with their defaults.
func TestCallByName(t *testing.T) {
	var r toolset.Registry
	toolset.Register(&r, write.Tool{})
	p := newPlace(t, map[string]string{"f": "a\nb\n"})
	set, err := r.Finalize(p.Session, toolset.Selection{})
	tooltest.Check(t, err)
	result, err := set.Call(t.Context(), session.NewCall("c", nil), "write", []byte(`{"path":"f","content":"x"}`))
	if want := "Overwrote f (+1 -2)"; err != nil || result.Text != want {
		t.Errorf("got %q (%v), want %q", result.Text, err, want)
	}
}
