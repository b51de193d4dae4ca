package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"septet/backend"
	"septet/internal/cli/hostconfig"
	"septet/toolset"
)

// block is a fenced block of a document.
type block struct {
	kind string // the first word after the fence
	rest string // the other words
	text string
	line int
}

// blocksOf finds the fenced blocks. A block that is only indented is a
// mistake: nothing would look at it.
func blocksOf(t *testing.T, name string) []block {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	var open *block
	number, blank := 0, true
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimSuffix(line, "\n")
		switch info, fence := strings.CutPrefix(line, "```"); {
		case fence && open == nil:
			kind, rest, _ := strings.Cut(info, " ")
			open = &block{kind: kind, rest: rest, line: number}
		case fence:
			blocks, open = append(blocks, *open), nil
		case open != nil:
			open.text += line + "\n"
		case strings.HasPrefix(line, "    ") && blank:
			t.Errorf("%s:%d: an indented block; fence it", name, number)
		}
		blank = line == ""
	}
	return blocks
}

// byHand are commands that a test cannot run, with the reason.
var byHand = map[string]string{
	"./scripts/check":   "it runs this test",
	"./scripts/release": "it takes minutes; the stage release of the check runs it",
}

// TestDocuments runs what the documents show: conversations with a real server,
// and commands in a shell. The blocks of one document share a directory.
func TestDocuments(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("docs/*.md")
	if err != nil || len(names) == 0 {
		t.Fatal("no documents", err)
	}
	for _, name := range append(names, "README.md", "CONTRIBUTING.md") {
		t.Run(name, func(t *testing.T) {
			bin, dir := t.TempDir(), t.TempDir()
			if err := os.Symlink(program, filepath.Join(bin, "septet")); err != nil {
				t.Skip("links cannot be made here: ", err)
			}
			keepGoCaches(t)
			t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
			t.Setenv("XDG_STATE_HOME", t.TempDir())
			t.Setenv("XDG_CONFIG_HOME", t.TempDir())
			t.Setenv("HOME", t.TempDir())
			for _, b := range blocksOf(t, name) {
				runBlock(t, b, name, bash, dir)
			}
		})
	}
}

// keepGoCaches lets go find what it has built and fetched after HOME has moved:
// building everything anew takes minutes.
func keepGoCaches(t *testing.T) {
	t.Helper()
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Skip("go is not installed: ", err)
		}
		t.Setenv(name, strings.TrimSpace(string(value)))
	}
}

func runBlock(t *testing.T, b block, name, bash, dir string) {
	t.Helper()
	switch b.kind {
	case "frames":
		process := exec.Command("septet", append([]string{"serve"}, strings.Fields(b.rest)...)...)
		process.Dir = t.TempDir()
		if stderr, err := converse(b.text, process); err != nil {
			t.Errorf("%s:%d: %v\n%s", name, b.line, err, stderr)
		}
	case "sh":
		if b.rest == "by-hand" {
			for command := range strings.Lines(b.text) {
				command, _, _ = strings.Cut(strings.TrimSpace(command), "  #")
				if byHand[strings.TrimSpace(command)] == "" {
					t.Errorf("%s:%d: %q can be run by a test", name, b.line, command)
				}
			}
			return
		}
		if b.rest == "archive" || b.rest == "image" {
			return // the tests of a release run them, beside one
		}
		process := exec.Command(bash, "-euo", "pipefail", "-c", b.text)
		process.Dir = dir
		if b.rest == "checkout" {
			process.Dir = "."
		}
		if out, err := process.CombinedOutput(); err != nil {
			t.Errorf("%s:%d: %v\n%s\n%s", name, b.line, err, b.text, out)
		}
	case "json", "toml", "yaml", "text", "scenario":
	default:
		t.Errorf("%s:%d: a block of kind %q, which no test knows", name, b.line, b.kind)
	}
}

// TestProtocolDocumentIsWhole looks for every name of the wire in the document
// for people who write a host.
func TestProtocolDocumentIsWhole(t *testing.T) {
	document, err := os.ReadFile("docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]*regexp.Regexp{
		"server/handler.go":       regexp.MustCompile(`(?m)^\t\t"([a-z/A-Z]+)": +\{`),
		"server/notifications.go": regexp.MustCompile(`case "([^"]+)":`),
		"server/request.go":       regexp.MustCompile(`meta\["([^"]+)"\]`),
		"server/initialize.go":    regexp.MustCompile(`meta\["([^"]+)"\]`),
		"server/result.go":        regexp.MustCompile(`Meta\["(septet/[a-z]+)"\]`),
		"server/progress.go":      regexp.MustCompile(`\{"(septet/[a-z]+)":`),
		"toolset/code.go":         regexp.MustCompile(`Code = "([a-z_]+)"`),
		"safepath/error.go":       regexp.MustCompile(`Code = "([a-z_]+)"`),
		"backend/error.go":        regexp.MustCompile(`Code = "([a-z_]+)"`),
	}
	for name, pattern := range sources {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := pattern.FindAllStringSubmatch(string(source), -1)
		if len(found) == 0 {
			t.Errorf("%s has nothing like %v", name, pattern)
		}
		for _, m := range found {
			if !strings.Contains(string(document), "`"+m[1]+"`") {
				t.Errorf("docs/protocol.md does not tell of %s, which %s has", m[1], name)
			}
		}
	}
}

