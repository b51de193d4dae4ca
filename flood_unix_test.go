//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestUnreadHostThatHangsUp: the host reads nothing, so that the server stops
// reading its frames, and then ends its input, but lives on. What lies in the
// input before its end is never read.
func TestUnreadHostThatHangsUp(t *testing.T) {
	for name, pipe := range map[string]func(*testing.T) (theirs, ours *os.File){
		"pipe":   pipePair,
		"socket": socketPair, // as hosts written for Node have it
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it mostly waits
			theirs, ours := pipe(t)
			h := newBadHostOn(t, theirs, ours, nil)
			command := h.startCommand()
			h.fillOutput(ours)
			hangUp(t, ours)
			h.ends(command)
		})
	}
}

// TestHostThatHangsUpAndReads: what it sent before is answered all the same.
func TestHostThatHangsUpAndReads(t *testing.T) {
	theirs, ours := pipePair(t)
	h := newBadHostOn(t, theirs, ours, nil, "--drain", "20s")
	sent := h.fillOutput(ours)
	hangUp(t, ours)
	answered := 0
	for ; ; answered++ {
		if _, err := h.lines.ReadString('\n'); err != nil {
			break
		}
	}
	if answered < sent {
		t.Errorf("%d of %d frames were answered", answered, sent)
	}
	if err := h.process.Wait(); err != nil {
		t.Error(err)
	}
}

func pipePair(t *testing.T) (theirs, ours *os.File) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return theirs, ours
}

func socketPair(t *testing.T) (theirs, ours *os.File) {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	syscall.CloseOnExec(pair[0])
	syscall.CloseOnExec(pair[1])
	if err := syscall.SetNonblock(pair[1], true); err != nil { // so that writes have deadlines
		t.Fatal(err)
	}
	return os.NewFile(uintptr(pair[0]), "theirs"), os.NewFile(uintptr(pair[1]), "ours")
}

// hangUp ends one direction of a socket, or closes a pipe.
func hangUp(t *testing.T, f *os.File) {
	t.Helper()
	err := syscall.Shutdown(int(f.Fd()), syscall.SHUT_WR)
	if errors.Is(err, syscall.ENOTSOCK) {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// fillOutput sends frames with long answers, which nobody reads, until no more
// are taken, and returns how many it sent whole.
func (h *badHost) fillOutput(in *os.File) (sent int) {
	h.t.Helper()
	method := strings.Repeat("x", 8<<10) // that is unknown; the answer repeats it
	const enough = 4000
	for ; sent < enough; sent++ {
		_ = in.SetWriteDeadline(time.Now().Add(time.Second))
		if _, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":"fill %d","method":"%s"}`+"\n", sent, method); errors.Is(err, os.ErrDeadlineExceeded) {
			return sent
		} else if err != nil {
			h.t.Fatal(err)
		}
	}
	h.t.Fatal("the server reads on although its answers are not read")
	return 0
}
