package session_test

import (
	"strings"
	"testing"

	"septet/session"
)

func TestValidName(t *testing.T) {
	for _, good := range []string{"a", "_x", "2026-11-30.main", strings.Repeat("a", 64)} {
		if !session.ValidName(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{"", ".", "..", "../x", "a/b", `a\b`, ".hidden", "-flag", "a b", "a\n", "é", "a\x00", strings.Repeat("a", 65)} {
		if session.ValidName(bad) {
			t.Errorf("%q is accepted", bad)
		}
	}
}
