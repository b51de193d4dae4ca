package local

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"

	"septet/backend"
	"septet/safepath"
)

// ProcessConfig is what a process backend is made from.
type ProcessConfig struct {
	// Shim is what ShimMain returned: the program that supervises each
	// command. With "" a command gets a process group of its own and nothing
	// more: what leaves the group, and what is running when this program is
	// killed, lives on.
	Shim string
	// Shell is the bash to run; optional. "" looks for bash in PATH.
	Shell string
	// SpillDir is where the whole of a long output is kept; optional. It is
	// absolute, private to one session, and made when it is needed. Its parent
	// holds the folders of all sessions: they are pruned together.
	SpillDir string
	// Late, when set, is told how a command ended whose outcome was unknown
	// when Run returned.
	Late func(callID string, c backend.Completion)
}

// processes runs commands on this machine.
type processes struct {
	config ProcessConfig
	shims  nursery
}

// Processes returns the process backend of this machine. A program that adopts
// orphans (see AdoptOrphans) makes one only.
//
// A command's processes are those that descend from its shell. What it makes a
// service start (systemd-run, at, cron, docker, a tmux server that runs
// already, ssh) does not, and is out of reach. On macOS what leaves the
// shell's session is out of reach too; on Windows a command gets no time to
// tidy up, and directories are found by their path.
func Processes(c ProcessConfig) backend.Process {
	return &processes{config: c, shims: nursery{known: map[int]bool{}, ended: map[int]int{}}}
}

// nursery knows the supervisors that were started, so that they can be told
// from the orphans of one that was killed. Its lock is held while one starts:
// a child that is not known is an orphan.
type nursery struct {
	sync.Mutex
	known    map[int]bool // pids of living shims
	ended    map[int]int  // wait status of what was adopted and reaped, by pid, while anyone adopts
	adopters int
}

// Run implements backend.Process.
func (p *processes) Run(ctx context.Context, c backend.Command) (backend.Completion, error) {
	if err := checkScript(c.Script); err != nil {
		return backend.Completion{}, err
	}
	dir, err := safepath.CommandDir(c.Dir)
	if err != nil {
		return backend.Completion{}, err
	}
	defer func() { _ = dir.Close() }()
	return p.runIn(ctx, c, dir)
}

// runIn runs c in dir.
func (p *processes) runIn(ctx context.Context, c backend.Command, dir *safepath.WorkDir) (backend.Completion, error) {
	if ctx.Err() != nil {
		return backend.Completion{Status: askedStatus(ctx)}, nil // never started, nothing to tell
	}
	shell, err := p.shell()
	if err != nil {
		return backend.Completion{}, err
	}
	r, err := p.start(c, job{Shell: shell, Script: []byte(c.Script)}, dir)
	if err != nil {
		return backend.Completion{}, spawnFailed(err)
	}
	return r.wait(ctx)
}

func checkScript(script string) error {
	switch {
	case len(script) > backend.MaxScriptBytes:
		return spawnFailed(fmt.Errorf("the command is %d bytes long; at most %d can be started", len(script), backend.MaxScriptBytes))
	case strings.ContainsRune(script, 0):
		return spawnFailed(errors.New("the command holds a NUL byte, which no argument can hold"))
	}
	return nil
}

func (p *processes) shell() (string, error) {
	if p.config.Shell != "" {
		return p.config.Shell, nil
	}
	path, err := exec.LookPath("bash")
	if err != nil {
		e := spawnFailed(errors.New("bash was not found in PATH"))
		e.Hint = "ask the user to install bash, or add its directory to the PATH of septet"
		return "", e
	}
	return path, nil
}

// spawnFailed gives err its code, unless it has one.
func spawnFailed(err error) *backend.Error {
	var own *backend.Error
	if errors.As(err, &own) {
		return own
	}
	return &backend.Error{Code: backend.SpawnFailed, Fact: "the command was not started: " + err.Error(), Err: err}
}

// askedStatus is the status of a command that was ended because ctx ended.
func askedStatus(ctx context.Context) backend.CompletionStatus {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return backend.TimedOut
	}
	return backend.Cancelled
}

// printablePath shows a path that may hold anything.
func printablePath(path string) string {
	return string(clean([]byte(path), maxTextBytes, false).text)
}
