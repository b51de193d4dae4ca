//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// badHost is a host that does not behave: what it starts is the real program.
type badHost struct {
	t       *testing.T
	process *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	lines   *bufio.Reader
	dir     string
}

// newBadHost starts a server whose stderr is given; the handshake is done.
func newBadHost(t *testing.T, stderr *os.File, flags ...string) *badHost {
	t.Helper()
	theirs, ours := pipePair(t)
	return newBadHostOn(t, theirs, ours, stderr, flags...)
}

// newBadHostOn is newBadHost with an input of the caller's, both ends of it.
func newBadHostOn(t *testing.T, theirs, ours, stderr *os.File, flags ...string) *badHost {
	t.Helper()
	defer theirs.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &badHost{t: t, dir: t.TempDir()}
	// The test binary is the program when it is called by the program's name.
	h.process = &exec.Cmd{Path: self, Args: append([]string{"septet", "serve"}, flags...), Dir: h.dir, Stderr: stderr}
	h.process.Env = append(os.Environ(), "HOME="+h.dir)
	h.in, h.process.Stdin = ours, theirs
	h.out = check(h.process.StdoutPipe())(t)
	h.lines = bufio.NewReader(h.out)
	if err := h.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = h.process.Process.Kill()
		_ = ours.Close()
	})
	for _, step := range splitSteps(hello) {
		if frame, found := strings.CutPrefix(step, "> "); found {
			h.send(frame)
		}
	}
	h.answer()
	return h
}

func check[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func (h *badHost) send(frame string) {
	h.t.Helper()
	if _, err := io.WriteString(h.in, frame+"\n"); err != nil {
		h.t.Fatal(err)
	}
}

func (h *badHost) answer() string {
	h.t.Helper()
	return check(h.lines.ReadString('\n'))(h.t)
}

// startCommand starts a command that would run for long and returns its pid,
// once it runs.
func (h *badHost) startCommand() int {
	h.t.Helper()
	h.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash","arguments":{"command":"echo $$ >pid; echo started; exec sleep 60"},"_meta":{"progressToken":1}}}`)
	if line := h.answer(); !strings.Contains(line, "notifications/progress") {
		h.t.Fatalf("no progress but %s", line)
	}
	text := check(os.ReadFile(filepath.Join(h.dir, "pid")))(h.t)
	return check(strconv.Atoi(strings.TrimSpace(string(text))))(h.t)
}

// ends waits for the server and confirms that the command went with it.
func (h *badHost) ends(command int) {
	h.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- h.process.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			h.t.Errorf("the server ended with %v", err)
		}
	case <-time.After(patience):
		h.t.Fatal("the server did not end")
	}
	if err := syscall.Kill(command, 0); !errors.Is(err, syscall.ESRCH) {
		h.t.Errorf("the command is still there: %v", err)
	}
}

func TestHostThatStopsReading(t *testing.T) {
	h := newBadHost(t, nil)
	command := h.startCommand()
	if err := h.out.Close(); err != nil {
		t.Fatal(err)
	}
	// The server learns of it with its next frame.
	h.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	h.ends(command)
}

func TestHostThatIsKilled(t *testing.T) {
	h := newBadHost(t, nil)
	command := h.startCommand()
	// What the system does with the pipes of a killed process.
	if err := errors.Join(h.out.Close(), h.in.Close()); err != nil {
		t.Fatal(err)
	}
	h.ends(command)
}

func TestServerThatIsKilled(t *testing.T) {
	if !hasSupervisor {
		t.Skip("only Linux ends the commands of a killed server")
	}
	h := newBadHost(t, nil)
	command := h.startCommand()
	if err := h.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = h.process.Wait() // it was killed
	late := time.After(patience)
	for syscall.Kill(command, 0) == nil && !isZombie(command) {
		select {
		case <-late:
			t.Fatal("the command outlived the server")
		case <-time.After(time.Millisecond): // nothing tells of the end of a process that is not ours
		}
	}
}

// isZombie reports whether a process has ended and nobody took notice. A
// machine without a reaping first process keeps orphans like that.
func isZombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}

// TestHostThatIgnoresStderr fills the pipe of the log many times over.
func TestHostThatIgnoresStderr(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	h := newBadHost(t, writer, "--log-level", "debug")
	const calls = 3000
	go func() {
		for id := range calls {
			_, _ = fmt.Fprintf(h.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"list"}}`+"\n", id)
		}
	}()
	for range calls {
		if line := h.answer(); !strings.Contains(line, `"succeeded"`) {
			t.Fatalf("a strange answer: %s", line)
		}
	}
	if err := errors.Join(h.in.Close(), h.process.Wait()); err != nil {
		t.Error(err)
	}
	if waiting := pending(reader); waiting < 32<<10 {
		t.Errorf("only %d bytes of log are in the pipe: this test proves nothing", waiting)
	}
}

// pending reads what a pipe holds right now.
func pending(r *os.File) int {
	_ = r.SetReadDeadline(time.Now().Add(time.Second)) // pipes have deadlines
	buffer := make([]byte, 1<<20)
	n, _ := io.ReadAtLeast(r, buffer, len(buffer))
	return n
}

// hasSupervisor is whether a command ends with a server that was killed.
const hasSupervisor = runtime.GOOS == "linux"