// TestReadersFindTheirWay: each of the three readers of the README meets a link
// to what is for them before the first picture or block, and it leads somewhere.
func TestReadersFindTheirWay(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	top, _, _ := strings.Cut(string(text), "\n![")
	links := regexp.MustCompile(`(?m)^- \[([^\]]+)\]\(#([a-z-]+)\)`).FindAllStringSubmatch(top, -1)
	if lines := strings.Count(top, "\n"); len(links) != 3 || lines > 12 {
		t.Errorf("%d links in the first %d lines", len(links), lines)
	}
	for _, link := range links {
		anchor := strings.ReplaceAll(strings.ToLower(link[1]), " ", "-")
		if anchor != link[2] || !strings.Contains(string(text), "\n## "+link[1]+"\n") {
			t.Errorf("the link %q leads nowhere", link[0])
		}
	}
}

// TestHostsDocument holds the entries in the document to those that are
// written.
func TestHostsDocument(t *testing.T) {
	text, err := os.ReadFile("docs/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	document := string(text)
	for _, h := range hostconfig.Hosts() {
		args := []string{"serve"}
		if dir := h.Workspace("/path/to/project"); dir != "" {
			args = append(args, "--workspace", dir)
		}
		snippet := h.Snippet(hostconfig.Launch{Command: "/path/to/septet", Args: args})
		_, section, found := strings.Cut(document, "\n## "+h.Title+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		if !found || !strings.Contains(section, "\n"+snippet+"```") || !strings.Contains(section, "septet config "+h.Name) {
			t.Errorf("docs/hosts.md has no section %q with septet config %s and\n%s", h.Title, h.Name, snippet)
		}
		if !strings.Contains(section, "\nChecked against: ") {
			t.Errorf("docs/hosts.md does not say what the entry of %s was checked against", h.Title)
		}
	}
}

// TestProtocolDocumentHasNothingElse looks for every name that the tables of the
// document have in the code: what was renamed or dropped must leave the page.
func TestProtocolDocumentHasNothingElse(t *testing.T) {
	text, err := os.ReadFile("docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	code := ""
	for _, f := range productFiles(t) {
		if strings.HasPrefix(f.dir, "server") || f.dir == "toolset" {
			source, err := os.ReadFile(f.name)
			if err != nil {
				t.Fatal(err)
			}
			code += string(source)
		}
	}
	for _, heading := range []string{"Methods", "Keys of `_meta`"} {
		names := tableNames(t, string(text), heading)
		for _, name := range names {
			suffix := strings.TrimPrefix(name, "io.modelcontextprotocol/") // the code puts these together
			if !strings.Contains(code, `"`+name+`"`) && !strings.Contains(code, `metaPrefix + "`+suffix+`"`) {
				t.Errorf("docs/protocol.md tells of %s, which the code does not have", name)
			}
		}
		if len(names) < 10 {
			t.Errorf("only %d names below %s", len(names), heading)
		}
	}
	var codes []string
	for _, c := range toolset.Codes() {
		codes = append(codes, string(c))
	}
	sameNames(t, "Codes", tableNames(t, string(text), "Codes"), codes)
	sameNames(t, "A change", tableNames(t, string(text), "A change"), jsonNames(reflect.TypeFor[toolset.Record]()))
	for _, name := range jsonNames(reflect.TypeFor[backend.Hunk]()) {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/protocol.md does not tell of %s of a hunk", name)
		}
	}
	for _, m := range regexp.MustCompile(`metaPrefix \+ "([A-Za-z]+)"`).FindAllStringSubmatch(code, -1) {
		if !slices.Contains(tableNames(t, string(text), "Keys of `_meta`"), "io.modelcontextprotocol/"+m[1]) {
			t.Errorf("docs/protocol.md does not tell of the key %s", m[1])
		}
	}
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// tableNames are the names in the first column of the table below a heading.
func tableNames(t *testing.T, document, heading string) []string {
	t.Helper()
	_, section, found := strings.Cut(document, "# "+heading+"\n")
	if !found {
		t.Fatalf("there is no heading %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n#")
	var names []string
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, "|"); len(cells) > 2 && cells[0] == "" {
			for _, m := range codeSpan.FindAllStringSubmatch(cells[1], -1) {
				names = append(names, m[1])
			}
		}
	}
	return names
}

func sameNames(t *testing.T, what string, got, want []string) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if got = slices.Compact(got); !slices.Equal(got, slices.Compact(want)) {
		t.Errorf("%s: docs/protocol.md has %q, the code %q", what, got, want)
	}
}

// jsonNames are the names of the members of a type in JSON.
func jsonNames(of reflect.Type) []string {
	var names []string
	for _, field := range reflect.VisibleFields(of) {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}
