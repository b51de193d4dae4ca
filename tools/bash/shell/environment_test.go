//go:build linux

package shell_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"septet/tools/bash/shell"
)

// TestEnvironmentDisarmsGit: the settings win over a repository's own.
func TestEnvironmentDisarmsGit(t *testing.T) {
	ws := newDisk(t)
	mark := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(ws.root, "x")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+mark+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	git := func(env []string, dir string, args ...string) error {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, env
		return cmd.Run()
	}
	open := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	if err := git(open, ws.root, "config", "core.fsmonitor", script); err != nil {
		t.Fatal(err)
	}
	git(shell.Environment(), ws.root, "status")
	if _, err := os.Stat(mark); err == nil {
		t.Error("the monitor of the repository ran")
	}
	git(open, ws.root, "status")
	if _, err := os.Stat(mark); err != nil {
		t.Error("without the environment the monitor does not run: the test proves nothing")
	}
	bare := filepath.Join(ws.root, "bare")
	if err := git(open, ws.root, "clone", "--quiet", "--bare", ".", bare); err != nil {
		t.Fatal(err)
	}
	if err := git(open, bare, "log"); err != nil {
		t.Errorf("without the environment a bare repository does not work: %v", err)
	}
	if err := git(shell.Environment(), bare, "log"); err == nil {
		t.Error("git uses a bare repository in the tree")
	}
}

func TestEnvironmentIsClosed(t *testing.T) {
	env := shell.Environment()
	if !slices.Contains(env, "PATH="+strings.Join(shell.SearchDirectories(), ":")) {
		t.Error("PATH is not the directories that are checked")
	}
	for _, entry := range []string{"HOME=/dev/null", "TMPDIR=/dev/null/no-temporary-files-where-nobody-was-asked"} { // nothing can be there
		if !slices.Contains(env, entry) {
			t.Errorf("%s is not in the environment", entry)
		}
	}
	for _, entry := range env {
		for _, name := range []string{"LD_", "BASH", "XDG_", "GIT_DIR", "GIT_EXTERNAL"} {
			if strings.HasPrefix(entry, name) {
				t.Errorf("%s is in the environment", entry)
			}
		}
	}
}
