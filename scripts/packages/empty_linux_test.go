package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestInAnEmptyRoot runs the server where there is nothing but itself and a
// directory to work in: no shell, no libraries, no /tmp, /dev, /proc or /etc.
func TestInAnEmptyRoot(t *testing.T) {
	unpacked, _ := unpackHere(t)
	root := t.TempDir()
	program := content(t, unpacked, "septet")
	if err := os.WriteFile(filepath.Join(root, "septet"), program, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "work"), 0o755); err != nil {
		t.Fatal(err)
	}
	canChangeRoot(t, root)

	t.Run("with a place for state", func(t *testing.T) {
		c := connect(t, inRoot(root, []string{"HOME=/home"}, "serve", "--workspace", "/work"))
		if got := c.tools(); got != "read write edit grep glob list bash" {
			t.Errorf("the tools are %s", got)
		}
		c.fileWork()
		want := "the command was not started: bash was not found in PATH\nhint: ask the user to install bash, or add its directory to the PATH of septet"
		if text, failed := c.call("bash", `{"command":"echo hi"}`); !failed || text != want {
			t.Errorf("bash: %q, want %q", text, want)
		}
	})
	t.Run("the change can be taken back", func(t *testing.T) {
		out, err := inRoot(root, []string{"HOME=/home"}, "undo", "--workspace", "/work", "--last").CombinedOutput()
		if got := content(t, root, "work/dir/a.txt"); err != nil || string(got) != "one\ntwo\n" {
			t.Errorf("%q after %v: %s", got, err, out)
		}
	})
	t.Run("without a place for state", func(t *testing.T) {
		c := connect(t, inRoot(root, nil, "serve", "--workspace", "/work"))
		text, failed := c.call("write", `{"path":"b.txt","content":"x"}`)
		if !failed || !strings.Contains(text, "\nhint: ask the user to start septet with --state DIR, or with --no-journal") {
			t.Errorf("write: %s", text)
		}
		if _, err := os.Stat(filepath.Join(root, "work", "b.txt")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("it was written: %v", err)
		}
	})
	t.Run("without a journal", func(t *testing.T) {
		connect(t, inRoot(root, nil, "serve", "--workspace", "/work", "--no-journal")).fileWork()
	})
	t.Run("doctor", func(t *testing.T) {
		out, err := inRoot(root, nil, "doctor", "--workspace", "/work").CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), "bash was not found in PATH") {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// inRoot is the program with another root directory. Whoever is not root needs
// a user namespace for that.
func inRoot(root string, env []string, args ...string) *exec.Cmd {
	cmd := exec.Command("/septet", args...)
	cmd.Dir = "/"
	cmd.Env = append([]string{"LC_ALL=C"}, env...) // nil would be the environment of the test
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	return cmd
}

func canChangeRoot(t *testing.T, root string) {
	t.Helper()
	err := inRoot(root, nil, "version").Run()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		t.Skip("this user may not change the root directory: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}
