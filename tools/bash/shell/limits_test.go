package shell_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"septet/session"
	"septet/tools/bash/shell"
)

// mustBe analyses a command and compares its class and, for Ask, the
// identifier of the reason.
func mustBe(t *testing.T, ws shell.Workspace, command string, class session.ShellClass, id string) {
	t.Helper()
	a := shell.Analyse(t.Context(), ws, ".", command)
	got, _, _ := strings.Cut(a.Reason, ":")
	if a.Class != class || got != id {
		t.Errorf("%.80q: %s %q, want %s %q", command, a.Class, a.Reason, class, id)
	}
}

func touch(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLimits(t *testing.T) {
	ws := newDisk(t)
	ls := func(n int) string { return strings.TrimSuffix(strings.Repeat("ls;", n), ";") }
	mustBe(t, ws, ls(shell.MaxSimpleCommands), session.ShellReadOnly, "")
	mustBe(t, ws, ls(shell.MaxSimpleCommands+1), session.ShellAsk, "commands")
	pad := func(n int) string { return "echo '" + strings.Repeat("a", n-7) + "'" }
	mustBe(t, ws, pad(shell.MaxCommandBytes), session.ShellReadOnly, "")
	mustBe(t, ws, pad(shell.MaxCommandBytes+1), session.ShellAsk, "length")
	quoted := func(n int) string { return "echo '" + strings.Repeat("(", n) + "'" }
	mustBe(t, ws, quoted(shell.MaxNesting), session.ShellReadOnly, "")
	mustBe(t, ws, quoted(shell.MaxNesting+1), session.ShellAsk, "construct")
	patterns := func(n int) string { return "ls" + strings.Repeat(" src/*", n) }
	mustBe(t, ws, patterns(shell.MaxPatterns), session.ShellReadOnly, "")
	mustBe(t, ws, patterns(shell.MaxPatterns+1), session.ShellAsk, "glob")
	for i := range shell.MaxGlobNames {
		touch(t, filepath.Join(ws.root, "many", fmt.Sprint(i)))
	}
	mustBe(t, ws, "ls many/*", session.ShellReadOnly, "")
	mustBe(t, ws, "ls many/* src/*", session.ShellAsk, "glob")
	for i := range shell.MaxTreeEntries - shell.MaxGlobNames + 1 {
		touch(t, filepath.Join(ws.root, "many", "more"+fmt.Sprint(i)))
	}
	mustBe(t, ws, "rm -r many", session.ShellAsk, "too_large")
	if err := os.Remove(filepath.Join(ws.root, "many", "0")); err != nil {
		t.Fatal(err)
	}
	mustBe(t, ws, "rm -r many", session.ShellWorkspaceWrite, "")
}

// TestPatterns holds what a pattern expands to against names that try to be
// something else.
func TestPatterns(t *testing.T) {
	ws := newDisk(t)
	dir := filepath.Join(ws.root, "p")
	for _, name := range []string{"a", "b1", "b2", ".hidden", "sub/x", "[z]", "é"} {
		touch(t, filepath.Join(dir, name))
	}
	for pattern, want := range map[string]string{
		"p/*": "p/[z] p/a p/b1 p/b2 p/sub p/é", "p/.h*": "p/.hidden", "p/b?": "p/b1 p/b2", "p/b[12]": "p/b1 p/b2", "p/b[!1]": "p/b2", "p/[a-b]*": "p/a p/b1 p/b2",
		"p/?": "p/a p/é", "p/*/x": "p/sub/x", "p/*/y": "p/*/y", "p/none*": "p/none*", "p/'['*": "p/[z]", "p/\\[*": "p/[z]", "p/*\"1\"": "p/b1", "p/*/": "p/sub/", "p/**": "p/[z] p/a p/b1 p/b2 p/sub p/é",
	} {
		a := shell.Analyse(t.Context(), ws, ".", "ls "+pattern)
		if a.Class != session.ShellReadOnly || strings.Join(a.Effects[0].Args, " ") != want {
			t.Errorf("%s: %s %q %s, want %s", pattern, a.Class, a.Effects[0].Args, a.Reason, want)
		}
	}
	for _, pattern := range []string{"p/[[:alpha:]]", "p/[]a]", "p/['a']", `p/[\a]`, "p/[b-a]*]", "p/.*", "p/.?", ".*"} {
		mustBe(t, ws, "ls "+pattern, session.ShellAsk, "glob")
	}
	// A name with a dash in front would be a flag.
	touch(t, filepath.Join(ws.root, "-R"))
	if err := os.Remove(filepath.Join(ws.root, "out")); err != nil {
		t.Fatal(err)
	}
	mustBe(t, ws, "grep x *", session.ShellAsk, "glob")
	mustBe(t, ws, "ls -- *", session.ShellAsk, "glob")
	if err := os.Remove(filepath.Join(ws.root, "-R")); err != nil {
		t.Fatal(err)
	}
	mustBe(t, ws, "grep x *", session.ShellReadOnly, "")
	// The line itself could make the name.
	mustBe(t, ws, "echo > -R; grep x *", session.ShellAsk, "glob")
	mustBe(t, ws, "grep x src/* > found", session.ShellWorkspaceWrite, "")
}

// TestPrograms: a program that the workspace could stand in for asks, one of
// bash itself does not.
func TestPrograms(t *testing.T) {
	ws := newDisk(t)
	ws.domestic = map[string]bool{"ls": true, "echo": true}
	mustBe(t, ws, "ls", session.ShellAsk, "program")
	mustBe(t, ws, "cat main.go | ls", session.ShellAsk, "program")
	mustBe(t, ws, "echo x", session.ShellReadOnly, "")
	mustBe(t, ws, "cat main.go", session.ShellReadOnly, "")
}

// TestEffectsInOrder: a host shows them to a person.
func TestEffectsInOrder(t *testing.T) {
	ws := newDisk(t)
	a := shell.Analyse(t.Context(), ws, ".", "cd src && cat a.go ../main.go | head -n 3 > top.txt")
	var got []string
	for _, e := range a.Effects {
		got = append(got, strings.TrimSpace(string(e.Kind)+" "+e.Program+e.Path+" "+strings.Join(e.Args, " ")))
	}
	want := "execute cd src; execute cat a.go ../main.go; read src/a.go; read main.go; execute head -n 3; create src/top.txt"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
}

// TestReadsHere: a program without an operand may read its directory.
func TestReadsHere(t *testing.T) {
	ws := newDisk(t)
	for command, want := range map[string]bool{
		"ls": true, "ls src": false, "find -name x": true, "find src": false, "du -s": true, "grep -r x": true, "grep x": false, "grep -re x": true, "sort -r": false, "cat": false, "rg x": true, "rg x src": false,
	} {
		a := shell.Analyse(t.Context(), ws, ".", command)
		here := slices.ContainsFunc(a.Effects, func(e session.Effect) bool { return e.Kind == session.EffectRead && e.Path == "." })
		if a.Class != session.ShellReadOnly || here != want {
			t.Errorf("%s: %s, %+v", command, a.Class, a.Effects)
		}
	}
}
