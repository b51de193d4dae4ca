package hostconfig

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

// launch is how the entry of a host starts the program for a project at
// /home/me/project.
func launch(h Host) Launch {
	args := []string{"serve"}
	if dir := h.Workspace("/home/me/project"); dir != "" {
		args = append(args, "--workspace", dir)
	}
	return Launch{Command: "/usr/local/bin/septet", Args: args}
}

// TestMerge puts the entry into files as people have them. Golden files are
// named HOST[-what].txtar.
func TestMerge(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < len(Hosts()) {
		t.Fatalf("%d golden files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			h := hostOf(t, file)
			before := archive.Files[0].Data
			after, err := h.Merge(before, launch(h))
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				archive.Files = append(archive.Files[:1], txtar.File{Name: "after", Data: after})
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := archive.Files[1].Data; !bytes.Equal(after, want) {
				t.Errorf("got\n%s\nwant\n%s", after, want)
			}
			for line := range bytes.Lines(before) {
				if _, comment, found := bytes.Cut(line, []byte("// ")); found && !bytes.Contains(after, comment) {
					t.Errorf("the comment %q is gone", comment)
				}
			}
			checkAgain(t, h, after)
		})
	}
}

// hostOf finds the host of a golden file by its name.
func hostOf(t *testing.T, file string) Host {
	t.Helper()
	base := strings.TrimSuffix(filepath.Base(file), ".txtar")
	best := Host{}
	for _, h := range Hosts() {
		if strings.HasPrefix(base, h.Name) && len(h.Name) > len(best.Name) {
			best = h
		}
	}
	if best.Name == "" {
		t.Fatalf("%s is named after no host", file)
	}
	return best
}

// checkAgain merges once more, which changes nothing, and finds the entry.
func checkAgain(t *testing.T, h Host, after []byte) {
	t.Helper()
	again, err := h.Merge(after, launch(h))
	if err != nil || !bytes.Equal(again, after) {
		t.Errorf("the second time: %v\n%s", err, again)
	}
	if command, err := h.Installed(after); err != nil || command != "/usr/local/bin/septet" {
		t.Errorf("found %q, %v", command, err)
	}
}

// TestMergeIntoNothing makes a new file for every host, and one with Windows
// line ends stays one.
func TestMergeIntoNothing(t *testing.T) {
	for _, h := range Hosts() {
		text := []byte(h.Snippet(launch(h)))
		checkAgain(t, h, text)
		if h.format.name == "YAML" || h.format.name == "TOML" {
			continue
		}
		crlf := append(bytes.Clone(byteOrderMark), "{\r\n  \"a\": 1\r\n}\r\n"...)
		merged, err := h.Merge(crlf, launch(h))
		if err != nil || bytes.Count(merged, []byte("\n")) != bytes.Count(merged, []byte("\r\n")) || !bytes.HasPrefix(merged, byteOrderMark) {
			t.Errorf("%s: %v %q", h.Name, err, merged)
		}
		checkAgain(t, h, merged)
	}
}

// TestMergeRefuses gives files that are broken, or that could not be changed
// without touching something else.
func TestMergeRefuses(t *testing.T) {
	for _, c := range []struct{ host, text, fact string }{
		{"claude-code", `{"mcpServers": {`, "not valid JSON"},
		{"claude-code", `{"mcpServers": {},}`, "not valid JSON"},
		{"claude-code", "// a comment\n{}", "not valid JSON"},
		{"claude-code", `[]`, "not an object"},
		{"claude-code", `{"mcpServers": []}`, `"mcpServers" is not a table`},
		{"claude-code", `{"mcpServers": {"septet": "/bin/septet"}}`, `"septet" is not a table`},
		{"vscode", `{"servers": {}, "servers": {}}`, "twice"},
		{"vscode", "{\"servers\": \xff}", "not UTF-8"},
		{"vscode", `{} {}`, "not valid JSON"},
		{"codex", "[mcp_servers\n", "not valid TOML"},
		{"codex", "a = 1\na = 2\n", "not valid TOML"},
		{"codex", "mcp_servers = { docs = { command = 'x' } }\n", "unusual way"},
		{"codex", "[mcp_servers]\nseptet = { command = 'x' }\n", "unusual way"},
		{"codex", "mcp_servers = 'none'\n", `"mcp_servers" is not a table`},
		{"goose", "extensions: [", "not valid YAML"},
		{"goose", "extensions: {memory: {type: builtin}}\n", "unusual way"},
		{"goose", "extensions:\n  septet: {cmd: x}\n", "not a block"},
		{"goose", "extensions:\n  - developer\n", `"extensions" is not a table`},
		{"goose", "a: 1\n---\nb: 2\n", ""},
	} {
		h, _ := Find(c.host)
		text, err := h.Merge([]byte(c.text), launch(h))
		var told *Error
		if !errors.As(err, &told) || text != nil || told.Hint == "" || !strings.Contains(told.Fact, c.fact) {
			t.Errorf("%s, %q: %q, %v; want %q", c.host, c.text, text, err, c.fact)
		}
	}
}

// FuzzMerge holds that an edit of any text is refused or changes the entry
// alone, and that it is idempotent.
func FuzzMerge(f *testing.F) {
	f.Add(`{"a": [1, 2,], /* c */ "mcpServers": {"x": {}} // d`+"\n}", "a = 1 # c\n[b]\nc = [\n1,\n]\n", "a:\n - b\nextensions:\n  c: |\n    d\n")
	f.Fuzz(func(t *testing.T, j, m, y string) {
		for name, text := range map[string]string{"vscode": j, "cursor": j, "claude-code": j, "codex": m, "goose": y} {
			h, _ := Find(name)
			before := []byte(text)
			merged, err := h.Merge(before, launch(h))
			if string(before) != text {
				t.Errorf("%s: %q was changed in place to %q", name, text, before)
			}
			if err != nil {
				continue
			}
			again, err := h.Merge(merged, launch(h))
			if err != nil || !bytes.Equal(merged, again) {
				t.Errorf("%s: %q became %q, then %q, %v", name, text, merged, again, err)
			}
		}
	})
}
