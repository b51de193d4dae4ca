package memory_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"septet/backend"
	"septet/backend/backendtest"
	"septet/backend/memory"
	"septet/safepath"
)

// The fake passes the suite of real backends.
func TestProcess(t *testing.T) {
	out := func(text string) []memory.Print { return []memory.Print{{Stream: backend.Stdout, Text: text}} }
	fake := &memory.Processes{Scripts: map[string]memory.Script{
		backendtest.ScriptQuiet:  {ExitCode: 7},
		backendtest.ScriptSignal: {Signal: "SIGSEGV"},
		backendtest.ScriptBoth: {ExitCode: 3, Prints: []memory.Print{
			{Stream: backend.Stdout, Text: "out\n"}, {Stream: backend.Stderr, Text: "err\n"},
		}},
		backendtest.ScriptWaits:  {Prints: out("ready\n"), Runs: time.Minute},
		backendtest.ScriptDeaf:   {Prints: out("ready\n"), Runs: time.Hour, Grace: time.Hour},
		backendtest.ScriptLeaves: {ExitCode: 2, Leftover: []string{"sleep"}},
		backendtest.ScriptLong:   {Prints: out(backendtest.LongOutput())},
		backendtest.ScriptSlow: {Prints: []memory.Print{
			{Stream: backend.Stdout, Text: "1\n"},
			{Stream: backend.Stdout, Text: "2\n", After: 150 * time.Millisecond},
			{Stream: backend.Stdout, Text: "3\n", After: 150 * time.Millisecond},
		}},
	}}
	p := place(t, memory.NewVolume())
	backendtest.TestProcess(t, backendtest.ProcessPlace{Process: fake, Dir: func(t *testing.T) *safepath.CheckedPath {
		dir, err := p.Resolver.Resolve(p.Root, safepath.Read, safepath.Directory)
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}, Install: install(fake)})
}

// install stands for writing a file: each time it has another identity.
func install(fake *memory.Processes) func(*testing.T, string, string, string, bool) string {
	written := 0
	fake.Programs = map[string]string{}
	return func(_ *testing.T, key, name, _ string, executable bool) string {
		dir := "/bin/" + key
		if written++; executable {
			fake.Programs[dir+"/"+name] = fmt.Sprint(written)
		}
		return dir
	}
}

// An outcome that cannot be confirmed is only reported once the command was
// asked to end.
func TestProcessUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		alive := []backend.Alive{{PID: 7, Name: "dd", State: "D"}}
		fake := &memory.Processes{Scripts: map[string]memory.Script{"x": {Runs: time.Minute, Alive: alive}}}
		if got, err := fake.Run(t.Context(), backend.Command{Script: "x"}); err != nil || got.Status != backend.Exited || got.Duration != time.Minute {
			t.Errorf("%+v, %v", got, err)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if got, err := fake.Run(ctx, backend.Command{Script: "x"}); err != nil || got.Status != backend.OutcomeUnknown || len(got.Alive) != 1 || got.Duration != time.Second {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
