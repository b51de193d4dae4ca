//go:build linux

package shell_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"septet/session"
	"septet/tools/bash/shell"
)

// TestFlagsOnlyRead runs every flag that a reading program's row accepts once,
// in the environment that the analysis is about, and lets strace tell what the
// program did: nothing is written, made, renamed or removed, and nothing is
// run but the program itself.
func TestFlagsOnlyRead(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts hundreds of programs under strace")
	}
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is missing")
	}
	if out, err := exec.Command("strace", "-f", "--seccomp-bpf", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not trace here: %v: %s", err, out)
	}
	ws := newDisk(t)
	for program, commands := range shell.FlagCommands() {
		t.Run(program, func(t *testing.T) {
			if _, err := exec.LookPath(program); err != nil {
				t.Skipf("%s is missing", program)
			}
			var accepted []string
			for _, command := range commands {
				a := shell.Analyse(t.Context(), ws, ".", command)
				if a.Class == session.ShellAsk && !strings.HasPrefix(a.Reason, "flag:") {
					t.Errorf("%q: %s", command, a.Reason)
				}
				if a.Class == session.ShellReadOnly {
					accepted = append(accepted, command)
				}
			}
			if len(accepted) < len(commands)*9/10 {
				t.Errorf("only %d of %d flags are accepted with this value", len(accepted), len(commands))
			}
			checkTrace(t, program, trace(t, ws.root, accepted))
		})
	}
}

// trace runs the commands one after the other and returns strace's lines.
func trace(t *testing.T, dir string, commands []string) []string {
	t.Helper()
	log := filepath.Join(t.TempDir(), "trace")
	script := strings.Join(commands, "\n")
	cmd := exec.Command("strace", "-f", "--seccomp-bpf", "-qq", "-s", "200", "-e", "trace=%file,ftruncate,fchmod,fchown,fsetxattr", "-e", "signal=none", "-o", log,
		"bash", "--noprofile", "--norc", "-p", "-c", script)
	cmd.Dir, cmd.Env = dir, shell.Environment()
	out, _ := cmd.CombinedOutput() // the exit code is the last command's
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

var (
	systemCall = regexp.MustCompile(`^\d+ +(\w+)\((.*)\) += (-?\w+)`)
	firstPath  = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
	changing   = strings.Fields("unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat mknod mknodat truncate ftruncate " +
		"chmod fchmod fchmodat chown fchown lchown fchownat utime utimes utimensat futimesat setxattr lsetxattr fsetxattr creat")
)

func checkTrace(t *testing.T, program string, lines []string) {
	t.Helper()
	executed := 0
	for _, line := range lines {
		m := systemCall.FindStringSubmatch(line)
		if m == nil || m[3] == "-1" {
			continue
		}
		name, arguments := m[1], m[2]
		path := ""
		if p := firstPath.FindStringSubmatch(arguments); p != nil {
			path = p[1]
		}
		switch {
		case name == "execve":
			executed++
			// The first is the shell; which is a script of a shell.
			if base := filepath.Base(path); executed > 1 && base != program {
				t.Errorf("ran %s: %s", path, line)
			}
		case slices.Contains(changing, name):
			t.Errorf("changed: %s", line)
		case (name == "open" || name == "openat") && regexp.MustCompile(`O_WRONLY|O_RDWR|O_CREAT|O_TRUNC`).MatchString(arguments) &&
			path != "/dev/null" && path != "/dev/tty":
			t.Errorf("opened for writing: %s", line)
		}
	}
	if executed < 2 {
		t.Errorf("%s never ran", program)
	}
}
