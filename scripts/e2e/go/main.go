// Command go drives a server with Go client libraries:
//
//	go SCENARIO.json WORKSPACES SEPTET...
//
// Every client of the table speaks every revision it knows and runs the
// scenario in a workspace of its own below WORKSPACES. Each check prints "ok"
// or "FAIL" with its name; the exit code is 1 when one failed.
//
//	go hosts WORKSPACES SEPTET
//
// starts what septet config writes for hosts.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// revisions are what both libraries speak.
var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

var clients = []struct {
	name    string
	connect func(ctx context.Context, revision string, command []string) (client, error)
}{
	{"go-sdk-1.8.0", connectGoSDK},
	{"mcp-go-1.2.1", connectMCPGo},
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: go SCENARIO.json WORKSPACES SEPTET...")
		os.Exit(2)
	}
	if os.Args[1] == "hosts" {
		os.Exit(min(checkHosts(os.Args[3], os.Args[2]), 1))
	}
	s, err := readScenario(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	failures := 0
	for _, c := range clients {
		for _, revision := range revisions {
			workspace := filepath.Join(os.Args[2], c.name+"-"+revision)
			run := &run{scenario: s, name: fmt.Sprintf("go %s at %s", c.name, revision), revision: revision}
			run.all(workspace, func(ctx context.Context) (client, error) {
				return c.connect(ctx, revision, inWorkspace(os.Args[3:], workspace))
			})
			failures += run.failures
		}
	}
	if failures > 0 {
		os.Exit(1)
	}
}

// inWorkspace puts the workspace where the command line says WORKSPACE.
func inWorkspace(command []string, workspace string) []string {
	out := make([]string, len(command))
	for i, arg := range command {
		out[i] = strings.ReplaceAll(arg, "WORKSPACE", workspace)
	}
	return out
}
