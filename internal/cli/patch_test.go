package cli

import (
	"bytes"
	"strings"
	"testing"

	"septet/backend"
)

func shown(t *testing.T, c backend.Change, s *screen) string {
	t.Helper()
	var b bytes.Buffer
	s.w = &b
	if err := printChange(s, backend.Record{Change: c, State: backend.Applied}); err != nil {
		t.Fatal(err)
	}
	_, diff, _ := strings.Cut(b.String(), "\n\n") // after what is said about it
	return diff
}

func TestADiffIsWhatPatchTakes(t *testing.T) {
	hunk := backend.Hunk{OldStart: 3, OldLines: 2, NewStart: 3, NewLines: 1, Lines: []string{" a", "-\x1b[2Jb\r", "+c", `\ No newline at end of file`}}
	whole := backend.Hunk{NewStart: 1, NewLines: 1, Lines: []string{"+a"}}
	gone := backend.Hunk{OldStart: 1, OldLines: 1, Lines: []string{"-a"}}
	for _, tt := range []struct {
		change backend.Change
		want   string
	}{
		{backend.Change{Kind: backend.Modified, Path: "d/f", Added: 1, Removed: 1, Hunks: []backend.Hunk{hunk}},
			"--- a/d/f\n+++ b/d/f\n@@ -3,2 +3 @@\n a\n-\x1b[2Jb\r\n+c\n\\ No newline at end of file\n"},
		{backend.Change{Kind: backend.Created, Path: "f", Added: 1, Hunks: []backend.Hunk{whole}}, "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n"},
		{backend.Change{Kind: backend.Deleted, Path: "f", Removed: 1, Hunks: []backend.Hunk{gone}}, "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"},
		{backend.Change{Kind: backend.Created, Path: "f"}, "The file is empty.\n"},
		{backend.Change{Kind: backend.Created, Path: "f", Added: 1}, "The diff is no longer kept.\n"},
	} {
		if got := shown(t, tt.change, &screen{}); got != tt.want {
			t.Errorf("%s of %s is shown as\n%q\nwant\n%q", tt.change.Kind, tt.change.Path, got, tt.want)
		}
	}
}

// A file must not be able to steer the terminal of who looks at its diff.
func TestATerminalSeesControlCharactersAndDoesNotObeyThem(t *testing.T) {
	hunk := backend.Hunk{OldStart: 1, OldLines: 1, NewStart: 1, NewLines: 1, Lines: []string{"-\x1b]0;title\x07\tx", "+\u009b31m\u00fc"}}
	c := backend.Change{Kind: backend.Modified, Path: "f", Hunks: []backend.Hunk{hunk}}
	if got := shown(t, c, &screen{visible: true}); strings.ContainsAny(got, "\x1b\x07\u009b") {
		t.Errorf("without colour: %q", got)
	}
	got := shown(t, c, &screen{colour: true, visible: true})
	for _, want := range []string{"\x1b[31m-\\x1b]0;title\\a\tx\x1b[0m\n", "\x1b[32m+\\u009b31m\u00fc\x1b[0m\n", "\x1b[36m@@ -1 +1 @@\x1b[0m\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%q", want, got)
		}
	}
}
