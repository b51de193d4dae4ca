package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// client speaks with a server that was packed, over its pipe.
type client struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

// connect starts a server and shakes hands. The server ends with the test.
func connect(t *testing.T, cmd *exec.Cmd) *client {
	t.Helper()
	c := &client{t: t}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if c.in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewReader(out)
	t.Cleanup(func() {
		c.in.Close()
		if err := cmd.Wait(); err != nil || t.Failed() {
			t.Errorf("%v: %v\n%s", cmd.Args, err, stderr.String())
		}
	})
	c.request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"packages","version":"1"}}`)
	c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return c
}

func (c *client) send(message any) {
	c.t.Helper()
	frame, err := json.Marshal(message)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.in.Write(append(frame, '\n')); err != nil {
		c.t.Fatal(err)
	}
}

// request gives the result of a method.
func (c *client) request(method, params string) json.RawMessage {
	c.t.Helper()
	c.id++
	c.send(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": json.RawMessage(params)})
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			c.t.Fatalf("%s: %v", method, err)
		}
		var answer struct {
			ID            int
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			c.t.Fatalf("%s: %v in %s", method, err, line)
		}
		if answer.ID == c.id {
			if answer.Error != nil {
				c.t.Fatalf("%s: %s", method, answer.Error)
			}
			return answer.Result
		}
	}
}

// tools gives the names of the tools.
func (c *client) tools() string {
	c.t.Helper()
	var result struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(c.request("tools/list", "{}"), &result); err != nil {
		c.t.Fatal(err)
	}
	var names []string
	for _, tool := range result.Tools {
		names = append(names, tool.Name)
	}
	return strings.Join(names, " ")
}

// call gives the text of a tool's result and whether it is an error.
func (c *client) call(tool, arguments string) (text string, failed bool) {
	c.t.Helper()
	var result struct {
		Content []struct{ Text string }
		IsError bool
	}
	answer := c.request("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`}`)
	if err := json.Unmarshal(answer, &result); err != nil || len(result.Content) == 0 {
		c.t.Fatalf("%s: %v in %s", tool, err, answer)
	}
	return result.Content[0].Text, result.IsError
}

// fileWork uses the six tools that need no other program. One line of what each
// says is enough to know that it worked.
func (c *client) fileWork() {
	c.t.Helper()
	for _, step := range []struct{ tool, arguments, want string }{
		{"write", `{"path":"dir/a.txt","content":"one\ntwo\n"}`, "dir/a.txt"},
		{"read", `{"path":"dir/a.txt"}`, "two"},
		{"edit", `{"path":"dir/a.txt","oldText":"two","newText":"three"}`, "dir/a.txt"},
		{"grep", `{"pattern":"thr.e"}`, "dir/a.txt"},
		{"glob", `{"pattern":"**/*.txt"}`, "dir/a.txt"},
		{"list", `{"path":"dir"}`, "a.txt"},
	} {
		if text, failed := c.call(step.tool, step.arguments); failed || !strings.Contains(text, step.want) {
			c.t.Errorf("%s %s: %s", step.tool, step.arguments, text)
		}
	}
}
