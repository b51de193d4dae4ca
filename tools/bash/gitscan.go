package bash

import (
	"context"
	"path"
	"strings"
	"sync"
	"time"

	"septet/backend"
	"septet/session"
	"septet/tools/bash/shell"
	"septet/toolset"
)

const (
	// maxScanTime bounds a look at a repository; it takes about 20 ms.
	maxScanTime = 10 * time.Second
	// maxScans bounds the repositories remembered; past it all are forgotten.
	maxScans = 64
)

// gitScan is what was seen of one repository.
type gitScan struct {
	repository shell.Repository
	submodules bool
	counted    bool // submodules is known
}

// gitScans remembers looks at repositories while their files stay the same. A
// nil one remembers nothing. It is safe for concurrent use.
type gitScans struct {
	mu   sync.Mutex
	seen map[string]gitScan // by session, directory and the state of the files
}

func (g *gitScans) get(key string) (gitScan, bool) {
	if g == nil || key == "" {
		return gitScan{}, false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	scan, ok := g.seen[key]
	return scan, ok
}

func (g *gitScans) put(key string, scan gitScan) {
	if g == nil || key == "" {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.seen == nil || len(g.seen) >= maxScans {
		g.seen = map[string]gitScan{}
	}
	g.seen[key] = scan
}

// keysScript prints where the repository is, and scopes and names of the
// settings in turn. No value is printed: they may be secrets. Control
// characters in a name become "?".
const keysScript = `set -o pipefail
git rev-parse --path-format=absolute --git-dir --git-common-dir --show-toplevel || exit
git config --list --show-scope --name-only -z | tr '\n\0' '?\n' | LC_ALL=C tr -c '\n -~' '?'`

// submodulesScript prints the index's entries that are submodules.
const submodulesScript = `set -o pipefail
git ls-files --stage -z | tr '\0' '\n' | { grep -m 1 -c '^160000 ' || test $? = 1; }`

// Repository finds the repository of dir as git does, and looks at it.
func (w *workspace) Repository(ctx context.Context, dir string) (shell.Repository, error) {
	before := w.gitStateOnce(ctx, dir)
	scan, known := w.git.get(before)
	if !known {
		found, err := w.scan(ctx, dir)
		if err != nil {
			return shell.Repository{}, err
		}
		scan = gitScan{repository: found}
		if watches(dir, found.Top) && w.gitState(ctx, dir) == before {
			w.git.put(before, scan)
		}
	}
	return scan.repository, w.checkOwn(ctx, scan.repository.Top)
}

// scan asks git where the repository of dir is and what it sets.
func (w *workspace) scan(ctx context.Context, dir string) (shell.Repository, error) {
	out, err := w.look(ctx, dir, keysScript)
	if err != nil {
		return shell.Repository{}, err
	}
	found, err := parseRepository(out)
	if err == nil {
		found.Top, err = w.insideRoots(found.Top)
	}
	return found, err
}

// GitSubmodules reports whether the index has an entry that is a submodule.
func (w *workspace) GitSubmodules(ctx context.Context, dir string) (bool, error) {
	before := w.gitStateOnce(ctx, dir)
	scan, known := w.git.get(before)
	if known && scan.counted {
		return scan.submodules, nil
	}
	out, err := w.look(ctx, dir, submodulesScript)
	if err != nil {
		return false, err
	}
	scan.submodules, scan.counted = strings.TrimSpace(out) != "0", true
	if known && w.gitState(ctx, dir) == before {
		w.git.put(before, scan)
	}
	return scan.submodules, nil
}

// look runs a script of ours where nothing of the repository can run.
func (w *workspace) look(ctx context.Context, dir, script string) (string, error) {
	p, err := w.sc.Resolve(dir, session.Read, session.Directory)
	if err != nil {
		return "", err
	}
	defer p.Close()
	ctx, stop := context.WithTimeout(ctx, maxScanTime)
	defer stop()
	done, err := w.sc.Processes().Run(ctx, backend.Command{Script: script, Dir: p, Env: shell.Environment()})
	if err != nil {
		return "", err
	}
	if done.Status != backend.Exited || done.ExitCode != 0 || done.Stdout.OmittedBytes > 0 {
		return "", toolset.Errorf(noRepository, "git has no plain repository in %s", p)
	}
	return done.Stdout.Head, nil
}

// noRepository is the identifier of a directory in which git is not used
// without a question.
const noRepository toolset.Code = "git-repository"

// parseRepository reads what keysScript printed.
func parseRepository(out string) (found shell.Repository, err error) {
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) < 3 || len(lines)%2 != 1 {
		return found, toolset.Errorf(noRepository, "git does not say where the repository is")
	}
	// A ".git" file or link and a linked worktree lead elsewhere.
	found.Top = lines[2]
	if dir := path.Join(found.Top, ".git"); lines[0] != dir || lines[1] != dir {
		return found, toolset.Errorf(noRepository, "the repository is not in %s", dir)
	}
	for i := 3; i+1 < len(lines); i += 2 {
		if lines[i] == "local" || lines[i] == "worktree" {
			found.Keys = append(found.Keys, lines[i+1])
		}
	}
	return found, nil
}
