package main

import (
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"septet/toolset"
)

var update = flag.Bool("update", false, "write testdata/golden anew")

// TestGoldenTools shows every change of what hosts and models read about the
// tools: names, descriptions, schemas and hints.
func TestGoldenTools(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	process := exec.Cmd{Path: self, Args: []string{"septet", "tools", "--json"}, Env: os.Environ()}
	got, err := process.Output()
	if err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "testdata/golden/tools.json", string(got))
}

// TestGoldenCodes keeps the list of codes append-only: hosts act on them.
func TestGoldenCodes(t *testing.T) {
	var b strings.Builder
	for _, code := range toolset.Codes() {
		b.WriteString(string(code) + "\n")
	}
	compareGolden(t, "testdata/golden/codes.txt", b.String())
}

func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	wantLines, gotLines := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i, line := range gotLines {
		if i >= len(wantLines) || line != wantLines[i] {
			t.Fatalf("%s: line %d is now\n%s\nIf that is meant, run go test -run Golden -update .", file, i+1, line)
		}
	}
	t.Fatalf("%s: the end is missing. If that is meant, run go test -run Golden -update .", file)
}
