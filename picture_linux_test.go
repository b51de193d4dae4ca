package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPicture draws the picture of the README again: it must show what the
// program says now.
func TestPicture(t *testing.T) {
	for _, program := range []string{"go", "bash", "sed"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program, " is not installed")
		}
	}
	drawn := filepath.Join(t.TempDir(), "picture.svg")
	if out, err := exec.CommandContext(t.Context(), "go", "run", "./scripts/picture", drawn).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, want := pictureLines(t, drawn), pictureLines(t, "docs/picture.svg")
	for i, line := range got {
		if i >= len(want) || line != want[i] {
			t.Fatalf("the picture is out of date: line %d is now %q. Draw it: go run ./scripts/picture docs/picture.svg", i+1, line)
		}
	}
	if len(got) != len(want) {
		t.Fatal("the end of the picture is out of date. Draw it: go run ./scripts/picture docs/picture.svg")
	}
}

// pictureLines are the lines of a drawing, with their colours.
func pictureLines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "</text>") {
		t.Fatalf("%s shows nothing", name)
	}
	return strings.Split(string(text), "\n")
}
