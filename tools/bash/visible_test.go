//go:build linux

package bash_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"septet/backend"
	"septet/backend/local"
	"septet/safepath"
	"septet/session"
	"septet/tools/bash"
)

// What the line in the gap counts is what the file has between the two texts,
// however little the text looks like the file.
func TestGapCountsTheFile(t *testing.T) {
	rows := map[string]string{
		"colours, kept whole":  `for i in {1..15}; do printf '\e[1;31m%s\e[0m' {1..1000}; done`,
		"colours, mostly lost": `for i in {1..40}; do printf '\e[1;31m%s\e[0m' {1..1000}; done`,
		"bytes, kept whole":    `printf '\xff%.0s' {1..9000}`,
		"bytes, mostly lost":   `printf '\xff%.0s' {1..60000}`,
		"lines with CR":        `printf '%s\r\n' {1..90000}`,
	}
	for name, script := range rows {
		t.Run(name, func(t *testing.T) {
			got := spilled(t, script)
			raw, err := os.ReadFile(got.SpillPath)
			at := gapLine.FindStringSubmatchIndex(got.Text)
			if err != nil || at == nil || int64(len(raw)) != got.Bytes {
				t.Fatalf("%v, %d of %d bytes in the file, %.60q", err, len(raw), got.Bytes, got.Text)
			}
			head, tail := got.Text[:at[0]], got.Text[at[1]:]
			if !strings.Contains(string(raw), "\n") {
				head = strings.TrimSuffix(head, "\n") // the line was cut, and ended
			}
			omitted, _ := strconv.Atoi(got.Text[at[2]:at[3]])
			if int64(omitted) != got.Omitted || !splits(raw, head, tail, omitted) {
				t.Errorf("no %d bytes are missing between %q and %q", omitted, head[len(head)-20:], tail[:20])
			}
		})
	}
}

// piece is what stays together in the output of these scripts.
var piece = regexp.MustCompile(`\x1b\[[0-9;]*m|(?s:.)`)

// splits reports whether raw without some omitted bytes in one place is shown
// as head and tail.
func splits(raw []byte, head, tail string, omitted int) bool {
	var all strings.Builder
	ends, begins := map[int]bool{}, map[int]bool{} // whether head may end there, and tail begin
	pieces := piece.FindAllIndex(raw, -1)
	starts := make([]int, len(pieces)+1) // of each piece, in what is shown
	for i, p := range pieces {
		if b := raw[p[0]]; b == 0xff {
			all.WriteString(`\xff`)
		} else if b != 0x1b && b != '\r' {
			all.WriteByte(b)
		}
		starts[i+1] = all.Len()
	}
	for i, start := range starts {
		at := len(raw)
		if i < len(pieces) {
			at = pieces[i][0]
		}
		ends[at] = start == len(head)
		begins[at] = all.Len()-start == len(tail)
	}
	for at, is := range ends {
		if is && begins[at+omitted] {
			return strings.HasPrefix(all.String(), head) && strings.HasSuffix(all.String(), tail)
		}
	}
	return false
}

// spilled runs a script with a place for long output and returns its stdout.
func spilled(t *testing.T, script string) bash.Stream {
	t.Helper()
	root := t.TempDir()
	sc, err := session.New(session.Config{
		Paths:       safepath.Config{WorkingDirectory: root, Roots: []safepath.Root{{Path: root, Writable: true}}},
		Environment: os.Environ(),
	}, backend.Operations{Files: local.Files(), Processes: local.Processes(local.ProcessConfig{Shim: shim, SpillDir: t.TempDir()})})
	if err != nil {
		t.Fatal(err)
	}
	out, err := bash.Tool{}.Call(t.Context(), sc, session.NewCall("1", nil), bash.Input{Command: script, Cwd: ".", TimeoutMs: 60_000})
	if err != nil {
		t.Fatal(err)
	}
	return out.Stdout
}
