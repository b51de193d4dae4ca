package settings

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// flagsOf are a few flags of each kind.
func flagsOf() *pflag.FlagSet {
	f := pflag.NewFlagSet("test", pflag.ContinueOnError)
	f.String("mode", "default", "")
	f.StringArray("read", nil, "")
	f.StringArray("env", nil, "")
	f.StringSlice("tools", nil, "")
	f.Bool("structured", false, "")
	f.Int("search-threads", 0, "")
	f.String("config", "", "")
	return f
}

// write makes a configuration file outside every workspace.
func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func apply(t *testing.T, args, environ []string) (*pflag.FlagSet, Applied, error) {
	t.Helper()
	f := flagsOf()
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	a, err := Apply(f, flagsOf(), environ)
	return f, a, err
}

// TestPrecedence gives every setting from another source, and one from all.
func TestPrecedence(t *testing.T) {
	file := write(t, "mode = 'file'\nread = ['/a', '/b']\nstructured = true\nsearch-threads = 3\nenv = {B = '2', A = '1=1'}\n")
	list := string(filepath.ListSeparator)
	f, a, err := apply(t, []string{"--config", file, "--mode", "flag"},
		[]string{"SEPTET_MODE=variable", "SEPTET_READ=/c" + list + list + "/d", "SEPTET_TOOLS=read, grep", "SEPTET_CACHE=/x", "OTHER=1"})
	if err != nil || a.File != file || !slices.Equal(a.Ignored, []string{"SEPTET_CACHE"}) {
		t.Fatalf("%+v, %v", a, err)
	}
	want := map[string]Setting{
		"mode": {"mode", "flag", Flag}, "read": {"read", "[/c,/d]", "SEPTET_READ"}, "tools": {"tools", "[read,grep]", "SEPTET_TOOLS"},
		"structured": {"structured", "true", Source(file)}, "search-threads": {"search-threads", "3", Source(file)},
		"env": {"env", "[A=1=1,B=2]", Source(file)},
	}
	if len(a.Settings) != len(want) {
		t.Errorf("%d settings: %+v", len(a.Settings), a.Settings)
	}
	for _, s := range a.Settings {
		if s != want[s.Name] || f.Lookup(s.Name).Value.String() != s.Value {
			t.Errorf("%+v, want %+v", s, want[s.Name])
		}
	}
}

// TestFileOfOtherEditors begins with a mark and has long line ends.
func TestFileOfOtherEditors(t *testing.T) {
	file := write(t, "\xef\xbb\xbfmode = 'file'\r\nstructured = true\r\n")
	f, _, err := apply(t, []string{"--config", file}, nil)
	if err != nil || f.Lookup("mode").Value.String() != "file" || f.Lookup("structured").Value.String() != "true" {
		t.Errorf("mode is %s, %v", f.Lookup("mode").Value, err)
	}
}

// TestRefused are sources that are wrong.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, variable, fact, hint string }{
		{text: "mdoe = 'read-only'", fact: `no setting "mdoe"`, hint: "mode"},
		{text: "colour = 'blue'", fact: `no setting "colour"`, hint: "search-threads"},
		{text: "config = '/other'", fact: `no setting "config"`},
		{text: "mode = ['a']", fact: "mode: one value"},
		{text: "read = [1]", fact: "read: 1 is not a text"},
		{text: "search-threads = 'many'", fact: "search-threads: "},
		{text: "mode = 1979-05-27", fact: "mode: a text"},
		{text: "mode = 'a'\nmode = 'b'", fact: "line 2"},
		{text: "structured = 'yes'", fact: "neither true nor false"},
		{text: "[mode]\na = 'b'", fact: "mode: one value"},
		{text: "mode = 'a'\x00", fact: "line 1"},
		{text: "mode =", fact: "line 1, column"},
		{variable: "SEPTET_MDOE=read-only", fact: "SEPTET_MDOE is no setting", hint: "SEPTET_MODE"},
		{variable: "SEPTET_STRUCTURED=perhaps", fact: "SEPTET_STRUCTURED"},
		{variable: "SEPTET_CONFIG=/no/such/file", fact: "cannot be read", hint: "--config none"},
	} {
		args := []string{}
		if c.text != "" {
			args = []string{"--config", write(t, c.text)}
		}
		_, _, err := apply(t, args, []string{c.variable, "XDG_CONFIG_HOME=/none"})
		var told *Error
		if !errors.As(err, &told) || !strings.Contains(told.Fact, c.fact) || !strings.Contains(told.Hint, c.hint) || told.Hint == "" {
			t.Errorf("%q %q: %+v, want %q and %q", c.text, c.variable, err, c.fact, c.hint)
		}
	}
}

// TestCheckOutside reaches the inside of a workspace by several ways.
func TestCheckOutside(t *testing.T) {
	top := t.TempDir()
	workspace, outside := filepath.Join(top, "workspace"), filepath.Join(top, "outside")
	for _, dir := range []string{filepath.Join(workspace, "deep"), outside} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	inner := filepath.Join(workspace, "deep", "c.toml")
	outer := filepath.Join(outside, "c.toml")
	for _, file := range []string{inner, outer} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link, door := filepath.Join(outside, "link.toml"), filepath.Join(outside, "door")
	if os.Symlink(inner, link) != nil || os.Symlink(workspace, door) != nil || os.Symlink(outer, filepath.Join(workspace, "out.toml")) != nil {
		t.Skip("links cannot be made here")
	}
	for file, fine := range map[string]bool{
		"": true, outer: true, inner: false, link: false, filepath.Join(door, "deep", "c.toml"): false, filepath.Join(workspace, "out.toml"): false,
	} {
		for _, dir := range []string{workspace, door} {
			if err := CheckOutside(file, []string{outside + "-not", dir}); (err == nil) != fine {
				t.Errorf("%s in %s: %v", file, dir, err)
			}
		}
	}
}
