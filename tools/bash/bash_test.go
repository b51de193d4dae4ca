package bash_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"septet/backend"
	"septet/backend/memory"
	"septet/safepath"
	"septet/session"
	"septet/tools/bash"
	"septet/toolset"
)

// fake is a session in memory whose commands are scripts.
type fake struct {
	*memory.Processes
	session *session.SessionContext
}

func newFake(t *testing.T, scripts map[string]memory.Script) fake {
	t.Helper()
	v := memory.NewVolume()
	if err := errors.Join(v.MkdirAll("/work/sub", 0o755), v.WriteFile("/work/file", "x", 0o644)); err != nil {
		t.Fatal(err)
	}
	p := &memory.Processes{Scripts: scripts}
	sc, err := session.New(session.Config{
		Paths:       safepath.Config{WorkingDirectory: "/work", Roots: []safepath.Root{{Path: "/work", Writable: true}}},
		Environment: []string{"A=1"},
	}, memory.New(v, p))
	if err != nil {
		t.Fatal(err)
	}
	return fake{p, sc}
}

func (f fake) call(ctx context.Context, cc *session.CallContext, command string) (bash.Output, *toolset.Error) {
	out, err := bash.Tool{}.Call(ctx, f.session, cc, bash.Input{Command: command, TimeoutMs: 30_000, Cwd: "."})
	if err == nil {
		return out, nil
	}
	return out, toolset.AsError(err)
}

func printed(stream backend.StreamName, text string) memory.Script {
	return memory.Script{Prints: []memory.Print{{Stream: stream, Text: text}}}
}

var both = []memory.Print{{Stream: backend.Stdout, Text: "out\n"}, {Stream: backend.Stderr, Text: "err"}}

func TestText(t *testing.T) {
	rows := []struct {
		name   string
		script memory.Script
		want   string // the fake's clock is virtual, so times are exact
		code   toolset.Code
	}{
		{"nothing", memory.Script{}, "[no output]\n[exit 0; 0 ms]", ""},
		{"exit code", memory.Script{ExitCode: 7, Runs: 12 * time.Millisecond}, "[no output]\n[exit 7; 12 ms]", ""},
		{"stdout", printed(backend.Stdout, "hi\n"), "hi\n[exit 0; 0 ms]", ""},
		{"no line end", printed(backend.Stdout, "hi"), "hi\n[exit 0; 0 ms]", ""},
		{"stderr", printed(backend.Stderr, "oh\n"), "[stderr]\noh\n[exit 0; 0 ms]", ""},
		{"both", memory.Script{Prints: both, ExitCode: 1}, "out\n[stderr]\nerr\n[exit 1; 0 ms]", ""},
		{"signal", memory.Script{Signal: "SIGSEGV", Runs: 3 * time.Millisecond}, "[no output]\n[killed by SIGSEGV; 3 ms]", ""},
		{"leftover", memory.Script{Leftover: []string{"sleep"}, Runs: 22 * time.Millisecond}, "[no output]\n[exit 0; 22 ms; killed leftover: sleep]", ""},
		{"leftovers", memory.Script{Leftover: []string{"node", "sleep", "node"}}, "[no output]\n[exit 0; 0 ms; killed leftover: node x2, sleep]", ""},
		{"timeout", memory.Script{Prints: both, Runs: time.Hour}, "out\n[stderr]\nerr\n[timed out after 30000 ms; killed]", toolset.Timeout},
		{"unknown", memory.Script{Prints: both, Runs: time.Hour, Alive: []backend.Alive{{PID: 7, Name: "dd", State: "D"}}},
			"out\n[stderr]\nerr\n[outcome unknown; 30000 ms; still alive after SIGKILL: dd (pid 7, state D)]", toolset.OutcomeUnknown},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				out, err := newFake(t, map[string]memory.Script{"x": row.script}).call(t.Context(), session.NewCall("1", nil), "x")
				if got := out.Text(); got != row.want {
					t.Errorf("got  %q\nwant %q", got, row.want)
				}
				switch {
				case row.code == "" && err != nil, row.code != "" && (err == nil || err.Code != row.code || !err.HasOutput):
					t.Errorf("error %v", err)
				}
			})
		})
	}
}

func TestCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t, map[string]memory.Script{"x": {Prints: both, Runs: time.Hour, Grace: time.Second}})
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(50*time.Millisecond, func() { cancel(session.ErrCancelled) })
		out, err := f.call(ctx, session.NewCall("1", nil), "x")
		if got := out.Text(); got != "out\n[stderr]\nerr\n[cancelled; 1050 ms]" || err == nil || err.Code != toolset.Cancelled || !err.HasOutput {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

// A second cancel, and a shutdown, leave no time to tidy up.
func TestHurried(t *testing.T) {
	for name, end := range map[string]func(cancel context.CancelCauseFunc, cc *session.CallContext){
		"hurried": func(cancel context.CancelCauseFunc, cc *session.CallContext) {
			cancel(session.ErrTurnEnded)
			cc.Hurry()
			cc.Hurry()
		},
		"shutdown": func(cancel context.CancelCauseFunc, _ *session.CallContext) { cancel(session.ErrShutdown) },
	} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(t, map[string]memory.Script{"x": {Runs: time.Hour, Grace: time.Hour}})
			ctx, cancel := context.WithCancelCause(t.Context())
			cc := session.NewCall("1", nil)
			time.AfterFunc(time.Second, func() { end(cancel, cc) })
			if out, _ := f.call(ctx, cc, "x"); out.DurationMs != 1000 || out.Status != "cancelled" {
				t.Errorf("%s: %s after %d ms", name, out.Status, out.DurationMs)
			}
		})
	}
}

func TestStructured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t, map[string]memory.Script{"x": {Prints: both, Leftover: []string{"sleep"}}, "y": {Signal: "SIGABRT"}})
		for command, want := range map[string]string{
			"x": `{"status":"exited","exitCode":0,"stdout":{"text":"out\n","bytes":4,"omitted":0},"stderr":{"text":"err","bytes":3,"omitted":0},"durationMs":0,"leftover":["sleep"]}`,
			"y": `{"status":"signaled","signal":"SIGABRT","stdout":{"text":"","bytes":0,"omitted":0},"stderr":{"text":"","bytes":0,"omitted":0},"durationMs":0}`,
		} {
			out, _ := f.call(t.Context(), session.NewCall("1", nil), command)
			if got, _ := json.Marshal(out); string(got) != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
	})
}

func TestInput(t *testing.T) {
	f := newFake(t, map[string]memory.Script{"x": {}, "refused": {Refuses: errors.New("no bash")}})
	rows := []struct {
		name string
		in   bash.Input
		code toolset.Code
	}{
		{"empty", bash.Input{Command: " \n"}, toolset.InvalidArguments},
		{"NUL", bash.Input{Command: "a\x00b"}, toolset.InvalidArguments},
		{"too long", bash.Input{Command: strings.Repeat("a", backend.MaxScriptBytes+1)}, toolset.InvalidArguments},
		{"outside", bash.Input{Command: "x", Cwd: "/"}, toolset.OutsideRoot},
		{"missing directory", bash.Input{Command: "x", Cwd: "nowhere"}, toolset.NotFound},
		{"file as directory", bash.Input{Command: "x", Cwd: "file"}, safepath.NotDirectory},
		{"refused", bash.Input{Command: "refused"}, toolset.SpawnFailed},
		{"longest", bash.Input{Command: strings.Repeat("a", backend.MaxScriptBytes)}, ""},
		{"subdirectory", bash.Input{Command: "x", Cwd: "sub"}, ""},
	}
	for _, row := range rows {
		if row.in.Cwd == "" {
			row.in.Cwd = "."
		}
		row.in.TimeoutMs = 1000
		_, err := bash.Tool{}.Call(t.Context(), f.session, session.NewCall("9", nil), row.in)
		switch {
		case row.code == "" && err != nil, row.code != "" && (err == nil || toolset.AsError(err).Code != row.code):
			t.Errorf("%s: %v", row.name, err)
		}
	}
	ran := f.Ran()
	last := ran[len(ran)-1]
	if len(ran) != 2 || last.Script != "x" || last.CallID != "9" || len(last.Env) != 1 || last.Env[0] != "A=1" || last.Dir.String() != "sub" {
		t.Errorf("ran %d, the last %+v", len(ran), last)
	}
}

