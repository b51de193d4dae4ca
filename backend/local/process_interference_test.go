//go:build linux

package local

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"septet/backend"
)

// A command may do to its supervisor what the kernel lets it do: it returns
// all the same, tells the truth, and leaves nothing. What needs root to reach
// the supervisor's descriptors is tried as root only.
func TestInterference(t *testing.T) {
	const begun = "echo begun; "
	rows := []struct {
		name, script string
		root         bool
		status       backend.CompletionStatus
		code         int
		leftover     string
	}{
		{"rubbish in its reports", begun + "echo rubbish >/proc/$PPID/fd/4; sleep 60", true, backend.TimedOut, 0, ""},
		{"rubbish before its last report", begun + "printf '{' >/proc/$PPID/fd/4; exit 3", true, backend.Exited, 3, ""},
		{"endless rubbish", begun + "head -c 1000000 /dev/zero | tr '\\0' '[' >/proc/$PPID/fd/4; exit 3", true, backend.Exited, 3, ""},
		{"its reports held open", begun + "exec 9>/proc/$PPID/fd/4; kill -9 $PPID; setsid sleep 60 & sleep 60", true, backend.Signaled, 0, ""},
		{"its reports taken", begun + "exec 9</proc/$PPID/fd/4; (setsid cat <&9 >/dev/null &); exit 3", true, "", 0, ""},
		{"a false start", begun + "echo '{\"Started\":1}' >/proc/$PPID/fd/4; kill -9 $PPID; setsid sleep 60 & sleep 60", true, backend.Signaled, 0, ""},
		{"no files to open", begun + "prlimit --pid $PPID --nofile=3:3; setsid sleep 60 & exit 3", false, backend.Exited, 3, "?"},
		{"no memory", begun + "prlimit --pid $PPID --as=1000:1000; setsid sleep 60 & exit 3", false, "", 0, ""},
		{"traced and stopped", begun + "python3 -c '" + tracer + "'; exit 3", true, backend.TimedOut, 0, ""},
		{"traced and stopped in the background", begun + "python3 -c '" + tracer + "' & until [ -e traces ]; do sleep 0.01; done; exit 3", true, "", 0, ""},
		{"made the tracer of its leader", begun + "exec python3 -c '" + traced + "'", false, backend.TimedOut, 0, ""},
		{"made the tracer of an orphan", begun + "(setsid python3 -c '" + traced + "' &) ; until [ -e traced ]; do sleep 0.01; done; exit 3", false, backend.Exited, 3, "python3"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if row.root && os.Getuid() != 0 {
				t.Skip("only root can reach the supervisor")
			}
			w := newWorld(t)
			c := w.served(t, row.script)
			if row.status != "" && c.Status != row.status || c.ExitCode != row.code && row.status != "" {
				t.Errorf("got %s %d %s, want %s %d", c.Status, c.ExitCode, c.Signal, row.status, row.code)
			}
			if c.Stdout.Head != "begun\n" || strings.Join(c.Leftover, " ") != row.leftover && row.leftover != "" {
				t.Errorf("stdout %q, leftover %v", c.Stdout.Head, c.Leftover)
			}
			if c.Duration > 30*time.Second {
				t.Errorf("it took %v", c.Duration)
			}
			w.nothingLeft(row.script)
		})
	}
}

// tracer stops the supervisor of its shell, and has it for as long as it runs.
const tracer = `
import ctypes, os, time
ptrace = ctypes.CDLL(None).ptrace
with open("/proc/%d/stat" % os.getppid()) as f: shim = int(f.read().split()[3])
ptrace(0x4206, shim, 0, 0); ptrace(0x4207, shim, 0, 0)
open("traces", "w"); time.sleep(60)`

// traced makes its parent, once that is the supervisor, its tracer, and gets a
// signal that a tracer is told of.
const traced = `
import ctypes, os, time
while open("/proc/%d/comm" % os.getppid()).read() == "bash\n": time.sleep(0.01)
ctypes.CDLL(None).ptrace(0, 0, 0, 0); open("traced", "w")
os.kill(os.getpid(), 19); time.sleep(60)`

