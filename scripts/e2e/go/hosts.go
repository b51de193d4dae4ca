package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// hostFile is what a host reads, and how.
type hostFile struct {
	name   string
	file   string // below the workspace
	table  string
	decode func([]byte, any) error
	words  map[string]string // what the host replaces by the workspace
}

var hostFiles = []hostFile{
	{"claude-code", ".mcp.json", "mcpServers", json.Unmarshal, map[string]string{"${CLAUDE_PROJECT_DIR:-.}": "WORKSPACE"}},
	{"cursor", ".cursor/mcp.json", "mcpServers", json.Unmarshal, map[string]string{"${workspaceFolder}": "WORKSPACE"}},
	{"vscode", ".vscode/mcp.json", "servers", json.Unmarshal, map[string]string{"${workspaceFolder}": "WORKSPACE"}},
	{"codex", "config.toml", "mcp_servers", toml.Unmarshal, nil},
}

// checkHosts has septet write the files of hosts, reads them as the hosts do,
// and starts what they say: a client must find seven tools.
func checkHosts(septet, workspaces string) (failures int) {
	for _, h := range hostFiles {
		tools, err := h.check(septet, filepath.Join(workspaces, h.name))
		if err != nil || len(tools) != 7 {
			failures++
			fmt.Printf("FAIL config %s: %d tools, %v\n", h.name, len(tools), err)
			continue
		}
		fmt.Printf("ok config %s: its client starts what was written and finds %s\n", h.name, strings.Join(tools, " "))
	}
	return failures
}

func (h hostFile) check(septet, workspace string) ([]string, error) {
	if err := os.MkdirAll(workspace, 0o755); err != nil {
		return nil, err
	}
	file := filepath.Join(workspace, h.file)
	config := exec.Command(septet, "config", h.name, "--write", "--workspace", workspace)
	if h.name == "codex" { // its file is the user's
		config.Env = append(os.Environ(), "CODEX_HOME="+workspace)
	}
	if out, err := config.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	command, err := h.command(file, workspace)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := connectGoSDK(ctx, "2025-11-25", append([]string{"env", "-C", workspace}, command...))
	if err != nil {
		return nil, fmt.Errorf("start %q: %w", command, err)
	}
	defer c.Close()
	return c.Tools(ctx)
}

// command is what the host starts.
func (h hostFile) command(file, workspace string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var document map[string]map[string]struct {
		Command string   `json:"command" toml:"command"`
		Args    []string `json:"args" toml:"args"`
	}
	if err := h.decode(text, &document); err != nil {
		return nil, err
	}
	entry := document[h.table]["septet"]
	command := append([]string{entry.Command}, entry.Args...)
	for i, arg := range command {
		if h.words[arg] == "WORKSPACE" {
			command[i] = workspace
		}
	}
	return command, nil
}
