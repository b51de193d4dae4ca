//go:build linux

package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"septet/backend"
)

// lonely is a user of whom nothing else runs, so that its processes can be
// counted. Unlike root it has no right to more.
func lonely(t *testing.T, w *world) *syscall.SysProcAttr {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root to become a user of whom nothing else runs")
	}
	for dir := w.dir; len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		_ = os.Chmod(dir, 0o777)
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65531, Gid: 65531}}
}

// playWaiters gives up the right to more threads and then has serverThreads
// goroutines wait in the kernel at once, each of which takes one.
func playWaiters() int {
	if os.Args[1] == "reserve" {
		ReserveThreads()
	}
	var pipe [2]int
	if err := errors.Join(unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: 1, Max: 1}), unix.Pipe(pipe[:])); err != nil {
		return 3
	}
	var waiting, served sync.WaitGroup
	for range serverThreads {
		waiting.Add(1)
		served.Go(func() {
			waiting.Done()
			_, _ = unix.Read(pipe[0], make([]byte, 1)) // through os it would not wait in the kernel
		})
	}
	waiting.Wait()
	_, _ = unix.Write(pipe[1], make([]byte, serverThreads))
	served.Wait()
	fmt.Println("all were served")
	return 0
}

// Threads made in advance serve when no others are to be had; without them the
// runtime ends the process.
func TestReservedThreads(t *testing.T) {
	w := newWorld(t)
	for mode, want := range map[string]string{"reserve": "all were served", "none": "create"} {
		cmd := w.server([]string{roleVariable + "=waiters"}, mode)
		cmd.Stderr = nil
		cmd.SysProcAttr = lonely(t, w)
		if out, _ := cmd.CombinedOutput(); !strings.Contains(string(out), want) {
			t.Errorf("%s: %.300s", mode, out)
		}
	}
}

// A command that uses up the processes of its user ends neither its supervisor
// nor the server. Here it takes their right to a further thread.
func TestNoThreadsLeft(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("prlimit"); err != nil {
		t.Skip("prlimit is not installed")
	}
	w := newWorld(t)
	const script = `prlimit --pid $PPID --nproc=1 && prlimit --pid $(cut -d' ' -f4 /proc/$PPID/stat) --nproc=1 && echo none left
for i in {1..5}; do setsid sleep 30 & done; sleep 30`
	for range 10 {
		cmd := w.server([]string{"SEPTET_TEST_ADOPTS=1", "SEPTET_TEST_TIMEOUT=500ms"}, script)
		cmd.SysProcAttr = lonely(t, w)
		out, err := cmd.Output()
		var c backend.Completion
		if err != nil || json.Unmarshal(out, &c) != nil || c.Status != backend.TimedOut {
			t.Errorf("%.200s, %v", out, err)
		}
		w.nothingLeft("no threads left")
	}
}
