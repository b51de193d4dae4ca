// Package bash is the tool that runs a shell command.
package bash

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"septet/backend"
	"septet/session"
	"septet/tools/bash/shell"
	"septet/toolset"
)

//go:embed description.txt
var description string

// Tool is the bash tool. The zero value works and remembers nothing.
type Tool struct {
	scans    *gitScans
	versions *versions
}

// New returns a tool that remembers what it saw of repositories and programs.
func New() Tool { return Tool{scans: &gitScans{}, versions: &versions{}} }

var _ toolset.Tool[Input, Output] = Tool{}

// Input is what bash takes.
type Input struct {
	Command   string `json:"command" jsonschema_description:"The command, as one would type it into bash. At most 64 KiB."`
	TimeoutMs int64  `json:"timeoutMs,omitempty" jsonschema_description:"Milliseconds after which the command is killed, 1-600000." jsonschema:"minimum=1,maximum=600000,default=120000"`
	Cwd       string `json:"cwd,omitempty" jsonschema_description:"The directory to start in, relative to the workspace or absolute." jsonschema:"default=."`
}

// Spec describes the tool.
func (Tool) Spec() toolset.Spec {
	return toolset.Spec{
		ID: "bash", Title: "Run command", Description: description,
		Risk: toolset.RiskExecute, Load: toolset.LoadProcess,
	}
}

// Effects are what the analysis of the command finds. What it does not
// recognise is unknown, and so is what Call refuses to give to bash: a command
// is never denied for what it says.
func (t Tool) Effects(ctx context.Context, sc *session.SessionContext, in Input) ([]session.Effect, error) {
	dir, err := sc.Resolve(in.Cwd, session.Read, session.Directory)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return shell.Analyse(ctx, &workspace{sc: sc, git: t.scans, versions: t.versions}, dir.String(), in.Command).Effects, nil
}

// Call runs the command to its end.
func (Tool) Call(ctx context.Context, sc *session.SessionContext, cc *session.CallContext, in Input) (Output, error) {
	if err := check(in); err != nil {
		return Output{}, err
	}
	dir, err := sc.Resolve(in.Cwd, session.Read, session.Directory)
	if err != nil {
		return Output{}, err
	}
	defer func() { _ = dir.Close() }()
	ctx, stop := context.WithTimeout(ctx, time.Duration(in.TimeoutMs)*time.Millisecond)
	defer stop()
	done, err := sc.Processes().Run(ctx, backend.Command{
		Script: in.Command,
		Dir:    dir,
		Env:    environment(sc, cc),
		CallID: cc.ID(),
		Hurry:  cc.Hurried(),
		Output: report(cc),
	})
	if err != nil {
		return Output{}, err
	}
	out := newOutput(done, in.TimeoutMs)
	return out, failure(out)
}

// environment is the session's, but for a command that nobody was asked about:
// what was said of it holds only in the one made from nothing.
func environment(sc *session.SessionContext, cc *session.CallContext) []string {
	if cc.Auto() {
		return shell.Environment()
	}
	return sc.Environment()
}

// check refuses what no process can be given as an argument.
func check(in Input) error {
	switch {
	case strings.TrimSpace(in.Command) == "":
		return toolset.Errorf(toolset.InvalidArguments, "command is empty").WithHint(`pass a command, such as command="go test ./..."`)
	case len(in.Command) > backend.MaxScriptBytes:
		return toolset.Errorf(toolset.InvalidArguments, "command is %d bytes long; at most %d can be run", len(in.Command), backend.MaxScriptBytes).
			WithHint("write it to a file with write and run that: command=\"bash FILE\"")
	case strings.ContainsRune(in.Command, 0):
		return toolset.Errorf(toolset.InvalidArguments, "command holds a NUL byte at offset %d", strings.IndexByte(in.Command, 0)).
			WithHint(`use an escape such as $'\x01' or printf instead; bash cannot hold a NUL`)
	}
	return nil
}

// report passes output on as progress. Done is the sum of both streams, so
// that it grows.
func report(cc *session.CallContext) func(backend.StreamName, string, int64) {
	seen := map[backend.StreamName]int64{}
	return func(stream backend.StreamName, text string, total int64) {
		seen[stream] = total
		kind := session.ProgressStdout
		if stream == backend.Stderr {
			kind = session.ProgressStderr
		}
		cc.Progress(session.Progress{Kind: kind, Chunk: text, Done: seen[backend.Stdout] + seen[backend.Stderr]})
	}
}

// failure is the error of a command that did not end by itself; its output is
// worth showing. Any other end, whatever the exit code, is a result.
func failure(out Output) error {
	var e *toolset.Error
	switch backend.CompletionStatus(out.Status) {
	case backend.TimedOut:
		e = toolset.Errorf(toolset.Timeout, "the command timed out after %d ms and was killed", out.timeoutMs)
	case backend.Cancelled:
		e = toolset.Errorf(toolset.Cancelled, "the command was cancelled after %d ms and killed", out.DurationMs)
	case backend.OutcomeUnknown:
		e = toolset.Errorf(toolset.OutcomeUnknown, "it is not known how the command ended: %s", out.unknown())
	default:
		return nil
	}
	e.HasOutput = true
	return e
}