// served runs a script in a server that adopts, for a second, and returns the
// result after the server has ended.
func (w *world) served(t *testing.T, script string) backend.Completion {
	t.Helper()
	if strings.Contains(script, "python3") {
		if _, err := exec.LookPath("python3"); err != nil {
			t.Skip("python3 is not installed")
		}
	}
	out, err := w.server([]string{"SEPTET_TEST_ADOPTS=1", "SEPTET_TEST_TIMEOUT=1s"}, script).Output()
	var c backend.Completion
	if err != nil || json.Unmarshal(out, &c) != nil {
		t.Fatalf("%s, %v", out, err)
	}
	return c
}

// A supervisor that is made to say that something could not be killed is told
// to kill it.
func TestFalseSurvivor(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can reach the supervisor")
	}
	w := newWorld(t)
	c := w.run(context.Background(), `echo '{"Alive":[{"PID":1,"Name":"x","State":"D"}]}' >/proc/$PPID/fd/4; setsid sleep 60`)
	wantStatus(t, c, backend.OutcomeUnknown)
	eventually(t, "all are gone", func() bool { return len(survivors(w.mark)) == 0 })
}

// More than can be named are told to be more.
func TestManyLeftovers(t *testing.T) {
	t.Parallel()
	c := newWorld(t).run(context.Background(), "for i in {1..60}; do sleep 60 & done; exit 3")
	if wantExit(t, c, 3); len(c.Leftover) != maxLeftoverNames+1 || c.Leftover[maxLeftoverNames] != "..." {
		t.Errorf("leftover %v", c.Leftover)
	}
	c = newWorld(t).run(context.Background(), "for i in {1..50}; do sleep 60 & done; exit 3")
	if wantExit(t, c, 3); len(c.Leftover) != maxLeftoverNames || c.Leftover[maxLeftoverNames-1] != "sleep" {
		t.Errorf("leftover %v", c.Leftover)
	}
}

// A command that freezes its supervisor keeps it from being killed: the answer
// names the supervisor as alive, the rest is ended all the same, and the late
// end is told.
func TestFrozenShim(t *testing.T) {
	t.Parallel()
	freezer := newFreezer(t)
	late := make(chan backend.Completion, 1)
	w := newWorldWith(t, ProcessConfig{Shim: shimPath, Late: func(_ string, c backend.Completion) { late <- c }})
	w.command.Env = append(w.command.Env, "FREEZER="+freezer)
	c := w.run(w.within(500*time.Millisecond),
		"echo begun; setsid sleep 60 & echo $PPID >$FREEZER/cgroup.procs; echo FROZEN >$FREEZER/freezer.state; sleep 60")
	if wantStatus(t, c, backend.OutcomeUnknown); len(c.Alive) != 1 || c.Alive[0].State != "D" || c.Stdout.Head != "begun\n" {
		t.Fatalf("got %+v", c)
	}
	if left := survivors(w.mark); len(left) != 1 || left[0].pid != c.Alive[0].PID {
		t.Errorf("alive: %v", left)
	}
	thaw(t, freezer)
	if c := <-late; c.Status != backend.OutcomeUnknown || c.Stdout.Head != "begun\n" {
		t.Errorf("late: %+v", c)
	}
	w.nothingLeft("freezer")
}

// newFreezer makes a cgroup that can be frozen so that a kill waits: the second
// version of cgroups has none.
func newFreezer(t *testing.T) string {
	t.Helper()
	dir := fmt.Sprintf("/sys/fs/cgroup/freezer/septet-test-%d", os.Getpid())
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skipf("no cgroup of the first version can be made: %v", err)
	}
	t.Cleanup(func() {
		thaw(t, dir)
		eventually(t, "the cgroup is empty", func() bool { return os.Remove(dir) == nil })
	})
	return dir
}

func thaw(t *testing.T, freezer string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(freezer, "freezer.state"), []byte("THAWED"), 0o644); err != nil {
		t.Error(err)
	}
}