func TestProgress(t *testing.T) {
	var got []string
	cc := session.NewCall("1", func(p session.Progress) { got = append(got, fmt.Sprintf("%s %q %d", p.Kind, p.Chunk, p.Done)) })
	newFake(t, map[string]memory.Script{"x": {Prints: append(both, memory.Print{Stream: backend.Stdout, Text: "2"})}}).call(t.Context(), cc, "x")
	if want := `stdout "out\n" 4, stderr "err" 7, stdout "2" 8`; strings.Join(got, ", ") != want {
		t.Errorf("got %s", got)
	}
}

var gapLine = regexp.MustCompile(`(?m)^\[\.\.\. (\d+) bytes, (\d+) lines omitted; (.*) \.\.\.\]\n`)

// Long output is cut at lines; what the line in the gap says adds up.
func TestLongOutput(t *testing.T) {
	numbered := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "line %d\n", i)
		}
		return b.String()
	}
	rows := []struct {
		name           string
		stdout, stderr string
		spill          string
		cutOut, cutErr bool
	}{
		{"fits", numbered(2600), "", "", false, false},
		{"stdout", numbered(5000), "short", "/s/1.out", true, false},
		{"stderr", "short", numbered(5000), "/s/1.out", false, true},
		{"stderr may take what stdout leaves", "short", numbered(2600), "", false, false},
		{"both", numbered(5000), numbered(5000), "/s/1.out", true, true},
		{"stderr is served first", numbered(2600), numbered(900), "/s/1.out", true, false},
		{"one line", strings.Repeat("漢", 20_000), "", "/s/1.out", true, false},
		{"more than memory keeps", numbered(50_000), "", "", true, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			f := newFake(t, map[string]memory.Script{"x": {Spill: row.spill, Prints: []memory.Print{
				{Stream: backend.Stdout, Text: row.stdout}, {Stream: backend.Stderr, Text: row.stderr}}}})
			out, _ := f.call(t.Context(), session.NewCall("1", nil), "x")
			checkCut(t, out.Stdout, row.stdout, row.spill, row.cutOut)
			checkCut(t, out.Stderr, row.stderr, row.spill, row.cutErr)
			if n := len(out.Stdout.Text) + len(out.Stderr.Text); n > bash.MaxVisibleBytes+2*120 {
				t.Errorf("%d bytes shown", n)
			}
		})
	}
}

func checkCut(t *testing.T, s bash.Stream, whole, spill string, cut bool) {
	t.Helper()
	if !cut {
		if s.Text != whole || s.Omitted != 0 || s.SpillPath != "" {
			t.Errorf("%d of %d bytes shown, %d omitted, %q", len(s.Text), len(whole), s.Omitted, s.SpillPath)
		}
		return
	}
	at := gapLine.FindStringSubmatchIndex(s.Text)
	if at == nil {
		t.Fatalf("no line in the gap of %d bytes", len(s.Text))
	}
	head, tail := s.Text[:at[0]], s.Text[at[1]:]
	if !strings.HasPrefix(whole, head) {
		head = strings.TrimSuffix(head, "\n") // a line was cut, and ended
	}
	if !strings.HasPrefix(whole, head) || !strings.HasSuffix(whole, tail) {
		t.Fatalf("not the ends of the output: %q ... %q", head[len(head)-20:], tail[:20])
	}
	gap := whole[len(head) : len(whole)-len(tail)]
	if got, want := s.Text[at[2]:at[5]], fmt.Sprintf("%d bytes, %d", len(gap), strings.Count(gap, "\n")); got != want {
		t.Errorf("the gap says %s, is %s", got, want)
	}
	if s.Omitted != int64(len(gap)) || s.Bytes != int64(len(whole)) || s.SpillPath != spill {
		t.Errorf("omitted %d of %d bytes, path %q", s.Omitted, s.Bytes, s.SpillPath)
	}
	want := "full output: " + spill
	if spill == "" {
		want = "the full output could not be kept"
	}
	if got := s.Text[at[6]:at[7]]; got != want {
		t.Errorf("the gap says %q, want %q", got, want)
	}
	if strings.Contains(whole, "line ") && (!strings.HasSuffix(head, "\n") || !strings.HasPrefix(tail, "line ")) {
		t.Errorf("not cut at lines: %q ... %q", head[len(head)-20:], tail[:20])
	}
}
