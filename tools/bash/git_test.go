//go:build linux

package bash_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"septet/safepath"
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
	t.Run("objects of another repository", func(t *testing.T) {
		p := newPlace(t, session.ModeDefault)
		write(t, filepath.Join(p.root, ".git/objects/info/alternates"), "/nowhere/objects\n", 0o644)
		p.mustAsk(t, "git log", "git-repository")
	})
	for _, name := range []string{".git/packed-refs", ".git/info/exclude", ".git/refs/heads/x", ".git/rebase-merge/done", ".git/logs/refs/stash", ".gitmodules"} {
		t.Run("a link at "+name, func(t *testing.T) {
			p := newPlace(t, session.ModeDefault)
			if class := p.class(t, "git status"); class != session.ShellReadOnly { // what was seen is remembered
				t.Fatalf("before: %s", class)
			}
			link(t, "../../../outside/secret", filepath.Join(p.root, name))
			p.mustAsk(t, "git status", "git-repository")
		})
	}
	t.Run("a split index", func(t *testing.T) {
		p := newPlace(t, session.ModeDefault)
		p.git(t, "update-index", "--split-index")
		p.mustAsk(t, "git ls-files", "git-repository")
		p.git(t, "update-index", "--no-split-index")
		if class := p.class(t, "git ls-files"); class != session.ShellAsk { // the other half stays for two weeks
			t.Errorf("git ls-files: %s", class)
		}
	})
	t.Run("a link to a hook", func(t *testing.T) {
		p := newPlace(t, session.ModeDefault)
		link(t, "/nowhere", filepath.Join(p.root, ".git/hooks/pre-push"))
		if class := p.class(t, "git status"); class != session.ShellReadOnly {
			t.Errorf("git status: %s", class)
		}
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

// link makes a link, in place of what may be there.
func link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

// TestGitAboveTheRoot: pathspecs, revisions and a plain diff reach the whole of
// a repository, so what is in no root of the session must not belong to it.
func TestGitAboveTheRoot(t *testing.T) {
	p := newPlace(t, session.ModeDefault)
	top := p.root
	p.root = filepath.Join(top, "src")
	p.open(t, session.ModeDefault)
	for _, command := range []string{
		"git grep x -- ':/main.go'", "git grep x ':(top)main.go'", "git show HEAD:main.go", "git show ':/one'", "git diff", "git diff HEAD~1", "git log -p",
		"git status", "git ls-files ':/'", "git blame ':/main.go'", "git stash list -p", "git rev-parse HEAD",
	} {
		p.mustAsk(t, command, "git-repository")
	}
	if class := p.class(t, "git --version"); class != session.ShellReadOnly {
		t.Errorf("git --version: %s", class)
	}
	p.openWith(t, session.ModeDefault, safepath.Root{Path: top})
	effects := p.effects(t, "git diff")
	if class := session.ClassOf(effects); class != session.ShellReadOnly || effects[1].Path != top {
		t.Errorf("with the top in a root of its own: %s, %+v", class, effects)
	}
}

// TestRipgrepRules: an ignore file that is a link to a file outside the roots
// is read by ripgrep, and the lines that are no pattern are printed.
func TestRipgrepRules(t *testing.T) {
	for _, name := range []string{"src/.ignore", ".rgignore", "build/deep/.gitignore", ".git/info/exclude"} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, session.ModeDefault)
			if class := p.class(t, "rg x"); class != session.ShellReadOnly {
				t.Fatalf("before: %s", class)
			}
			write(t, filepath.Join(p.root, ".ignore"), "build\n", 0o644) // hides nothing from the walk
			link(t, filepath.Join(filepath.Dir(p.root), "outside/secret"), filepath.Join(p.root, name))
			p.mustAsk(t, "rg x", "ignore-file")
			p.mustAsk(t, "cat main.go | rg x "+filepath.Dir(name), "ignore-file")
			if class := p.class(t, "rg -u x"); class != session.ShellReadOnly {
				t.Errorf("without rules: %s", class)
			}
		})
	}
	p := newPlace(t, session.ModeDefault)
	link(t, "../build/o", filepath.Join(p.root, "src/.ignore"))
	if class := p.class(t, "rg x"); class != session.ShellReadOnly {
		t.Errorf("with a link inside: %s", class)
	}
	link(t, "/etc/hostname", filepath.Join(p.root, "build/.ignore"))
	if class := p.class(t, "rg x src"); class != session.ShellReadOnly {
		t.Errorf("beside it: %s", class)
	}
}

// TestGitBelowTheTop: from a directory of the workspace git reaches all of it,
// and that is what is declared; a repository in the tree is judged by itself.
func TestGitBelowTheTop(t *testing.T) {
	p := newPlace(t, session.ModeDefault)
	if effects := p.effectsIn(t, "src", "git diff"); session.ClassOf(effects) != session.ShellReadOnly || effects[1].Path != "." {
		t.Errorf("in src: %+v", effects)
	}
	inner := filepath.Join(p.root, "inner")
	run(t, p.root, "git", "clone", "--quiet", ".", inner)
	if effects := p.effectsIn(t, "inner", "git log"); session.ClassOf(effects) != session.ShellReadOnly || effects[1].Path != "inner" {
		t.Errorf("in inner: %+v", effects)
	}
	run(t, inner, "git", "config", "core.fsmonitor", "./x")
	if class := session.ClassOf(p.effectsIn(t, "inner", "git log")); class != session.ShellAsk {
		t.Errorf("in inner, with a program: %s", class)
	}
	for _, command := range []string{"git -C inner log", "cd inner && git log", "git --git-dir=inner/.git log"} {
		if class := p.class(t, command); class != session.ShellAsk {
			t.Errorf("%s: %s", command, class)
		}
	}
}
