package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// patience is how long a server may take to end after its input.
const patience = time.Second

// longest is how long an answer may take before the server is given up; the
// slowest of them needs a tenth of a second on an idle machine.
const longest = 30 * time.Second

// client is a running server.
type client struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	sent    int
}

// launch starts a server in a directory; the caller stops it.
func launch(ctx context.Context, c *contestant, dir string) (*client, error) {
	process := exec.CommandContext(ctx, c.command[0], c.command[1:]...)
	process.Env, process.Dir = c.env, dir
	in, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &client{process: process, in: in, out: bufio.NewReaderSize(out, 1<<20)}, process.Start()
}

// hello is the first request of every client.
func (c *client) hello() (time.Duration, error) {
	took, _, err := c.request("initialize", args{
		"protocolVersion": "2025-06-18", "capabilities": args{}, "clientInfo": args{"name": "bench", "version": "1"},
	})
	if err != nil {
		return 0, err
	}
	_, err = io.WriteString(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return took, err
}

// call returns how long the answer took and its texts, joined.
func (c *client) call(what call) (time.Duration, string, error) {
	took, raw, err := c.request("tools/call", args{"name": what.tool, "arguments": what.arguments})
	if err != nil {
		return 0, "", err
	}
	var result struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return 0, "", err
	}
	var texts []string
	for _, c := range result.Content {
		texts = append(texts, c.Text)
	}
	text := strings.Join(texts, "\n")
	if result.IsError {
		return 0, "", fmt.Errorf("%s: %.200s", what.tool, text)
	}
	return took, text, nil
}

// request takes the time from the first byte sent to the last one received;
// encoding and decoding are the client's affair.
func (c *client) request(method string, params any) (time.Duration, json.RawMessage, error) {
	c.sent++
	frame, err := json.Marshal(args{"jsonrpc": "2.0", "id": c.sent, "method": method, "params": params})
	if err != nil {
		return 0, nil, err
	}
	deadline := time.AfterFunc(longest, c.kill)
	defer deadline.Stop()
	began := time.Now()
	if _, err := c.in.Write(append(frame, '\n')); err != nil {
		return 0, nil, err
	}
	for {
		line, err := c.out.ReadBytes('\n')
		took := time.Since(began)
		if err != nil {
			return 0, nil, fmt.Errorf("%s: the server is gone: %w", method, err)
		}
		var answer struct {
			ID            *int
			Method        string
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			return 0, nil, err
		}
		if answer.Method != "" || answer.ID == nil || *answer.ID != c.sent {
			continue // a notification, which some servers send many of
		}
		if answer.Error != nil {
			return 0, nil, errors.New(string(answer.Error))
		}
		return took, answer.Result, nil
	}
}

// stop ends the input and, after a while, the server with its family.
func (c *client) stop() {
	c.in.Close()
	deadline := time.AfterFunc(patience, c.kill)
	defer deadline.Stop()
	io.Copy(io.Discard, c.out)
	c.process.Wait()
}

// kill ends the server and all that descend from it, the youngest first.
func (c *client) kill() {
	members := family(c.process.Process.Pid)
	for _, member := range slices.Backward(members) {
		member.kill()
	}
}
