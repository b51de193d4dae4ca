package bash

import (
	"context"
	"path"
	"strconv"
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
	// minGitMajor and minGitMinor are the first version of git that knows
	// safe.bareRepository; an older one would use a repository in the tree.
	minGitMajor, minGitMinor = 2, 38
)

// gitScan is what was seen of one repository.
type gitScan struct {
	keys       []string
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

// keysScript prints git's version, where the repository is, a blank line, and
// scopes and names of the settings in turn. No value is printed: they may be
// secrets. Control characters in a name become "?".
const keysScript = `set -o pipefail
git version || exit
git rev-parse --path-format=absolute --git-dir --git-common-dir --show-toplevel || exit
git rev-parse --show-cdup || exit
git config --list --show-scope --name-only -z | tr '\n\0' '?\n' | LC_ALL=C tr -c '\n -~' '?'`

// submodulesScript prints the index's entries that are submodules.
const submodulesScript = `set -o pipefail
git ls-files --stage -z | tr '\0' '\n' | { grep -m 1 -c '^160000 ' || test $? = 1; }`

// GitKeys returns the names of the settings the repository of dir brings.
func (w *workspace) GitKeys(ctx context.Context, dir string) ([]string, error) {
	before := w.gitStateOnce(ctx, dir)
	if scan, ok := w.git.get(before); ok {
		return scan.keys, nil
	}
	out, err := w.look(ctx, dir, keysScript)
	if err != nil {
		return nil, err
	}
	keys, up, err := parseKeys(out)
	if err != nil {
		return nil, err
	}
	// Only files below the roots are watched.
	if up < watched(dir) && w.gitState(ctx, dir) == before {
		w.git.put(before, gitScan{keys: keys})
	}
	return keys, nil
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

// parseKeys reads what keysScript printed. up is how many directories above
// dir the repository begins.
func parseKeys(out string) (keys []string, up int, err error) {
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) < 5 || len(lines)%2 != 1 || !knownVersion(lines[0]) {
		return nil, 0, toolset.Errorf(noRepository, "git is missing or older than %d.%d", minGitMajor, minGitMinor)
	}
	// A ".git" file or link and a linked worktree lead elsewhere.
	if dir := path.Join(lines[3], ".git"); lines[1] != dir || lines[2] != dir {
		return nil, 0, toolset.Errorf(noRepository, "the repository is not in %s", dir)
	}
	for i := 5; i+1 < len(lines); i += 2 {
		if lines[i] == "local" || lines[i] == "worktree" {
			keys = append(keys, lines[i+1])
		}
	}
	return keys, strings.Count(lines[4], "../"), nil
}

// knownVersion reads "git version 2.39.5 (Apple Git-154)".
func knownVersion(line string) bool {
	version, ok := strings.CutPrefix(line, "git version ")
	first, rest, _ := strings.Cut(version, ".")
	second, _, _ := strings.Cut(rest, ".")
	major, err1 := strconv.Atoi(first)
	minor, err2 := strconv.Atoi(second)
	return ok && err1 == nil && err2 == nil && (major > minGitMajor || major == minGitMajor && minor >= minGitMinor)
}
