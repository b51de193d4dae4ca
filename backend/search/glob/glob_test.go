package glob

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// matchPath walks the pattern down a path, as a search does. No name exists
// beside the path.
func matchPath(p *Pattern, path string) bool {
	s := p.Start()
	parts := strings.Split(path, "/")
	for _, name := range parts[:len(parts)-1] {
		s = s.Below(name)
	}
	return s.Matches(parts[len(parts)-1])
}

func compare(t *testing.T, pattern, path string) {
	p, err := Parse(pattern)
	if err != nil {
		return
	}
	if got, want := matchPath(p, path), oracleMatch(strings.TrimRight(pattern, "/"), path); got != want {
		t.Fatalf("pattern %q, path %q: got %v, want %v", pattern, path, got, want)
	}
}

var (
	patternPieces = []string{"a", "b", "c", "é", "\xff", "*", "*", "**", "?", "/", "/", "**/", "/**", "[ab]", "[!a]", "[^b]", "[a-c]", "[é-ü]", "[]a]", "[a-]", "[x-za-c]", `[\]]`, `\*`, `\a`, "{", "}", ",", "{a,b}", "{a/b,c}", "{,a}", ".", "-", "!"}
	pathPieces    = []string{"a", "b", "c", "é", "ü", "\xff", "\xc3", "*", "/", "/", ".", "-", "]", "[", "{", "\n", "\uFFFD"}
)

func join(r *rand.Rand, pieces []string, most int) string {
	var b strings.Builder
	for range 1 + r.IntN(most) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func randomPath(r *rand.Rand) string {
	path := strings.Join(strings.FieldsFunc(join(r, pathPieces, 10), func(c rune) bool { return c == '/' }), "/")
	if path == "" {
		return "a"
	}
	return path
}

func TestAgainstOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	matched := 0
	for range 200_000 {
		pattern, path := join(r, patternPieces, 6), randomPath(r)
		compare(t, pattern, path)
		if p, err := Parse(pattern); err == nil && matchPath(p, path) {
			matched++
		}
	}
	if matched < 5_000 {
		t.Errorf("only %d comparisons were matches", matched)
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("**/*.go", "a/b.go")
	f.Add("{a,b/[!c]}?*", "b/dé")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if len(pattern) > 40 || len(path) > 40 || path == "" || strings.Contains(path, "//") || strings.HasPrefix(path, "/") || strings.HasSuffix(path, "/") {
			return
		}
		compare(t, pattern, path)
	})
}

// TestBoundedSteps counts what patterns made to explode cost for one name. A
// step takes a few nanoseconds, so that two million stay under ten
// milliseconds.
func TestBoundedSteps(t *testing.T) {
	const most = 2_000_000
	name := strings.Repeat("a", 255)
	for _, pattern := range []string{
		"*a*a*a*[b]", strings.Repeat("*a", 100) + "[b]", strings.Repeat("*?", 120) + "b", strings.Repeat("?*", 120) + "[!a]",
		"*" + strings.Repeat("a", 127) + "[b]*", strings.Repeat("{a,b}", 6) + "*" + strings.Repeat("a", 120) + "b",
		strings.Repeat("{*a,*b}", 6) + strings.Repeat("*a", 100) + "b", "{" + strings.Repeat("*a*a[b],", 62) + "c}",
	} {
		p, err := Parse(pattern)
		if err != nil {
			t.Fatal(err)
		}
		steps := 0
		for _, s := range p.segments {
			for _, m := range s.match.alternatives {
				if w, ok := m.(*wildcard); ok {
					_, n := w.match(name)
					steps += n
				}
			}
		}
		if steps > most {
			t.Errorf("%.40s: %d steps", pattern, steps)
		}
	}
}

// TestDeepPaths: a path of many directories costs as many states as the
// pattern has places, not a choice per directory.
func TestDeepPaths(t *testing.T) {
	p, err := Parse("**/*/**/*/**/[z]")
	if err != nil {
		t.Fatal(err)
	}
	s := p.Start()
	for range 255 {
		if s = s.Below("a"); len(s.at) > len(p.segments) {
			t.Fatalf("%d states", len(s.at))
		}
	}
	if s.Matches("a") || !s.Matches("z") {
		t.Error("wrong match")
	}
}

// TestGobwasGetsNothingToChoose: a pattern it could backtrack on never reaches
// it.
func TestGobwasGetsNothingToChoose(t *testing.T) {
	for text, own := range map[string]bool{"*.go": false, "a?b": false, "[a-c]*": false, "*a*": true, "*a*a*a*[b]": true, "[a-zA-Z]": true, "[^a]": true, `\*`: true, "\xff*": true} {
		m, err := compileAlternative(text)
		if _, ok := m.(*wildcard); err != nil || ok != own {
			t.Errorf("%q: own matcher %v, want %v (%v)", text, ok, own, err)
		}
	}
}
