package ignore

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAgainstGit compares with git itself on random trees that are made of
// what goes wrong: blanks, escapes, stars of every number, classes, negation,
// names that look like patterns.
func TestAgainstGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	total := 0
	for seed := uint64(1); total < 20000; seed++ {
		total += compareWithGit(t, seed)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d paths compared", total)
}

// compareWithGit makes the tree of seed and returns how many names it compared.
func compareWithGit(t *testing.T, seed uint64) int {
	r := rand.New(rand.NewPCG(seed, 7))
	tree := newTree(t, r)
	hidden := tree.walk("", tree.rules)
	visible := tree.gitHidden(t)
	for _, p := range tree.paths {
		if hidden[p] != visible[p] {
			t.Errorf("seed %d: %q hidden=%v, git says %v\n%s", seed, p, hidden[p], visible[p], tree.explain(p))
			return 0
		}
	}
	return len(tree.paths)
}

type tree struct {
	root   string
	config string
	paths  []string // of every file and directory, with "/" between
	rules  *Rules
}

func newTree(t *testing.T, r *rand.Rand) *tree {
	tr := &tree{root: t.TempDir()}
	tr.config = filepath.Join(t.TempDir(), "excludes")
	write(t, tr.config, randomPatterns(r, 3))
	tr.fill(t, r, "", 0)
	tr.git(t, nil, "init", "-q", ".")
	write(t, filepath.Join(tr.root, ".git/info/exclude"), randomPatterns(r, 3))
	f := tr.files("")
	f.Repository, f.Exclude = true, read(filepath.Join(tr.root, ".git/info/exclude"))
	tr.rules = New(Parse(read(tr.config)), f)
	return tr
}

func (tr *tree) fill(t *testing.T, r *rand.Rand, dir string, depth int) {
	if r.IntN(3) > 0 || depth == 0 {
		write(t, filepath.Join(tr.root, dir, ".gitignore"), randomPatterns(r, 8))
		tr.paths = append(tr.paths, dir+".gitignore")
	}
	for range 3 + r.IntN(7) {
		name := randomName(r)
		abs := filepath.Join(tr.root, dir, name)
		if _, err := os.Lstat(abs); err == nil {
			continue
		}
		tr.paths = append(tr.paths, dir+name)
		switch kind := r.IntN(10); {
		case kind < 4 && depth < 4:
			if err := os.Mkdir(abs, 0o755); err != nil {
				t.Fatal(err)
			}
			tr.fill(t, r, dir+name+"/", depth+1)
		case kind == 4:
			if err := os.Symlink(".", abs); err != nil {
				t.Fatal(err)
			}
		default:
			write(t, abs, nil)
		}
	}
}

func (tr *tree) files(dir string) Files {
	return Files{GitIgnore: read(filepath.Join(tr.root, dir, ".gitignore"))}
}

// walk asks the rules about every name and gives what is hidden, with all that
// lies below.
func (tr *tree) walk(dir string, rules *Rules) map[string]bool {
	hidden := map[string]bool{}
	entries, _ := os.ReadDir(filepath.Join(tr.root, dir))
	for _, e := range entries {
		path := dir + e.Name()
		if rules.Hides(e.Name(), e.IsDir()) {
			hidden[path] = true
			for _, p := range tr.paths {
				if strings.HasPrefix(p, path+"/") {
					hidden[p] = true
				}
			}
		} else if e.IsDir() {
			for p := range tr.walk(path+"/", rules.Enter(e.Name(), tr.files(path))) {
				hidden[p] = true
			}
		}
	}
	return hidden
}

func (tr *tree) gitHidden(t *testing.T) map[string]bool {
	out := tr.git(t, []byte(strings.Join(tr.paths, "\x00")+"\x00"), "check-ignore", "--no-index", "-z", "--stdin")
	hidden := map[string]bool{}
	for _, p := range strings.Split(string(out), "\x00") {
		hidden[p] = true
	}
	return hidden
}

func (tr *tree) git(t *testing.T, stdin []byte, args ...string) []byte {
	cmd := exec.Command("git", append([]string{"-c", "core.excludesFile=" + tr.config}, args...)...)
	cmd.Dir = tr.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("git %v: %v", args, err)
	}
	return out
}

// explain shows the ignore files that have a say on p.
func (tr *tree) explain(p string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "global: %q\nexclude: %q\n", read(tr.config), read(filepath.Join(tr.root, ".git/info/exclude")))
	parts := strings.Split(p, "/")
	for i := range parts {
		dir := strings.Join(parts[:i], "/")
		fmt.Fprintf(&b, "%s/.gitignore: %q\n", dir, read(filepath.Join(tr.root, dir, ".gitignore")))
	}
	return b.String()
}

var (
	namePieces = []string{"a", "b", "foo", "bar", ".c", "x y", " ", "[a]", "*", "!", "#", "\\", "-", "é", "\xff", "A", "1", ".", "?", "]", "^", "\t", "foo.o", "{a,b}"}
	pieces     = []string{
		"a", "b", "foo", "bar", ".c", "x y", " ", "\\ ", "*", "**", "***", "?", "/", "/", "/", "**/", "/**", "[a-c]", "[!a]", "[^b]", "[]a]", "[a",
		"\\", "\\*", "\\!", "\\#", "!", "#", "[[:alpha:]]", "[[:space:]]", "[[:bad:]]", "[a-]", "[\\]]", "[--0]", "é", "\xff", "A", "1", "*.o", ".", "\t", "\r", "foo/",
		"[[:", "[[a]", "[a-\\c]", "[!-a]", "[/]", "{a,b}", "-", "^",
	}
	lineEnds = []string{"\n", "\n", "\n", "/\n", " \n", "  \n", "\r\n", "\\ \n"}
)

func randomName(r *rand.Rand) string {
	for {
		var b strings.Builder
		for range 1 + r.IntN(2) {
			b.WriteString(namePieces[r.IntN(len(namePieces))])
		}
		if n := b.String(); n != "." && n != ".." && n != ".git" && n != ".gitignore" {
			return n
		}
	}
}

func randomPatterns(r *rand.Rand, most int) []byte {
	var b bytes.Buffer
	if r.IntN(8) == 0 {
		b.WriteString("\xef\xbb\xbf")
	}
	for range r.IntN(most + 1) {
		if r.IntN(4) == 0 {
			b.WriteByte('!')
		}
		for range 1 + r.IntN(4) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		b.WriteString(lineEnds[r.IntN(len(lineEnds))])
	}
	return b.Bytes()
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// read gives nil for a file that is not there.
func read(path string) []byte {
	b, _ := os.ReadFile(path)
	return b
}
