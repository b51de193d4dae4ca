//go:build linux

package bash_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"septet/session"
)

// commandRow is one line of a table of commands.
type commandRow struct {
	command string
	class   session.ShellClass
	why     string
}

// readCommands reads the tables of shell/testdata: command, verdict, reason. A
// command "json:..." is a JSON string, "gen:repeat(a,N)" is the letter N times.
func readCommands(t testing.TB) []commandRow {
	t.Helper()
	return append(readTable(t, "shell/testdata/commands.tsv"), readTable(t, "shell/testdata/more.tsv")...)
}

func readTable(t testing.TB, name string) []commandRow {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var rows []commandRow
	for i, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			t.Fatalf("line %d has %d fields", i+1, len(fields))
		}
		if i == 0 {
			continue
		}
		rows = append(rows, commandRow{decodeCommand(t, fields[0]), session.ShellClass(fields[1]), fields[2]})
	}
	return rows
}

func decodeCommand(t testing.TB, field string) string {
	t.Helper()
	if text, ok := strings.CutPrefix(field, "json:"); ok {
		var command string
		if err := json.Unmarshal([]byte(text), &command); err != nil {
			t.Fatalf("%s: %v", field, err)
		}
		return command
	}
	if field == "gen:repeat(a,17000)" {
		return strings.Repeat("a", 17_000)
	}
	if strings.HasPrefix(field, "gen:") {
		t.Fatalf("%s: unknown generator", field)
	}
	return field
}

func TestCommands(t *testing.T) {
	p := newPlace(t, session.ModeDefault)
	rows := readCommands(t)
	if len(rows) < 600 {
		t.Fatalf("only %d rows", len(rows))
	}
	for _, row := range rows {
		effects := p.effects(t, row.command)
		if class := session.ClassOf(effects); class != row.class {
			t.Errorf("%q (%s): %s, want %s; %+v", row.command, row.why, class, row.class, effects)
		}
	}
}

// TestVerdictByMode holds each row against the two modes that have bash.
func TestVerdictByMode(t *testing.T) {
	p := newPlace(t, session.ModeDefault)
	for _, row := range readCommands(t) {
		effects := p.effects(t, row.command)
		byMode := map[session.Mode]bool{
			session.ModeDefault:     row.class == session.ShellReadOnly,
			session.ModeAcceptEdits: row.class != session.ShellAsk,
		}
		for mode, allowed := range byMode {
			d := session.Decide(session.Profile{Mode: mode}, effects)
			if (d.Verdict == session.Allow) != allowed || d.Verdict == session.Deny {
				t.Errorf("%q in %s: %+v, want allow %v", row.command, mode, d, allowed)
			}
			if !strings.HasPrefix(d.Rule, string(row.class)+":") {
				t.Errorf("%q in %s: rule %q for class %s", row.command, mode, d.Rule, row.class)
			}
		}
	}
}
