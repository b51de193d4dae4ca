//go:build linux

package bash_test

import (
	"strings"
	"testing"

	"septet/backend/memory"
	"septet/safepath"
	"septet/session"
	"septet/tools/bash"
	"septet/tools/bash/shell"
)

// saysVersion is a program that prints line for --version.
func saysVersion(processes *memory.Processes, program, identity, line string) {
	processes.Programs["/usr/bin/"+program] = identity
	processes.Scripts[program+" --version 2>&1"] = memory.Script{Prints: []memory.Print{{Stream: "stdout", Text: line + "\nmore\n"}}}
}

// TestVersionDecides: a program is recognised while it is of a version that
// its row was written from, is asked once, and again when it is another file.
func TestVersionDecides(t *testing.T) {
	v := memory.NewVolume()
	if err := v.MkdirAll("/work", 0o755); err != nil {
		t.Fatal(err)
	}
	processes := &memory.Processes{Scripts: map[string]memory.Script{}, Programs: map[string]string{}}
	sc, err := session.New(session.Config{
		Paths: safepath.Config{WorkingDirectory: "/work", Roots: []safepath.Root{{Path: "/work", Writable: true}}},
	}, memory.New(v, processes))
	if err != nil {
		t.Fatal(err)
	}
	tool := bash.New()
	mustDecide := func(command, rule string) {
		t.Helper()
		effects, err := tool.Effects(t.Context(), sc, bash.Input{Command: command, Cwd: "."})
		if d := session.Decide(session.Profile{}, effects); err != nil || d.Rule != rule {
			t.Errorf("%s: %+v, want %s; %+v %v", command, d, rule, effects, err)
		}
	}
	mustDecide("rg x", "readonly:rg") // absent: nothing runs
	saysVersion(processes, "rg", "1", "ripgrep 13.0.0")
	mustDecide("rg x", "readonly:rg")
	mustDecide("rg -n x | rg y", "readonly:rg")
	if n := len(processes.Ran()); n != 1 {
		t.Errorf("asked %d times", n)
	}
	saysVersion(processes, "rg", "2", "ripgrep 16.0.0")
	mustDecide("rg x", "ask:version")
	saysVersion(processes, "rg", "3", "ripgrep 15.1.0 (rev af60c2de9d)")
	mustDecide("rg x", "readonly:rg")
	saysVersion(processes, "ls", "4", "BusyBox v1.36.1 (Debian 1:1.36.1-9) multi-call binary.")
	mustDecide("ls", "ask:version")
	processes.Programs["/bin/cat"] = "5" // says nothing, exit 127
	processes.Scripts["cat --version 2>&1"] = memory.Script{}
	mustDecide("cat x", "ask:version")
	mustDecide("echo x", "readonly:echo")
	for _, c := range processes.Ran() {
		if strings.Join(c.Env, "\n") != strings.Join(shell.Environment(), "\n") {
			t.Errorf("%s ran in %q", c.Script, c.Env)
		}
	}
}
