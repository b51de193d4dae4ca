package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestParallelEditsOverThePipe: a host sends 100 edits of one file without
// waiting for an answer. Each has its own line to change, and all are there.
func TestParallelEditsOverThePipe(t *testing.T) {
	const edits = 100
	workspace := t.TempDir()
	var before, after, steps strings.Builder
	steps.WriteString(".hello\n")
	for i := range edits {
		fmt.Fprintf(&before, "line %d: old\n", i)
		fmt.Fprintf(&after, "line %d: new\n", i)
		fmt.Fprintf(&steps, `> {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"edit","arguments":{"path":"f","oldText":"line %d: old","newText":"line %d: new"}}}`+"\n", i, i, i)
	}
	for i := range edits {
		fmt.Fprintf(&steps, `< {"id":%d,"result":{"_meta":{"septet/status":"succeeded"}}}`+"\n", i)
	}
	file := filepath.Join(workspace, "f")
	if err := os.WriteFile(file, []byte(before.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	stderr, err := converse(steps.String(), exec.Command("septet", "serve", "--workspace", workspace, "--state", t.TempDir()))
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != after.String() {
		t.Errorf("the file holds (%v):\n%s", err, got)
	}
}
