package bash

import (
	"context"
	"strings"
	"sync"
	"time"

	"septet/backend"
	"septet/session"
	"septet/tools/bash/shell"
	"septet/toolset"
)

// maxVersionTime bounds a program that is asked for its version; it takes
// about 4 ms.
const maxVersionTime = 5 * time.Second

// noVersion is the identifier of a program that does not say its version.
const noVersion toolset.Code = "version"

// versions remembers what programs print for --version while their files stay
// the same. A nil one remembers nothing. It is safe for concurrent use. It has
// at most as many entries as the lists have programs.
type versions struct {
	mu   sync.Mutex
	seen map[string]versionLine // by program
}

type versionLine struct {
	program backend.Executable
	line    string
}

func (v *versions) get(name string, program backend.Executable) (line string, ok bool) {
	if v == nil || program.Identity == "" {
		return "", false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	known, ok := v.seen[name]
	return known.line, ok && known.program == program
}

func (v *versions) put(name string, program backend.Executable, line string) {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seen == nil {
		v.seen = map[string]versionLine{}
	}
	v.seen[name] = versionLine{program, line}
}

// Version asks the program itself, once for each file that it was. Nothing of
// the workspace decides what runs: the place is only where it runs.
func (w *workspace) Version(ctx context.Context, name string) (string, error) {
	program, err := w.sc.Processes().Find(name, shell.SearchDirectories())
	if codeOf(err) == toolset.NotFound {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if line, ok := w.versions.get(name, program); ok {
		return line, nil
	}
	line, err := w.askVersion(ctx, name)
	if err == nil {
		w.versions.put(name, program, line)
	}
	return line, err
}

// askVersion returns the first line of what the program prints, on either
// stream: which and xxd print it on standard error.
func (w *workspace) askVersion(ctx context.Context, name string) (string, error) {
	p, err := w.sc.Resolve(".", session.Read, session.Directory)
	if err != nil {
		return "", err
	}
	defer p.Close()
	ctx, stop := context.WithTimeout(ctx, maxVersionTime)
	defer stop()
	done, err := w.sc.Processes().Run(ctx, backend.Command{Script: name + " --version 2>&1", Dir: p, Env: shell.Environment()})
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(done.Stdout.Head, "\n")
	if done.Status != backend.Exited || line == "" {
		return "", toolset.Errorf(noVersion, "%s does not say its version", name)
	}
	return line, nil
}
