package search

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"septet/backend"
	"septet/safepath"
)

// TestVisibility covers how the rules are found; what one file of rules means
// is compared with git itself elsewhere.
func TestVisibility(t *testing.T) {
	w := newWorld(t, ".gitignore=*.log\nbuild/\n", "a.log", "a.txt", "build/x.txt", "build/sub/y.txt", "src/.gitignore=!keep.log\n/only\n", "src/keep.log", "src/only", "src/deep/only", "src/b.log",
		".ignore=secret\n!loud.log\n", "src/secret", "loud.log", "other/.ignore=!secret\n", "other/secret",
		"nested/.git/HEAD=x", "nested/.git/info/exclude=private\n", "nested/c.log", "nested/private", "nested/sub/private", ".hidden")
	for _, c := range []struct{ path, want string }{
		{".", ".gitignore .hidden .ignore a.txt loud.log nested/c.log other/.ignore other/secret src/.gitignore src/deep/only src/keep.log"},
		{"build", "build/sub/y.txt build/x.txt"}, // never applied to what is asked for
		{"src", "src/.gitignore src/deep/only src/keep.log"},
		{"src/deep", "src/deep/only"},
		{"nested", "nested/c.log"},
		{"nested/sub", ""},
	} {
		if got := strings.Join(w.glob(c.path, "**").Paths, " "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.path, got, c.want)
		}
	}
	r := w.glob(".", "**/*.log")
	if r.Summary.Ignored != 3 {
		t.Errorf("ignored: got %d, want 3: a.log, build, src/b.log", r.Summary.Ignored)
	}
	all := w.glob(".", "**/*.log", func(q *backend.GlobQuery) { q.IncludeIgnored = true })
	if got := strings.Join(all.Paths, " "); got != "a.log loud.log nested/c.log src/b.log src/keep.log" || all.Summary.Ignored != 0 {
		t.Errorf("with ignored names: got %s", got)
	}
	if r := w.grep("a.log", ""); r.Summary.Files != 1 {
		t.Errorf("a file that is named is searched: %+v", r.Summary)
	}
}

// TestRepositoryAboveTheRoot: a workspace inside a repository sees what git
// would show there.
func TestRepositoryAboveTheRoot(t *testing.T) {
	w := newWorld(t, ".git/HEAD=x", ".git/info/exclude=excluded\n", ".git/config=[core]\nexcludesFile=~/mine\n", ".gitignore=*.log\n/ws/top\n", "ws/a.log", "ws/b.txt", "ws/excluded", "ws/top", "ws/sub/top", "ws/mine.txt",
		"home/.gitconfig->conf/real", "home/conf/real=[include]\npath=more\n", "home/conf/more=[core]\nexcludesfile=/nowhere\n", "home/mine=mine.*\n")
	w.search = New(Config{Environment: environment("HOME=" + filepath.Join(w.root, "home"))})
	w.paths = w.resolver(safepath.Config{WorkingDirectory: filepath.Join(w.root, "ws"), Roots: []safepath.Root{{Path: filepath.Join(w.root, "ws")}}})
	if got := strings.Join(w.glob(".", "**").Paths, " "); got != "b.txt sub/top" {
		t.Errorf("got %s", got)
	}
}

