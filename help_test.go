package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// septet is a run of the program: this test binary is it, by its name.
func septet(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Args = append([]string{"septet"}, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
	return cmd
}

// verbs are all verbs that the help of the program lists.
func verbs(t *testing.T) []string {
	t.Helper()
	out, err := septet(t, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(out), "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	var names []string
	for line := range strings.Lines(list) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] != "help" {
			names = append(names, fields[0])
		}
	}
	return names
}

// TestHelp holds the help of every verb to 80 columns and an example.
func TestHelp(t *testing.T) {
	all := verbs(t)
	if want := "call changes completion config demo doctor effects serve show tools undo version"; strings.Join(all, " ") != want {
		t.Errorf("the verbs are %q, want %s", all, want)
	}
	for _, verb := range append(all, "") {
		out, err := septet(t, strings.Fields(verb+" --help")...).Output()
		if err != nil {
			t.Fatalf("%s: %v", verb, err)
		}
		text := string(out)
		if _, examples, found := strings.Cut(text, "Examples:\n"); !found || !strings.HasPrefix(strings.TrimSpace(examples), "septet ") && !strings.Contains(examples, "septet ") {
			t.Errorf("%s: no example in\n%s", verb, text)
		}
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
				t.Errorf("%s: %d columns: %s", verb, n, line)
			}
		}
	}
}

// TestHelpListsWhatMatters: a flag that changes nothing for a verb is taken
// there, and its help does not list it.
func TestHelpListsWhatMatters(t *testing.T) {
	for verb, want := range map[string]string{
		"tools":   "config help json mode structured tools",
		"effects": "args config env help json keep-env mode protect read skills state tools workspace write",
		"doctor":  "config help json mode no-journal read skills state tools workspace write",
		"changes": "config help json limit session state turn workspace",
		"show":    "config help json session state workspace",
		"undo":    "config dry-run help json last protect read session skills state turn workspace write",
	} {
		out, err := septet(t, verb, "--help").Output()
		if err != nil {
			t.Fatal(err)
		}
		var listed []string
		for _, m := range regexp.MustCompile(`(?m)^ +(?:-h, )?--([a-z-]+)`).FindAllStringSubmatch(string(out), -1) {
			listed = append(listed, m[1])
		}
		if got := strings.Join(listed, " "); got != want {
			t.Errorf("%s lists %s\nwant %s", verb, got, want)
		}
	}
	for _, verb := range []string{"tools", "doctor", "call", "effects"} {
		out, err := septet(t, verb, "--help").Output()
		if err != nil || !strings.Contains(string(out), "septet serve --help") {
			t.Errorf("%s does not say where the other flags are: %v", verb, err)
		}
	}
	if out, err := septet(t, "tools", "--drain", "1s", "--max-frame", "1MiB", "--log-level", "error").CombinedOutput(); err != nil {
		t.Errorf("a flag that is not listed is not taken: %v, %s", err, out)
	}
}

// TestCompletion asks the program as the scripts of shells do.
func TestCompletion(t *testing.T) {
	for want, words := range map[string][]string{
		"doctor":         {""},
		"grep":           {"call", ""},
		"oldText=":       {"call", "edit", ""},
		"accept-edits":   {"serve", "--mode", ""},
		"glob":           {"serve", "--tools", "g"},
		"claude-desktop": {"config", "claude"},
		"zsh":            {"completion", ""},
	} {
		out, err := septet(t, append([]string{"__complete"}, words...)...).Output()
		if err != nil || !strings.Contains("\n"+string(out), "\n"+want) {
			t.Errorf("%q: no %s in %q, %v", words, want, out, err)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if out, err := septet(t, "completion", shell).Output(); err != nil || !strings.Contains(string(out), "septet") {
			t.Errorf("%s: %d bytes, %v", shell, len(out), err)
		}
	}
}

// TestCompletionInBash presses the key in a bash that has no package of
// completions, as after "From a fresh clone, with Go, git and bash".
func TestCompletionInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script, err := septet(t, "completion", "bash").Output()
	if err != nil {
		t.Fatal(err)
	}
	const press = `
compopt() { :; } # it works under a real key only
septet() { (exec -a septet "$PROGRAM" "$@"); }
COMP_TYPE=9 COMP_POINT=${#COMP_LINE}
__start_septet
printf '<%s>' "${COMPREPLY[@]}"`
	for _, c := range []struct{ line, words, want string }{
		{"septet vers", "septet vers", "<version>"},
		{"septet call edit ol", "septet call edit ol", "<oldText=>"},
		{"septet tools --mode=acc", "septet tools --mode = acc", "<accept-edits>"},
		{"septet tools --mode acc", "septet tools --mode acc", "<accept-edits>"},
		{"septet config cl", "septet config cl", "<claude-code><claude-desktop>"},
		{"septet call edit path=a:b ol", "septet call edit path = a : b ol", "<oldText=>"},
		{"septet config zed ", "septet config zed ''", "<>"},
	} {
		// Bash breaks words at "=" and ":" before it calls the function.
		words := "COMP_WORDS=(" + c.words + ") COMP_CWORD=$((${#COMP_WORDS[@]} - 1))"
		cmd := exec.Command(bash, "--norc", "--noprofile", "-c", string(script)+words+press)
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), "PROGRAM="+program, "COMP_LINE="+c.line)
		out, err := cmd.CombinedOutput()
		if got := strings.ReplaceAll(string(out), " ", ""); err != nil || got != c.want {
			t.Errorf("%q: %s, %v; want %s", c.line, out, err, c.want)
		}
	}
}
