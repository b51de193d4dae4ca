package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPastThatCannotBeWritten looks at changes in a state directory in which
// nothing can be made, as in a home that is mounted read only.
func TestPastThatCannotBeWritten(t *testing.T) {
	write := septet(t, "call", "write", "path=a.txt", "content=one", "--state", filepath.Join(t.TempDir(), "state"))
	state := write.Args[len(write.Args)-1]
	if out, err := write.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	openTo(t, filepath.Dir(state))
	openTo(t, write.Dir)
	modes := func(directory, file fs.FileMode) {
		check(0, filepath.WalkDir(state, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				return os.Chmod(name, directory)
			} else if err == nil {
				return os.Chmod(name, file)
			}
			return err
		}))(t)
	}
	modes(0o555, 0o444)
	t.Cleanup(func() { modes(0o755, 0o644) })
	look := func(args ...string) (string, error) {
		// The binary is where only its owner gets, so it is called by its handle.
		cmd := &exec.Cmd{Path: "/proc/self/exe", Args: append(append([]string{"septet"}, args...), "--state", state), Dir: write.Dir, Env: []string{}}
		if os.Getuid() == 0 { // root may write everything
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	list, err := look("changes")
	if err != nil || !strings.Contains(list, "created +1 -0  a.txt") {
		t.Fatalf("changes: %v, %s", err, list)
	}
	if out, err := look("show", list[:8]); err != nil || !strings.Contains(out, "+one") {
		t.Errorf("show: %v, %s", err, out)
	}
	if out, err := look("undo", "--last"); err == nil || !strings.Contains(out, "cannot be written") || !strings.Contains(out, "hint: make it writable") {
		t.Errorf("undo: %v, %s", err, out)
	}
	if out, _ := look("doctor"); !strings.Contains(out, "cannot be written; write and edit will refuse, changes and show work") {
		t.Errorf("doctor: %s", out)
	}
	modes(0o500, 0o400)
	if out, err := look("changes"); os.Getuid() == 0 && (err == nil || !strings.Contains(out, "neither be written nor read")) {
		t.Errorf("changes of somebody else: %v, %s", err, out)
	}
}
