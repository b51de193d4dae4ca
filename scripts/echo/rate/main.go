// Command rate measures how many small calls a second a server answers over
// its pipe, with one call at a time and with many in flight:
//
//	rate ECHO
//
// ECHO is the echo program. The libraries take turns, so that a busy moment of
// the machine meets all of them, and the best round of each counts.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

const (
	rounds = 5
	calls  = 4000
	window = 32 // calls in flight; fewer than any of the servers takes at once
)

var libraries = []string{"septet", "go-sdk", "mcp-go"}

func main() {
	for _, inFlight := range []int{1, window} {
		best := map[string]float64{}
		for range rounds {
			for _, library := range libraries {
				rate, err := measure(os.Args[1], library, inFlight)
				if err != nil {
					fmt.Fprintln(os.Stderr, "rate:", library+":", err)
					os.Exit(1)
				}
				best[library] = max(best[library], rate)
			}
		}
		other := max(best["go-sdk"], best["mcp-go"])
		fmt.Printf("small calls a second, %2d in flight  septet %.0f, go-sdk %.0f, mcp-go %.0f: %.2f of the better\n",
			inFlight, best["septet"], best["go-sdk"], best["mcp-go"], best["septet"]/other)
	}
}

func measure(program, library string, inFlight int) (float64, error) {
	process := exec.Command(program, library)
	in, err := process.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := process.Start(); err != nil {
		return 0, err
	}
	c := conversation{in: in, out: bufio.NewReader(out)}
	if err := c.hello(); err != nil {
		return 0, err
	}
	started := time.Now()
	if err := c.calls(inFlight); err != nil {
		return 0, err
	}
	took := time.Since(started)
	if err := in.Close(); err != nil {
		return 0, err
	}
	return calls / took.Seconds(), process.Wait()
}

type conversation struct {
	in   io.Writer
	out  *bufio.Reader
	sent int
}

func (c *conversation) hello() error {
	_, err := io.WriteString(c.in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"rate","version":"1"}}}`+"\n")
	if err != nil {
		return err
	}
	if _, err := c.out.ReadString('\n'); err != nil {
		return err
	}
	_, err = io.WriteString(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return err
}

// calls keeps a window of calls in flight until all are answered.
func (c *conversation) calls(inFlight int) error {
	if err := c.send(inFlight); err != nil {
		return err
	}
	seen := make([]bool, calls)
	for range calls {
		line, err := c.out.ReadString('\n')
		if err != nil {
			return err
		}
		var id int
		if _, after, found := strings.Cut(line, `"id":`); found {
			_, _ = fmt.Sscan(strings.FieldsFunc(after, func(r rune) bool { return r == ',' || r == '}' })[0], &id)
		}
		if id < 1 || id > calls || !strings.Contains(line, `"hello"`) {
			return fmt.Errorf("a strange answer: %s", line)
		}
		seen[id-1] = true
		if err := c.send(1); err != nil {
			return err
		}
	}
	if slices.Contains(seen, false) {
		return fmt.Errorf("a call was not answered")
	}
	return nil
}

func (c *conversation) send(n int) error {
	for ; n > 0 && c.sent < calls; n-- {
		c.sent++
		_, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}`+"\n", c.sent)
		if err != nil {
			return err
		}
	}
	return nil
}
