package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"septet/backend/local"
	"septet/internal/cli"
	"septet/session"
	"septet/tools"
	"septet/toolset"
)

func TestMain(m *testing.M) {
	// First: the supervisor of a command is the test binary too.
	shim := local.ShimMain()
	testscript.Main(m, map[string]func(){
		"septet": main,
		// The same program with one more tool, which is never in the product.
		"septet-faulty": func() { os.Exit(cli.Main(cli.Program{Register: registerFaulty, Shim: shim})) },
	})
}

func registerFaulty(r *toolset.Registry, c tools.Config) {
	tools.Register(r, c)
	toolset.Register(r, faulty{})
}

// faulty is a tool with a bug.
type faulty struct{}

type (
	faultyInput struct {
		Ignored string `json:"ignored,omitempty" jsonschema_description:"Does nothing."`
	}
	faultyOutput struct {
		Nothing string `json:"nothing" jsonschema_description:"Nothing."`
	}
)

func (faultyOutput) Text() string { return "never" }

func (faulty) Spec() toolset.Spec {
	return toolset.Spec{ID: "faulty", Title: "Faulty", Description: "Panics.", Risk: toolset.RiskRead}
}

func (faulty) Effects(context.Context, *session.SessionContext, faultyInput) ([]session.Effect, error) {
	return nil, nil
}

func (faulty) Call(context.Context, *session.SessionContext, *session.CallContext, faultyInput) (faultyOutput, error) {
	panic("a bug of this tool")
}

// TestScripts runs the scenarios in testdata/script: whole processes that
// speak real frames.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error { // there is no home to keep the journal in
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.Getenv("TMPDIR"), "state"))
			// A PATH with these programs and nothing else.
			e.Setenv("PROGRAMS", filepath.SplitList(e.Getenv("PATH"))[0])
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"frames": frames,
			"exits":  exits,
		},
	})
}

// frames has a conversation with a server, in the current directory:
//
//	frames [-with PROGRAM] FILE [flags of serve]
//
// What the server wrote to stderr is left in $TMPDIR/stderr.
func frames(ts *testscript.TestScript, negated bool, args []string) {
	program := "septet"
	if len(args) > 1 && args[0] == "-with" {
		program, args = args[1], args[2:]
	}
	if negated || len(args) == 0 {
		ts.Fatalf("usage: frames [-with PROGRAM] FILE [flags of serve]")
	}
	steps := strings.ReplaceAll(ts.ReadFile(args[0]), "${WORK}", ts.Getenv("WORK"))
	path := lookPath(ts, program)
	process := exec.Command(path, append([]string{"serve"}, args[1:]...)...)
	process.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "WORK", "XDG_STATE_HOME", "SECRET_TOKEN"} {
		if value := ts.Getenv(name); value != "" {
			process.Env = append(process.Env, name+"="+value)
		}
	}
	stderr, err := converse(steps, process)
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("TMPDIR"), "stderr"), []byte(stderr), 0o600))
	if err != nil {
		ts.Fatalf("%s: %v\nstderr:\n%s", args[0], err, stderr)
	}
}

// exits runs a program and compares its exit code; the output is left for
// stdout and stderr:
//
//	exits CODE PROGRAM [args]
func exits(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [args]")
	}
	code := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		code = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, not %s", code, args[0])
	}
}

// lookPath finds a program as the script would, not as the test process does.
func lookPath(ts *testscript.TestScript, program string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		path := filepath.Join(dir, program)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	ts.Fatalf("%s is not in PATH", program)
	return ""
}
