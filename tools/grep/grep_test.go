package grep

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"septet/backend"
	"septet/internal/tooltest"
	"septet/session"
	"septet/toolset"
)

func TestText(t *testing.T) {
	sc := tooltest.NewSearchSession(t, map[string]string{"a.go": "one\ntwo\nthree\nfour\nfive\n", "src/b.go": "two\n", "bin": "a\x00", "src/.gitignore": "gen*\n", "src/gen.go": "two\n", "src/gen2.go": "two"})
	for _, c := range []struct {
		name string
		in   Input
		want string
	}{
		{"content", Input{Pattern: "two"}, "a.go\n2: two\n\nsrc/b.go\n1: two\n\n[2 matches in 2 files; skipped 1 binary]"},
		{"context", Input{Pattern: "two|five", Path: "a.go", Context: 1}, "a.go\n1- one\n2: two\n3- three\n4- four\n5: five\n\n[2 matches in 1 file]"},
		{"files", Input{Pattern: "two", Mode: "files_with_matches"}, "a.go\nsrc/b.go\n[2 matches in 2 files; skipped 1 binary]"},
		{"count", Input{Pattern: "t", Mode: "count"}, "a.go: 2\nsrc/b.go: 1\n[3 matches in 2 files; skipped 1 binary]"},
		{"limit", Input{Pattern: "t", MaxResults: 1}, "a.go\n2: two\n\n[1 match in 1 file; stopped at maxResults]"},
		{"nothing", Input{Pattern: "x", Path: "src"}, "No matches for /x/ in src (2 files searched; 2 ignored: includeIgnored=true searches them)"},
		{"nothing, skipped", Input{Pattern: "x", Path: "bin"}, "No matches for /x/ in bin (0 files searched; skipped 1 binary)"},
		{"ignored too", Input{Pattern: "two", Path: "src", Mode: "count", IncludeIgnored: true}, "src/b.go: 1\nsrc/gen.go: 1\nsrc/gen2.go: 1\n[3 matches in 3 files]"},
	} {
		if c.in.Mode == "" {
			c.in.Mode = "content"
		}
		if c.in.Path == "" {
			c.in.Path = "."
		}
		if c.in.MaxResults == 0 {
			c.in.MaxResults = 100
		}
		out, err := Tool{}.Call(t.Context(), sc, session.NewCall("1", nil), c.in)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := out.Text(); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestSummaryTexts(t *testing.T) {
	o := Output{FileCount: 14, MatchCount: 1100, Stopped: "maxResults", FilesSearched: 1204, Skipped: Skipped{Binary: 3, TooLarge: 1, Unreadable: 2}, timeout: 30 * time.Second, pattern: "x", path: "src"}
	check := func(want string) {
		t.Helper()
		if got := o.Text(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	check("[1,100 matches in 14 files; stopped at maxResults; skipped 3 binary, 1 too large, 2 unreadable]")
	o.Skipped, o.Stopped = Skipped{}, "timeout"
	check("[1,100 matches in 14 files; timed out after 30 s, 1,204 files searched]")
	o.Stopped = "bytes"
	check("[1,100 matches in 14 files; stopped at 256 KiB of text]")
	o.FileCount, o.Stopped, o.Skipped.Ignored = 0, "", 5310
	check("No matches for /x/ in src (1,204 files searched; 5,310 ignored: includeIgnored=true searches them)")
	o.Stopped, o.Skipped.Ignored = "timeout", 0
	check("No matches for /x/ in src (timed out after 30 s, 1,204 files searched)")
}

func TestStructured(t *testing.T) {
	sc := tooltest.NewSearchSession(t, map[string]string{"a": "x\n"})
	for mode, want := range map[string]string{
		"content":            `{"matches":[],"matchCount":0,"fileCount":0,"filesSearched":1,"skipped":{"binary":0,"tooLarge":0,"unreadable":0,"ignored":0}}`,
		"files_with_matches": `{"files":[],"matchCount":0,"fileCount":0,"filesSearched":1,"skipped":{"binary":0,"tooLarge":0,"unreadable":0,"ignored":0}}`,
		"count":              `{"counts":[],"matchCount":0,"fileCount":0,"filesSearched":1,"skipped":{"binary":0,"tooLarge":0,"unreadable":0,"ignored":0}}`,
	} {
		out, err := Tool{}.Call(t.Context(), sc, session.NewCall("1", nil), Input{Pattern: "y", Path: ".", Mode: mode, MaxResults: 1})
		got, _ := json.Marshal(out)
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v", mode, got, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	sc := tooltest.NewSearchSession(t, map[string]string{"a": ""})
	for _, c := range []struct {
		in   Input
		want toolset.Code
	}{
		{Input{Pattern: "a", Path: ".", Mode: "content", MaxResults: 0}, toolset.InvalidArguments},
		{Input{Pattern: "a", Path: ".", Mode: "content", MaxResults: 2001}, toolset.InvalidArguments},
		{Input{Pattern: "a", Path: ".", Mode: "content", MaxResults: 1, Context: 11}, toolset.InvalidArguments},
		{Input{Pattern: "a", Path: ".", Mode: "lines", MaxResults: 1}, toolset.InvalidArguments},
		{Input{Pattern: "a", Path: "..", Mode: "content", MaxResults: 1}, toolset.OutsideRoot},
		{Input{Pattern: "a", Path: "b", Mode: "content", MaxResults: 1}, toolset.NotFound},
		{Input{Pattern: "(", Path: ".", Mode: "content", MaxResults: 1}, backend.InvalidPattern},
		{Input{Pattern: "a", Path: ".", Glob: "../*", Mode: "content", MaxResults: 1}, toolset.OutsideRoot},
	} {
		_, err := Tool{}.Call(t.Context(), sc, session.NewCall("1", nil), c.in)
		if err == nil || toolset.AsError(err).Code != c.want {
			t.Errorf("%+v: got %v, want %s", c.in, err, c.want)
		}
	}
}

// TestEarlyEnd: what was found is kept, and an end before anything was found
// is no answer.
func TestEarlyEnd(t *testing.T) {
	sc := tooltest.NewSearchSession(t, map[string]string{"a": "x\n", "b": "x\n"})
	in := Input{Pattern: "x", Path: ".", Mode: "content", MaxResults: 10}
	_, err := Tool{Timeout: time.Nanosecond}.Call(t.Context(), sc, session.NewCall("1", nil), in)
	if e := toolset.AsError(err); e.Code != toolset.Timeout || !e.HasOutput || !strings.Contains(e.Fact, "timed out after 1e-09 s, 0 files searched") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	progress := func(session.Progress) { cancel(session.ErrCancelled) }
	out, err := Tool{}.Call(ctx, sc, session.NewCall("1", progress), in)
	var e *toolset.Error
	if !errors.As(err, &e) || e.Code != toolset.Cancelled || !e.HasOutput {
		t.Errorf("got %v", err)
	}
	if want := "a\n1: x\n\n[1 match in 1 file; cancelled, 1 file searched]"; out.Text() != want {
		t.Errorf("got %s, want %s", out.Text(), want)
	}
}

func TestEffects(t *testing.T) {
	sc := tooltest.NewSearchSession(t, map[string]string{"src/a": ""})
	effects, err := Tool{}.Effects(t.Context(), sc, Input{Pattern: "x", Path: "./src/", Mode: "content", MaxResults: 1})
	if err != nil || len(effects) != 1 || effects[0].Kind != session.EffectRead || effects[0].Path != "src" {
		t.Errorf("got %+v, %v", effects, err)
	}
}