func TestGlobalExcludes(t *testing.T) {
	for _, c := range []struct{ name, files, env, want string }{
		{"usual place", "home/.config/git/ignore=mine\n", "HOME", "theirs"},
		{"xdg", "xdg/git/ignore=mine\n", "HOME XDG_CONFIG_HOME=xdg", "theirs"},
		{"gitconfig", "home/.gitconfig=[core]\nexcludesfile=~/x\n|home/x=theirs\n|home/.config/git/ignore=mine\n", "HOME", "mine"},
		{"xdg gitconfig is weaker", "home/.gitconfig=[core]\nexcludesfile=~/x\n|home/x=theirs\n|home/.config/git/config=[core]\nexcludesfile=~/y\n|home/y=mine\n", "HOME", "mine"},
		{"GIT_CONFIG_GLOBAL", "home/.gitconfig=[core]\nexcludesfile=~/x\n|home/x=theirs\n|home/z=[core]\nexcludesfile=~/y\n|home/y=mine\n", "HOME GIT_CONFIG_GLOBAL=home/z", "theirs"},
		{"included", "home/.gitconfig=[include]\npath=z\n|home/z=[core]\nexcludesfile=~/y\n|home/y=mine\n", "HOME", "theirs"},
		{"none", "", "", "mine theirs"},
	} {
		w := newWorld(t, "ws/mine", "ws/theirs")
		for f := range strings.SplitSeq(c.files, "|") {
			if f != "" {
				w.make(f)
			}
		}
		var env []string
		for v := range strings.FieldsSeq(strings.Replace(c.env, "HOME", "HOME=home", 1)) {
			name, value, _ := strings.Cut(v, "=")
			env = append(env, name+"="+filepath.Join(w.root, value))
		}
		w.search = New(Config{Environment: environment(env...)})
		got := strings.ReplaceAll(strings.Join(w.glob("ws", "*").Paths, " "), "ws/", "")
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// environment looks variables up in KEY=VALUE lines. The machine's own git
// configuration has no say.
func environment(lines ...string) func(string) string {
	return func(name string) string {
		for _, l := range lines {
			if k, v, _ := strings.Cut(l, "="); k == name {
				return v
			}
		}
		if name == "GIT_CONFIG_NOSYSTEM" {
			return "1"
		}
		return ""
	}
}

// TestLinkedWorktree: its .git is a file, and the excludes are the main
// repository's.
func TestLinkedWorktree(t *testing.T) {
	w := newWorld(t, "main/.git/HEAD=x", "main/.git/info/exclude=private\n", "main/.git/worktrees/t/commondir=../..\n", "tree/private", "tree/a", "tree/sub/private")
	w.make("tree/.git=gitdir: " + w.root + "/main/.git/worktrees/t\n")
	for path, want := range map[string]string{"tree": "tree/a", ".": "tree/a", "tree/sub": ""} {
		if got := strings.Join(w.glob(path, "**").Paths, " "); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

// TestStateDirectory: what is closed to every access is not searched, and not
// counted either.
func TestStateDirectory(t *testing.T) {
	w := newWorld(t, "a=x\n", "state/b=x\n", "sub/c=x\n")
	w.paths = w.resolver(safepath.Config{WorkingDirectory: w.root, Roots: []safepath.Root{{Path: w.root}}, State: filepath.Join(w.root, "state")})
	at, err := w.search.begin(w.resolve("."), false)
	w.must(err)
	defer at.close()
	for _, f := range []folder{at.folder, heldFolder{dir: at.dir, borrowed: true}} {
		if _, err := f.enter("state"); !gone(err) {
			t.Errorf("%T enters: %v", f, err)
		}
	}
	if r := w.grep(".", "x", filesMode); shown(r) != "a sub/c" || r.Summary.Unreadable != 0 {
		t.Errorf("got %s %+v", shown(r), r.Summary)
	}
}

func TestContextEnds(t *testing.T) {
	w := newWorld(t, "a=x", "b=x")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	for want, ctx := range map[backend.StopReason]context.Context{backend.StoppedCanceled: ctx, backend.StoppedTimedOut: late} {
		g, err := w.search.Grep(ctx, w.resolve("."), backend.GrepQuery{Pattern: "x", Mode: backend.GrepContent, MaxResults: 9})
		if err != nil || g.Summary.Stopped != want || len(g.Matches) > 0 {
			t.Errorf("grep, %s: got %+v, %v", want, g, err)
		}
		f, err := w.search.Glob(ctx, w.resolve("."), backend.GlobQuery{Pattern: "*", MaxResults: 9})
		if err != nil || f.Summary.Stopped != want || len(f.Paths) > 0 {
			t.Errorf("glob, %s: got %+v, %v", want, f, err)
		}
	}
}

func TestDeepTree(t *testing.T) {
	w := newWorld(t, strings.Repeat("d/", 200)+"x=x")
	if r := w.grep(".", "x", filesMode); len(r.Files) != 1 {
		t.Errorf("got %+v", r)
	}
}
