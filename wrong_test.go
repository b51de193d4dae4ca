package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// wrongUse is a command line that cannot work.
type wrongUse struct {
	args string // split at blanks; _ stands for one inside a word
	code int
	fact string // what the fact has; "" for any
	hint string // what the hint has; "" for any
	env  string // NAME=VALUE that is added; several with a blank between
}

// wrongUses are what people get wrong. Of every one they hear one fact and one
// next step.
var wrongUses = []wrongUse{
	// Verbs.
	{args: "srve", code: 2, hint: "septet serve"},
	{args: "fly", code: 2, hint: "septet --help"},
	{args: "remote", code: 2, hint: "septet --help"}, // nobody means demo
	{args: "serve extra", code: 2},
	{args: "tools extra", code: 2},
	{args: "demo extra", code: 2},
	{args: "version extra", code: 2},
	{args: "doctor extra", code: 2},
	{args: "completion", code: 2, hint: "bash"},
	{args: "completion csh", code: 2, fact: "csh", hint: "zsh"},
	// Flags.
	{args: "--worksapce .", code: 2},
	{args: "serve --worksapce .", code: 2, hint: "--workspace"},
	{args: "serve --workspace", code: 2},
	{args: "serve -x", code: 2},
	{args: "serve --mode readonly", code: 2, hint: "read-only"},
	{args: "serve --framing morse", code: 2, hint: "header"},
	{args: "serve --max-frame 16MB", code: 2},
	{args: "serve --drain soon", code: 2},
	{args: "serve --drain -1s", code: 2},
	{args: "serve --search-timeout 0s", code: 2},
	{args: "serve --search-threads many", code: 2},
	{args: "serve --env NOVALUE", code: 2, hint: "NAME=VALUE"},
	{args: "serve --log-level loud", code: 2, hint: "debug"},
	{args: "serve --log-file /no/such/dir/log", code: 2},
	{args: "serve --tools raed", code: 2},
	{args: "serve --config /no/such/file", code: 2, hint: "--config none"},
	{args: "version --jsno", code: 2, hint: "--json"},
	{args: "serve --workspace a.txt", code: 2, fact: "--workspace a.txt is no directory", hint: "directory"},
	{args: "call list --workspace ${workspaceFolder}", code: 2, fact: "nobody replaced ${workspaceFolder}", hint: "septet config"},
	{args: "undo --last --read ~/docs", code: 2, fact: "nobody replaced ~", hint: "whole path"},
	// Variables.
	{args: "tools", env: "SEPTET_MDOE=read-only", code: 2, hint: "SEPTET_MODE"},
	{args: "tools", env: "SEPTET_MODE=loud", code: 2},
	{args: "tools", env: "SEPTET_DRAIN=soon", code: 2},
	// Calls.
	{args: "call", code: 2, hint: "septet tools"},
	{args: "call raed path=a", code: 2, hint: "septet call read"},
	{args: "call write path=a content=b --mode read-only", code: 2},
	{args: "call read path", code: 2, hint: "key=value"},
	{args: "call read =a", code: 2, hint: "key=value"},
	{args: "call read --args {", code: 2, hint: "--args"},
	{args: "call read --args []", code: 2, hint: "--args"},
	{args: "call read path=@/no/such/file", code: 2, hint: "@"},
	{args: "call read paht=a.txt", code: 1, hint: "path"},
	{args: "call read", code: 1},
	{args: "call read path=a.txt limit=few", code: 1},
	{args: "call read path=no-such.txt", code: 1},
	{args: "call read path=../../../etc/passwd", code: 1},
	{args: "call grep pattern=(", code: 1},
	{args: "call write path=a.txt content=x --state a.txt/state", code: 1},
	{args: "call bash command=true", env: "PATH=/no/such/dir", code: 1, hint: "bash"},
	{args: "call bash command=true", env: "PATH=", code: 1, hint: "bash"},
	{args: "call read path=a.txt --workspace /no/such/dir", code: 1},
	{args: "call write path=b.txt content=x", env: "HOME= XDG_STATE_HOME=", code: 1},
	{args: "call read path=a.txt path=b.txt", code: 2, fact: "path is given twice"},
	{args: `call read --args {"path":"a.txt","path":"b"}`, code: 2, fact: "path", hint: "--args"},
	{args: "call read --args null", code: 2, fact: "not a JSON object", hint: "--args - <FILE"},
	{args: "call write path=- content=-", code: 2, fact: "standard input", hint: "@FILE"},
	{args: "call write path=b.txt content=- --args -", code: 2, fact: "--args"},
	{args: "call write path=b.txt content=a\xff", code: 2, fact: "content", hint: "UTF-8"},
	{args: "call write path=b.txt content=@.", code: 2, fact: "directory", hint: "@FILE"},
	{args: "call write path=b.txt content=@/dev/zero", code: 2, fact: "16777216 bytes", hint: "@FILE"},
	{args: "call read --path=a.txt", code: 2, fact: "--path; arguments of a tool have no dashes", hint: "septet call TOOL key=value"},
	{args: "effects read -path=a.txt", code: 2, fact: "no dashes", hint: "septet effects TOOL key=value"},
	{args: "call read path=" + strings.Repeat("a", 100_000), code: 1, fact: "100000 bytes"},
	{args: "call " + strings.Repeat("a", 100_000), code: 2, fact: "aaa...", hint: "septet tools"},
	{args: "call write path=b.txt content=x", env: "HOME=here XDG_STATE_HOME=", code: 1, fact: "neither a home", hint: "--state"},
	{args: "undo --last", env: "HOME=here XDG_STATE_HOME=", code: 1, fact: "no change"},
	{args: "config zed", env: "HOME=here XDG_CONFIG_HOME=", code: 1, hint: "--file"},
	{args: "demo", env: "TMPDIR=/no/such/dir", code: 1, fact: "temporary directory", hint: "TMPDIR"},
	// Values.
	{args: "serve --workspace=", code: 2, fact: "--workspace is empty", hint: "leave --workspace out"},
	{args: "changes --turn=", code: 2, fact: "--turn is empty"},
	{args: "serve --structured=yes", code: 2, fact: `--structured: "yes" is neither true nor false`},
	{args: "serve --drain 5", code: 2, fact: "--drain: missing unit", hint: "septet serve --help"},
	{args: "serve --search-threads 99999999999999999999", code: 2, fact: "no number that fits"},
	{args: "serve --keep-env A=B", code: 2, fact: "A=B", hint: "--env NAME=VALUE"},
	{args: "serve --protect [", code: 2, fact: "pattern"},
	{args: "tools --tools ,", code: 2, fact: "blank"},
	{args: "tools --tools raed,wirte", code: 2, fact: "wirte"},
	{args: "tools", env: "SEPTET_STRUCTURED=yes", code: 2, fact: "neither true nor false", hint: "unset"},
	{args: "tools", env: "SEPTET_DRAIN=5", code: 2, fact: "such as 1.5s"},
	{args: "tools --config .", code: 2, fact: "not a file of settings", hint: "--config none"},
	{args: "tools --config /dev/zero", code: 2, fact: "not a file of settings"},
	{args: "help fly", code: 2, fact: "fly", hint: "septet --help"},
	{args: "completion bash zsh", code: 2, fact: "one shell", hint: "septet completion bash"},
	// Effects.
	{args: "effects", code: 2},
	{args: "effects raed path=a", code: 2, hint: "read"},
	{args: "effects read --args {", code: 2},
	// Changes.
	{args: "changes a b", code: 2},
	{args: "changes --limit 0", code: 2},
	{args: "show", code: 2, hint: "septet changes"},
	{args: "show no-such-id", code: 1},
	{args: "show 7h3", code: 1, fact: "too short", hint: "4 letters"},
	{args: "undo 7h3", code: 1, fact: "too short", hint: "4 letters"},
	{args: "undo", code: 2, hint: "--last"},
	{args: "undo no-such-id", code: 1, hint: "septet changes"},
	{args: "undo --last", code: 1, fact: "no change", hint: "septet changes"},
	{args: "undo --turn t1", code: 1, fact: "no change", hint: "septet changes"},
	{args: "changes --state a.txt/state", code: 1, hint: "--state"},
	// Hosts.
	{args: "config", code: 2, hint: "claude-code"},
	{args: "config vscodee", code: 2, hint: "septet config vscode"},
	{args: "config vscode -- --moode x", code: 2, hint: "--mode"},
	{args: "config vscode --workspace /no/such/dir", code: 2},
	{args: "config goose --write --file a.txt/config.yaml", code: 1},
	{args: "config zed", env: "HOME= XDG_CONFIG_HOME=", code: 1, hint: "--file"},
}

