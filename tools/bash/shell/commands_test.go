package shell_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"septet/session"
	"septet/tools/bash/shell"
)

// commandRow is one line of testdata/commands.tsv.
type commandRow struct {
	command string
	class   session.ShellClass
	why     string
}

// readCommands reads testdata/commands.tsv: command, verdict, reason. A command
// "json:..." is a JSON string, "gen:repeat(a,N)" is the letter N times.
func readCommands(t testing.TB) []commandRow {
	t.Helper()
	text, err := os.ReadFile("testdata/commands.tsv")
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
	ws := newDisk(t)
	rows := readCommands(t)
	if len(rows) < 300 {
		t.Fatalf("only %d rows", len(rows))
	}
	for _, row := range rows {
		a := shell.Analyse(t.Context(), ws, ".", row.command)
		if a.Class != row.class {
			t.Errorf("%q (%s): %s, want %s; %s", row.command, row.why, a.Class, row.class, a.Reason)
		}
		if (a.Class == session.ShellAsk) != (a.Reason != "") {
			t.Errorf("%q: class %s with reason %q", row.command, a.Class, a.Reason)
		}
	}
}
