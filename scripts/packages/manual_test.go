package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"septet/internal/cli"
)

func commandLine() *cobra.Command { return cli.Command(program()) }

// pages writes the manual pages into a directory.
func pages(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, page := range manual(commandLine(), time.Unix(1700000000, 0).UTC()) {
		if err := os.WriteFile(filepath.Join(dir, name), page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestManualIsCleanForMandoc(t *testing.T) {
	mandoc := lookPath(t, "mandoc")
	names, err := filepath.Glob(filepath.Join(pages(t), "*.1"))
	if err != nil || len(names) < 10 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if out, err := exec.Command(mandoc, "-T", "lint", "-W", "warning", name).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// TestManualSaysWhatHelpSays reads the pages as they are shown: the lines of
// examples and lists are whole, and every flag has its value.
func TestManualSaysWhatHelpSays(t *testing.T) {
	mandoc := lookPath(t, "mandoc")
	dir := pages(t)
	for _, cmd := range verbs(commandLine()) {
		out, err := exec.Command(mandoc, "-T", "ascii", "-O", "width=400", filepath.Join(dir, pageName(cmd)+".1")).Output()
		if err != nil {
			t.Fatal(err)
		}
		shown := plain(string(out))
		if verb := cmd.Name(); verb == "undo" && !strings.Contains(shown, "--last[=N]\n") {
			t.Errorf("the value of --last is not optional in\n%s", shown)
		}
		for line := range strings.Lines(cmd.Example + "\n" + indentedOf(cmd.Long)) {
			if !strings.Contains(shown, strings.TrimSpace(line)) {
				t.Errorf("%s does not show %q", pageName(cmd), line)
			}
		}
		for _, usage := range strings.Split(cmd.LocalFlags().FlagUsages(), "\n") {
			flag, _, _ := strings.Cut(strings.TrimSpace(usage), "  ")
			if strings.HasPrefix(flag, "-") && !strings.Contains(flag, "[=") && !strings.Contains(shown, flag) {
				t.Errorf("%s does not show %q", pageName(cmd), flag)
			}
		}
	}
}

// plain is text without what makes a terminal print bold or underlined.
func plain(s string) string {
	var shown []rune
	for _, r := range s {
		if r == '\b' {
			shown = shown[:len(shown)-1]
			continue
		}
		shown = append(shown, r)
	}
	return string(shown)
}

func indentedOf(long string) string {
	var kept strings.Builder
	for line := range strings.Lines(long) {
		if strings.HasPrefix(line, " ") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

func TestManualIsEscaped(t *testing.T) {
	for in, want := range map[string]string{
		".hidden\n'quoted'":       "\\&.hidden\n\\(aqquoted\\(aq",
		`a\b --flag ~/x ^ ` + "`": `a\eb \-\-flag \(ti/x \(ha \(ga`,
	} {
		if got := text(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestCompletionsAreRead lets each shell that is here read its script.
func TestCompletionsAreRead(t *testing.T) {
	for shell, name := range completions {
		t.Run(shell, func(t *testing.T) {
			script, err := completion(shell)
			if err != nil || !strings.Contains(string(script), "septet") {
				t.Fatal(len(script), err)
			}
			if shell == "powershell" {
				return // no package of it is to be had
			}
			file := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(file, script, 0o644); err != nil {
				t.Fatal(err)
			}
			output(t, ".", lookPath(t, shell), "-n", file)
		})
	}
}
