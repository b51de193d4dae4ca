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
	"time"
)

// server is a running septet.
type server struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func startServer(program, dir string) (*server, error) {
	cmd := exec.Command(program, "serve", "--workspace", dir, "--log-level", "error", "--search-threads", "2")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	_, err = s.request("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "searchbench", "version": "1"},
	})
	return s, err
}

func (s *server) stop() {
	s.in.Close()
	s.cmd.Wait()
}

// call calls a tool and returns the text of its result.
func (s *server) call(tool string, arguments map[string]any) (string, error) {
	raw, err := s.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err != nil {
		return "", err
	}
	var result struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return "", err
	}
	if result.IsError || len(result.Content) == 0 {
		return "", fmt.Errorf("%s failed: %s", tool, raw)
	}
	return result.Content[0].Text, nil
}

func (s *server) request(method string, params any) (json.RawMessage, error) {
	s.id++
	frame, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := s.in.Write(append(frame, '\n')); err != nil {
		return nil, err
	}
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	var answer struct {
		Result json.RawMessage
		Error  json.RawMessage
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return nil, err
	}
	if answer.Error != nil {
		return nil, errors.New(string(answer.Error))
	}
	return answer.Result, nil
}

// runOther runs ripgrep or fd. Status 1 only says that nothing was found.
func runOther(program, dir string, args []string) (out string, cpu time.Duration, err error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	if cmd.ProcessState != nil {
		cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	return stdout.String(), cpu, err
}

// cpu is the processor time that the server has used; 0 where the system does
// not say.
func (s *server) cpu() time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var ticks int64
	for _, f := range fields[11:13] { // user and system time
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

func output(program string, args ...string) (string, error) {
	out, err := exec.Command(program, args...).Output()
	return string(out), err
}
