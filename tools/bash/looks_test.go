//go:build linux

package bash_test

import (
	"os"
	"strings"
	"testing"

	"septet/session"
)

// mostAsked is how many of the commands of looks.tsv that only read ask all
// the same. It goes down as the lists grow.
const mostAsked = 90

// TestLooks holds what agents run to look around, and what looks like it,
// against the default mode: nothing that must ask is allowed.
func TestLooks(t *testing.T) {
	text, err := os.ReadFile("shell/testdata/looks.tsv")
	if err != nil {
		t.Fatal(err)
	}
	p := newPlace(t, session.ModeDefault)
	reads, asked := 0, 0
	for line := range strings.Lines(string(text)) {
		field, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if want == "verdict" {
			continue
		}
		command := decodeCommand(t, field)
		allowed := session.Decide(p.session.Profile(), p.effects(t, command)).Verdict == session.Allow
		switch {
		case want == "ask" && allowed:
			t.Errorf("%q is allowed", command)
		case want == "readonly":
			if reads++; !allowed {
				asked++
			}
		}
	}
	t.Logf("%d of %d commands that only read ask", asked, reads)
	if reads < 150 || asked > mostAsked {
		t.Errorf("%d of %d commands that only read ask, at most %d may", asked, reads, mostAsked)
	}
}
