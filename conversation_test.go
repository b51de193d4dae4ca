package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A conversation is a file of frames with a server. Lines that begin with a
// blank continue the line before.
//
//	# comment
//	> FRAME      send one frame, on one line
//	>raw "TEXT"  send bytes as they are, written as a Go string
//	< PATTERN    one frame that matches arrives (see pattern_test.go)
//	<+ PATTERN   one or more frames that match arrive
//	.hello       the handshake of 2025-11-25
//	.close       end of input
//	.signal TERM|INT|HUP
//	.exit N      the program ends with this code
//
// "<" takes the first frame that matches of those not taken yet, whenever it
// came, so answers may arrive in any order. "<+" takes all that match and, as
// it does not know how many come, those of later steps too. Frames that are
// left over at the end are a mistake: what is not expected must not be sent.
// A conversation that does not close its input or end the program does both at
// its end and expects exit code 0.

// patience ends a step that waits for nothing. No step comes near it.
const patience = 20 * time.Second

const hello = `
> {"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"script","version":"1"}}}
< {"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"septet"}}}
> {"jsonrpc":"2.0","method":"notifications/initialized"}
`

// conversation is one run of a program and what it has said so far.
type conversation struct {
	process *exec.Cmd
	input   io.WriteCloser
	frames  <-chan frame
	untaken []frame
	many    []any // patterns of "<+"
	stderr  bytes.Buffer
	closed  bool
	exited  bool
}

type frame struct {
	text  string
	value any
	err   error // not a frame
}

// converse starts the program and goes through the steps.
func converse(steps string, process *exec.Cmd) (stderr string, err error) {
	c := &conversation{process: process}
	if err := c.start(); err != nil {
		return "", err
	}
	for _, step := range append(splitSteps(steps), ".close", ".exit 0") {
		if err = c.step(step); err != nil {
			err = fmt.Errorf("%s\n%w", step, err)
			break
		}
	}
	err = errors.Join(err, c.end(err != nil))
	return c.stderr.String(), err
}

func splitSteps(text string) []string {
	var steps []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case (line[0] == ' ' || line[0] == '\t') && len(steps) > 0:
			steps[len(steps)-1] += " " + strings.TrimSpace(line)
		case line == ".hello":
			steps = append(steps, splitSteps(hello)...)
		default:
			steps = append(steps, line)
		}
	}
	return steps
}

func (c *conversation) start() error {
	output, err := c.process.StdoutPipe()
	if err != nil {
		return err
	}
	c.process.Stderr = &c.stderr
	if c.input, err = c.process.StdinPipe(); err != nil {
		return err
	}
	c.frames = readFrames(output)
	return c.process.Start()
}

// readFrames reads lines until the end. A line that is no JSON object is
// reported: standard output carries frames and nothing else.
func readFrames(r io.Reader) <-chan frame {
	frames := make(chan frame, 1000)
	go func() {
		defer close(frames)
		lines := bufio.NewReader(r)
		for {
			line, err := lines.ReadString('\n')
			if line != "" {
				f := frame{text: strings.TrimSuffix(line, "\n")}
				f.value, f.err = decode(f.text)
				frames <- f
			}
			if err != nil {
				return
			}
		}
	}()
	return frames
}

func decode(text string) (any, error) {
	var value any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("more than one value")
	}
	return value, nil
}

func (c *conversation) step(step string) error {
	verb, rest, _ := strings.Cut(step, " ")
	switch verb {
	case ">":
		return c.send(rest + "\n")
	case ">raw":
		text, err := strconv.Unquote(strings.TrimSpace(rest))
		if err != nil {
			return err
		}
		return c.send(text)
	case "<", "<+":
		pattern, err := decode(rest)
		if err != nil {
			return err
		}
		return c.expect(pattern, verb == "<+")
	case ".close":
		if c.closed || c.exited {
			return nil
		}
		c.closed = true
		return c.input.Close()
	case ".signal":
		return c.process.Process.Signal(map[string]os.Signal{
			"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP,
		}[rest])
	case ".exit":
		return c.wait(rest)
	}
	return errors.New("no such step")
}

func (c *conversation) send(text string) error {
	_, err := io.WriteString(c.input, text)
	return err
}

func (c *conversation) expect(pattern any, many bool) error {
	if many {
		c.many = append(c.many, pattern)
	}
	for i, f := range c.untaken {
		if matches, err := f.answers(pattern); matches || err != nil {
			c.untaken = append(c.untaken[:i], c.untaken[i+1:]...)
			return err
		}
	}
	late := time.After(patience)
	for {
		select {
		case f, open := <-c.frames:
			if !open {
				return fmt.Errorf("the output ended; %s", c.leftovers())
			}
			if matches, err := f.answers(pattern); matches || err != nil {
				return err
			}
			c.untaken = append(c.untaken, f)
		case <-late:
			return fmt.Errorf("nothing like it arrived; %s", c.leftovers())
		}
	}
}

// answers reports whether the frame is the one that the pattern is for. The
// answer to the same id is, whatever is in it, so it may be the wrong one.
func (f frame) answers(pattern any) (bool, error) {
	if f.err != nil {
		return false, fmt.Errorf("%w: %s", f.err, f.text)
	}
	err := match(pattern, f.value)
	if err == nil {
		return true, nil
	}
	expected, _ := pattern.(map[string]any)
	got, _ := f.value.(map[string]any)
	if id, there := expected["id"]; there && got["id"] == id {
		return false, fmt.Errorf("%w; it was:\n  %s", err, f.text)
	}
	return false, nil
}

// leftovers describes the frames that nothing expected.
func (c *conversation) leftovers() string {
	if len(c.untaken) == 0 {
		return "no other frame is waiting"
	}
	var b strings.Builder
	b.WriteString("these are waiting:")
	for _, f := range c.untaken {
		b.WriteString("\n  " + f.text)
	}
	return b.String()
}

// wait expects the end of the program and collects what it still said.
func (c *conversation) wait(code string) error {
	if c.exited {
		return nil
	}
	late := time.AfterFunc(patience, func() { _ = c.process.Process.Kill() })
	defer late.Stop()
	for f := range c.frames {
		c.untaken = append(c.untaken, f)
	}
	c.exited = true
	_ = c.process.Wait() // the exit code says it
	if got := strconv.Itoa(c.process.ProcessState.ExitCode()); got != code {
		return fmt.Errorf("exit code %s, stderr:\n%s", got, c.stderr.String())
	}
	return nil
}

// end stops a program that a failed step left running and reports frames that
// nothing took.
func (c *conversation) end(failed bool) error {
	if failed {
		if !c.exited {
			_ = c.process.Process.Kill()
			_ = c.wait("-1")
		}
		return nil
	}
	for i := len(c.untaken) - 1; i >= 0; i-- {
		f := c.untaken[i]
		for _, pattern := range c.many {
			if f.err == nil && match(pattern, f.value) == nil {
				c.untaken = append(c.untaken[:i], c.untaken[i+1:]...)
				break
			}
		}
	}
	if len(c.untaken) > 0 {
		return fmt.Errorf("frames that nothing expected; %s", c.leftovers())
	}
	return nil
}
