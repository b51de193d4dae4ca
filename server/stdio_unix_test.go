//go:build unix

package server_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"septet/server"
)

// childMode makes this test binary play a program that takes its standard
// output.
const childMode = "SEPTET_SERVER_TEST_CHILD"

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		os.Exit(playChild(mode))
	}
	os.Exit(m.Run())
}

func playChild(mode string) int {
	out, err := server.TakeStdout()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	switch mode {
	case "print":
		fmt.Println("printed by accident")
		_, _ = os.Stdout.WriteString("written by accident\n")
		child := exec.Command("/bin/sh", "-c", "echo said by a child; for fd in 3 4 5 6 7 8 9; do echo leak >&$fd; done 2>/dev/null; true")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Run(); err != nil {
			return 4
		}
		_, err = out.WriteString("{}\n")
	case "dead":
		_, err = bufio.NewReader(os.Stdin).ReadString('\n') // the other side has closed by then
		if err == nil {
			_, err = out.WriteString("{}\n")
		}
		if errors.Is(err, syscall.EPIPE) {
			return 0
		}
		return 5
	case "sigpipe":
		child := exec.Command("/bin/sh", "-c", "kill -PIPE $$; echo survived")
		text, _ := child.Output()
		_, err = fmt.Fprintf(out, "%s\n", bytes.TrimSpace(text))
	}
	if err != nil {
		return 6
	}
	return 0
}

func childCommand(mode string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childMode+"="+mode)
	return c
}

func TestStdoutBelongsToTheProtocol(t *testing.T) {
	c := childCommand("print")
	var stdout, stderr strings.Builder
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	if stdout.String() != "{}\n" {
		t.Errorf("stdout has %q", stdout.String())
	}
	for _, text := range []string{"printed by accident", "written by accident", "said by a child"} {
		if !strings.Contains(stderr.String(), text) {
			t.Errorf("stderr lacks %q: %q", text, stderr.String())
		}
	}
}

func TestDeadStdoutIsAnError(t *testing.T) {
	c := childCommand("dead")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	_, _ = io.WriteString(in, "now\n")
	if err := c.Wait(); err != nil {
		t.Errorf("the program did not survive: %v", err)
	}
}

// TestSIGPIPEReachesChildren: ignored, it would be inherited, and every
// `yes | head` would complain.
func TestSIGPIPEReachesChildren(t *testing.T) {
	text, err := childCommand("sigpipe").Output()
	if err != nil || strings.TrimSpace(string(text)) != "" {
		t.Errorf("a child said %q, %v", text, err)
	}
}
