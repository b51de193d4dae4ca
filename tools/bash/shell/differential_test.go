//go:build linux

package shell_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"septet/session"
	"septet/tools/bash/shell"
)

// defaultSamples is how many random commands are given to bash; at about 8 ms
// each. RANDOM_SAMPLES asks for another number, RANDOM_SEED for the commands of
// an earlier run.
const defaultSamples = 400

// wanted reads a number from the environment.
func wanted(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// stub stands in for every program: it writes down how many words it was
// called with and the words, each with a NUL after it.
const stub = "#!/bin/sh\nprintf '%s\\0' $# \"${0##*/}\" \"$@\" >>\"$STUB_LOG\"\n[ \"${0##*/}\" != false ]\n"

// stubbed are the programs that stubs stand in for. Those that bash has itself
// are switched off in it.
var stubbed = shell.Programs()

const builtinsOff = "enable -n echo printf true false test [ pwd type\n"

// TestAgainstBash makes random commands, and gives those that are recognised
// to the real bash with stubs for programs. What bash runs must be among what
// the analysis says it would, word for word.
func TestAgainstBash(t *testing.T) {
	samples, seed := wanted(t, "RANDOM_SAMPLES", defaultSamples), wanted(t, "RANDOM_SEED", uint64(time.Now().UnixNano()))
	t.Logf("RANDOM_SEED=%d", seed)
	ws := newDisk(t)
	b := newBash(t, ws.root)
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), rows: recognisedRows(t, ws)}
	made := 0
	for accepted := uint64(0); accepted < samples; made++ {
		command := g.command()
		a := shell.Analyse(t.Context(), ws, ".", command)
		if a.Class == session.ShellAsk {
			continue
		}
		accepted++
		b.compare(t, command, a)
	}
	t.Logf("%d of %d random commands were recognised", samples, made)
}

// recognisedRows are the plain rows of commands.tsv that random ones grow from.
func recognisedRows(t *testing.T, ws *disk) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/commands.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(string(text)) {
		command, _, _ := strings.Cut(line, "\t")
		if !strings.Contains(command, "git") && shell.Analyse(t.Context(), ws, ".", command).Class != session.ShellAsk {
			rows = append(rows, command)
		}
	}
	return rows
}

// generator makes random commands.
type generator struct {
	*rand.Rand
	rows []string
}

var fragments = []string{
	"'a b'", `"c d"`, `a\ b`, `\*`, "*", "src/*.go", "s*", "?rc", "[ab]*", "[!a]*", "*/", "-n", "-la", "-n5", "--", "--color=auto", "--color", "-", "-e", "-k2",
	"$x", "${x}", "$(ls)", "`ls`", "$((1))", "<(ls)", "{a,b}", "{a", "a}", "{}", "{1..3}", "~", "~/x", "a=~", "a:~", "#c", "# c", "a#b", "\n", ";", "&&", "||", "|", "|&", "&", "!",
	">out", "> out", ">>out", ">|out", "2>&1", "2>/dev/null", "&>/dev/null", "<main.go", "</dev/null", "<<E\nx\nE\n", "<<'E'\n$x\nE\n", "<<-E\n\tx\n\tE\n", "<<\"E\"\n`x`\nE\n", "<<<x",
	"(", ")", "{", "}", "[[", "]]", "((", "))", `"`, "'", `\`, "$'x'", `$"x"`, "é", "\t", "''", `""`, "=", "x=1", "!(a)", "@(a)", "[", "]", "a[1]", "a[1]=2",
	`\$x`, `"\$x"`, `"\a"`, `"a\\b"`, `'\'`, `'it'\''s'`, `"'"`, `'"'`, "if", "then", "fi", "for", "do", "done", "while", "time", "function", "in", "esac", "case",
	"main.go", "src", "README.md", "old.log", ".", "x", "a", "0", "1p", "s/a/b/", "''x", `x""`, `"*"`, `'src'/*`, "\\\n", "%s", "+%F", ":", ",", "^", "%", "@", "a,b", "a..b", "HEAD~1",
}

