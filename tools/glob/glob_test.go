package glob

import (
	"testing"
	"time"

	"septet/backend"
	"septet/internal/tooltest"
	"septet/safepath"
	"septet/session"
	"septet/toolset"
)

func TestText(t *testing.T) {
	sc := tooltest.NewSearchSession(t, map[string]string{"a.go": "", "src/b.go": "", "src/c.go": "", ".gitignore": "*.log\n", "x.log": ""})
	for _, c := range []struct {
		in   Input
		want string
	}{
		{Input{Pattern: "**/*.go"}, "a.go\nsrc/b.go\nsrc/c.go"},
		{Input{Pattern: "**/*.go", MaxResults: 2}, "a.go\nsrc/b.go\n[2 paths; stopped at maxResults]"},
		{Input{Pattern: "*.go", Path: "src", MaxResults: 1}, "src/b.go\n[1 path; stopped at maxResults]"},
		{Input{Pattern: "*/"}, "src/"},
		{Input{Pattern: "*.log"}, "No matches for *.log in . (4 names looked at; 1 ignored: includeIgnored=true searches them)"},
		{Input{Pattern: "*.log", IncludeIgnored: true}, "x.log"},
	} {
		if c.in.Path == "" {
			c.in.Path = "."
		}
		if c.in.MaxResults == 0 {
			c.in.MaxResults = 200
		}
		out, err := Tool{}.Call(t.Context(), sc, session.NewCall("1", nil), c.in)
		if err != nil {
			t.Errorf("%+v: %v", c.in, err)
		}
		if got := out.Text(); got != c.want {
			t.Errorf("%+v: got\n%s\nwant\n%s", c.in, got, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	sc := tooltest.NewSearchSession(t, map[string]string{"a": ""})
	for _, c := range []struct {
		in   Input
		want toolset.Code
	}{
		{Input{Pattern: "*", Path: ".", MaxResults: 0}, toolset.InvalidArguments},
		{Input{Pattern: "*", Path: ".", MaxResults: 2001}, toolset.InvalidArguments},
		{Input{Pattern: "../*", Path: ".", MaxResults: 1}, toolset.OutsideRoot},
		{Input{Pattern: "/**", Path: ".", MaxResults: 1}, toolset.OutsideRoot},
		{Input{Pattern: "*", Path: "..", MaxResults: 1}, toolset.OutsideRoot},
		{Input{Pattern: "*", Path: "a", MaxResults: 1}, safepath.NotDirectory},
		{Input{Pattern: "[", Path: ".", MaxResults: 1}, backend.InvalidPattern},
	} {
		_, err := Tool{}.Call(t.Context(), sc, session.NewCall("1", nil), c.in)
		if err == nil || toolset.AsError(err).Code != c.want {
			t.Errorf("%+v: got %v, want %s", c.in, err, c.want)
		}
	}
}

// TestTimeout: an end before anything was found is no answer.
func TestTimeout(t *testing.T) {
	sc := tooltest.NewSearchSession(t, map[string]string{"a": ""})
	out, err := Tool{Timeout: time.Nanosecond}.Call(t.Context(), sc, session.NewCall("1", nil), Input{Pattern: "*", Path: ".", MaxResults: 1})
	if e := toolset.AsError(err); e.Code != toolset.Timeout || !e.HasOutput {
		t.Errorf("got %v", err)
	}
	if want := "No matches for * in . (timed out after 1e-09 s, 0 names looked at)"; out.Text() != want {
		t.Errorf("got %s, want %s", out.Text(), want)
	}
}

func TestEffects(t *testing.T) {
	sc := tooltest.NewSearchSession(t, map[string]string{"src/a": ""})
	effects, err := Tool{}.Effects(t.Context(), sc, Input{Pattern: "x", Path: "./src/", MaxResults: 1})
	if err != nil || len(effects) != 1 || effects[0].Kind != session.EffectRead || effects[0].Path != "src" {
		t.Errorf("got %+v, %v", effects, err)
	}
}
