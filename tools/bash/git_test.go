//go:build linux

package bash_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"septet/session"
)

// class is what the tool says a command is.
func (p *place) class(t testing.TB, command string) session.ShellClass {
	t.Helper()
	return session.ClassOf(p.effects(t, command))
}

func (p *place) git(t testing.TB, args ...string) {
	t.Helper()
	run(t, p.root, append([]string{"git"}, args...)...)
}

// TestGitConfiguration sets, one after the other, what makes git run a program
// on a command that only reads. Each must ask, and must not when it is gone:
// the look at the repository is not repeated for nothing and never too late.
func TestGitConfiguration(t *testing.T) {
	p := newPlace(t, session.ModeDefault)
	mark := filepath.Join(filepath.Dir(p.root), "ran")
	script := filepath.Join(p.root, "x")
	write(t, script, "#!/bin/sh\ntouch "+mark+"\ncat\n", 0o755)
	write(t, filepath.Join(p.root, ".gitattributes"), "* filter=x diff=x\n", 0o644)
	for _, key := range []string{
		"core.fsmonitor", "core.hooksPath", "filter.x.clean", "diff.x.textconv", "diff.external", "alias.status", "include.path", "remote.o.promisor",
	} {
		p.git(t, "config", key, script)
		for _, command := range []string{"git status", "git diff", "git log -1"} {
			if class := p.class(t, command); class != session.ShellAsk {
				t.Errorf("%s: %s is %s", key, command, class)
			}
			p.call(t, command)
		}
		p.unset(t, key)
		if class := p.class(t, "git status"); class != session.ShellReadOnly {
			t.Fatalf("after %s: git status is %s: %+v", key, class, p.effects(t, "git status"))
		}
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the program of a configuration ran")
	}
}

// unset removes a key from the file itself: git may no longer work with it.
func (p *place) unset(t testing.TB, key string) {
	t.Helper()
	run(t, filepath.Dir(p.root), "git", "config", "--file", filepath.Join(p.root, ".git/config"), "--unset", key)
}

func write(t testing.TB, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// TestGitElsewhere: whatever makes git use another repository than the plain
// one of the workspace asks.
func TestGitElsewhere(t *testing.T) {
	t.Run("file", func(t *testing.T) {
		p := newPlace(t, session.ModeDefault)
		if err := os.Rename(filepath.Join(p.root, ".git"), filepath.Join(p.root, "elsewhere")); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(p.root, ".git"), "gitdir: elsewhere\n", 0o644)
		p.mustAsk(t, "git status", "git-repository")
	})
	t.Run("link", func(t *testing.T) {
		p := newPlace(t, session.ModeDefault)
		if err := os.Rename(filepath.Join(p.root, ".git"), filepath.Join(p.root, "elsewhere")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("elsewhere", filepath.Join(p.root, ".git")); err != nil {
			t.Fatal(err)
		}
		p.mustAsk(t, "git status", "git-repository")
	})
	t.Run("linked worktree", func(t *testing.T) {
		p := newPlace(t, session.ModeDefault)
		p.git(t, "worktree", "add", "--quiet", filepath.Join(filepath.Dir(p.root), "second"))
		p.root = filepath.Join(filepath.Dir(p.root), "second")
		p.open(t, session.ModeDefault)
		p.mustAsk(t, "git status", "git-repository")
	})
	t.Run("none", func(t *testing.T) {
		p := newPlace(t, session.ModeDefault)
		if err := os.RemoveAll(filepath.Join(p.root, ".git")); err != nil {
			t.Fatal(err)
		}
		p.mustAsk(t, "git status", "git-repository")
	})
	t.Run("bare in the tree", func(t *testing.T) {
		p := newPlace(t, session.ModeDefault)
		run(t, p.root, "git", "clone", "--quiet", "--bare", ".", "vendor/bare")
		p.root = filepath.Join(p.root, "vendor/bare")
		p.open(t, session.ModeDefault)
		p.mustAsk(t, "git log", "git-repository")
	})
	t.Run("worktree configuration", func(t *testing.T) {
		p := newPlace(t, session.ModeDefault)
		p.git(t, "config", "extensions.worktreeConfig", "true")
		if class := p.class(t, "git status"); class != session.ShellReadOnly {
			t.Errorf("without a key: %s", class)
		}
		p.git(t, "config", "--worktree", "core.fsmonitor", "./x")
		p.mustAsk(t, "git status", "git-config")
	})
}

func (p *place) mustAsk(t testing.TB, command, id string) {
	t.Helper()
	effects := p.effects(t, command)
	if d := session.Decide(p.session.Profile(), effects); d.Verdict != session.Ask || d.Rule != "ask:"+id {
		t.Errorf("%s: %+v, want ask:%s; %+v", command, d, id, effects)
	}
}

// TestGitSubmodule: status and diff run git in a submodule, where its own
// configuration holds; log does not.
func TestGitSubmodule(t *testing.T) {
	p := newPlace(t, session.ModeDefault)
	if class := p.class(t, "git status"); class != session.ShellReadOnly {
		t.Fatalf("before: %s", class)
	}
	sub := filepath.Join(p.root, "sub")
	run(t, p.root, "git", "clone", "--quiet", ".", sub)
	p.git(t, "-c", "advice.addEmbeddedRepo=false", "add", "sub")
	p.mustAsk(t, "git status", "git-config")
	p.mustAsk(t, "git diff", "git-config")
	if class := p.class(t, "git log --oneline"); class != session.ShellReadOnly {
		t.Errorf("git log: %s", class)
	}
}

// TestGitValuesAreNotRead: a look at a repository prints names only.
func TestGitValuesAreNotRead(t *testing.T) {
	p := newPlace(t, session.ModeDefault)
	p.git(t, "config", "http.extraHeader", "Authorization: secret-token")
	effects := p.effects(t, "git status")
	reason := effects[len(effects)-1].Reason
	if !strings.Contains(reason, "http.extraheader") || strings.Contains(reason, "secret") {
		t.Errorf("reason %q", reason)
	}
}