func (g *generator) command() string {
	if g.IntN(3) == 0 {
		return g.grown()
	}
	var b strings.Builder
	for range 1 + g.IntN(3) {
		b.WriteString(stubbed[g.IntN(len(stubbed))])
		for range g.IntN(4) {
			g.glue(&b)
			b.WriteString(g.fragment())
		}
		b.WriteString([]string{"", "", " | ", " && ", " || ", "; ", "\n", " |& ", " ;"}[g.IntN(9)])
	}
	return b.String()
}

// grown puts fragments into a row that is recognised as it is.
func (g *generator) grown() string {
	row := g.rows[g.IntN(len(g.rows))]
	for range 1 + g.IntN(2) {
		at := g.IntN(len(row) + 1)
		if i := strings.IndexByte(row[at:], ' '); i >= 0 && g.IntN(4) > 0 {
			at += i
		}
		var b strings.Builder
		b.WriteString(row[:at])
		g.glue(&b)
		b.WriteString(g.fragment())
		row = b.String() + row[at:]
	}
	return row
}

func (g *generator) glue(b *strings.Builder) {
	if g.IntN(6) > 0 {
		b.WriteByte(' ')
	}
}

func (g *generator) fragment() string { return fragments[g.IntN(len(fragments))] }

// bash runs commands in a directory with stubs for all programs.
type bash struct {
	dir, log string
	env      []string
}

func newBash(t *testing.T, dir string) *bash {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is missing")
	}
	stubs := t.TempDir()
	for _, name := range stubbed {
		if err := os.WriteFile(filepath.Join(stubs, name), []byte(stub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	log := filepath.Join(t.TempDir(), "log")
	return &bash{dir: dir, log: log, env: []string{"PATH=" + stubs, "LC_ALL=C.UTF-8", "STUB_LOG=" + log}}
}

// calls gives a command to bash and returns the calls it made, each quoted.
func (b *bash) calls(t *testing.T, command string) []string {
	t.Helper()
	if err := os.WriteFile(b.log, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-p", "-c", builtinsOff+command)
	cmd.Dir, cmd.Env = b.dir, b.env
	cmd.Run() // its exit code is the command's
	data, err := os.ReadFile(b.log)
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	words := strings.Split(string(data), "\x00")
	for len(words) > 1 {
		n, err := strconv.Atoi(words[0])
		if err != nil || n+2 > len(words) {
			t.Fatalf("%q: the log is torn: %q", command, data)
		}
		calls = append(calls, fmt.Sprintf("%q", words[1:n+2]))
		words = words[n+2:]
	}
	return calls
}

func (b *bash) compare(t *testing.T, command string, a shell.Analysis) {
	t.Helper()
	var predicted []string
	writes, patterns := false, false
	for _, e := range a.Effects {
		switch e.Kind {
		case session.EffectExecute:
			predicted = append(predicted, fmt.Sprintf("%q", append([]string{e.Program}, e.Args...)))
		case session.EffectRead:
		default:
			writes = true
		}
	}
	patterns = strings.ContainsAny(command, "*?[")
	calls := b.calls(t, command)
	if writes && patterns {
		return // the line may make names for its own patterns
	}
	left := slices.Clone(predicted)
	for _, call := range calls {
		i := slices.Index(left, call)
		if i < 0 {
			t.Fatalf("%s\nbash ran %s\nthe analysis says %s", strconv.Quote(command), call, strings.Join(predicted, " "))
		}
		left = slices.Delete(left, i, i+1)
	}
	if len(calls) < len(external(predicted)) && !strings.ContainsAny(command, "&<>") && !strings.Contains(command, "||") {
		t.Fatalf("%s\nbash ran only %s\nthe analysis says %s", strconv.Quote(command), strings.Join(calls, " "), strings.Join(predicted, " "))
	}
}

// external leaves out the calls that no stub can see.
func external(calls []string) []string {
	return slices.DeleteFunc(slices.Clone(calls), func(call string) bool {
		return strings.HasPrefix(call, `["cd"`) || strings.HasPrefix(call, `[":"`) || strings.HasPrefix(call, `["type"`)
	})
}
