package main

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// claim matches words that promise more than is true: a command that is run
// has every right of its user. "is not isolated" promises nothing.
var claim = regexp.MustCompile(`(?i)((?:\b(?:not|no|never|nor|without)(?: an?)?[ -])?)\b(sandbox\w*|isolat\w*|contained|containment|jail\w*|confine\w*|air-?gapped|` +
	`restrict\w* network|network (?:access )?is (?:restricted|blocked|disabled|off)|(?:has|have|had|gets?|with|runs?|there is) no network|no network access|cannot (?:write|escape|leave|harm)|can't (?:write|escape|leave|harm)|(?:safe|harmless) to run)\b`)

// claims returns what text promises.
func claims(text string) []string {
	var found []string
	for _, m := range claim.FindAllStringSubmatch(strings.Join(strings.Fields(text), " "), -1) {
		if m[1] == "" {
			found = append(found, m[0])
		}
	}
	return found
}

// TestNoTextClaimsContainment looks at everything that people and models may
// read: every string of the program, its embedded texts and its documents.
func TestNoTextClaimsContainment(t *testing.T) {
	texts := 0
	for _, f := range productFiles(t) {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				texts++
				for _, c := range claims(text) {
					t.Errorf("%s:%d says %q", f.name, f.set.Position(lit.Pos()).Line, c)
				}
			}
			return true
		})
	}
	for _, name := range documents(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts++
		for _, c := range claims(string(text)) {
			t.Errorf("%s says %q", name, c)
		}
	}
	if texts < 500 {
		t.Errorf("only %d texts were found", texts)
	}
}

// documents are the texts beside the code, tests' data left out.
func documents(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (d.Name() == "testdata" || d.Name()[0] == '.') {
			return fs.SkipDir
		}
		switch filepath.Ext(name) {
		case ".md", ".txt", ".1", ".html":
			if !d.IsDir() {
				names = append(names, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestClaimsAreSeen(t *testing.T) {
	for text, want := range map[string]int{
		"Runs in a sandbox.": 1, "Sandboxed and isolated": 2, "is not sandboxed": 0, "no network access": 1, "It has\nno   network": 1, "never isolated, not a sandbox": 0,
		"the container contains files": 0, "The network is restricted": 1, "restricts network use": 1, "It cannot escape": 1, "Commands are contained.": 1, "not safe to run": 0, "safe to run": 1,
	} {
		if got := claims(text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}