// TestWrongUse holds that each of them gives one fact, one hint, the right exit
// code, and no stack.
func TestWrongUse(t *testing.T) {
	for _, use := range wrongUses {
		t.Run(use.env+" "+use.args[:min(len(use.args), 60)], func(t *testing.T) {
			cmd := septet(t, strings.Fields(use.args)...)
			cmd.Env = append(cmd.Env, strings.Fields(use.env)...)
			if err := os.WriteFile(filepath.Join(cmd.Dir, "a.txt"), []byte("text\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			checkWrongUse(t, cmd, use)
		})
	}
}

// TestOutputThatCannotBeWritten: a script must not take a cut answer for a whole
// one.
func TestOutputThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full: ", err)
	}
	defer full.Close()
	for _, args := range []string{"call list", "tools", "tools --json", "effects list", "changes", "doctor", "config vscode --json", "version", "completion zsh"} {
		cmd := septet(t, strings.Fields(args)...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &stderr
		_ = cmd.Run() // the exit code says it
		said := stderr.String()
		if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(said, "septet: the output could not be written: no space left") || strings.Count(said, "hint: ") != 1 {
			t.Errorf("%s: exit code %d, %s", args, cmd.ProcessState.ExitCode(), said)
		}
	}
}

// TestNoCurrentDirectory starts verbs in a directory that is gone.
func TestNoCurrentDirectory(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("sh is not installed")
	}
	for _, args := range []string{"tools", "call read path=a.txt", "changes", "config vscode"} {
		cmd := septet(t, strings.Fields(args)...)
		cmd.Args = append([]string{"sh", "-c", `rmdir "$PWD" && exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
		named := filepath.Join(t.TempDir(), "septet")
		if err := os.Symlink(cmd.Path, named); err != nil {
			t.Skip("links cannot be made here: ", err)
		}
		cmd.Args[3] = named
		cmd.Path, _ = exec.LookPath("sh")
		checkWrongUse(t, cmd, wrongUse{args: args, code: 2, hint: "--workspace"})
	}
}

func checkWrongUse(t *testing.T, cmd *exec.Cmd, use wrongUse) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != use.code {
		t.Errorf("%s: %v, want exit code %d", use.args, err, use.code)
	}
	// A call that failed answers on stdout, as one that succeeded does.
	said, facts := stderr.String(), strings.Count(stderr.String(), "septet: ")
	if stderr.Len() == 0 {
		said, facts = stdout.String(), 1
	} else if stdout.Len() > 0 {
		t.Errorf("%s: also on stdout: %s", use.args, stdout.String())
	}
	fact, hint, _ := strings.Cut(said, "hint: ")
	if !strings.Contains(fact, use.fact) {
		t.Errorf("%s: the fact lacks %q:\n%s", use.args, use.fact, said)
	}
	if facts != 1 || strings.Count(said, "hint: ") != 1 || !strings.Contains(hint, use.hint) {
		t.Errorf("%s: want one fact and one hint with %q, got\n%s", use.args, use.hint, said)
	}
	if strings.Contains(said, "goroutine") || strings.Contains(said, "panic") {
		t.Errorf("%s: a stack:\n%s", use.args, said)
	}
}
