package hostconfig

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func vscode(t *testing.T) (Host, Launch) {
	t.Helper()
	h, _ := Find("vscode")
	return h, launch(h)
}

// TestWrite makes a file with its directory, changes one and keeps the old
// one, and leaves one alone that is up to date.
func TestWrite(t *testing.T) {
	h, l := vscode(t)
	dir := t.TempDir()
	file := filepath.Join(dir, ".vscode", "mcp.json")
	first, err := h.Write(file, dir, l)
	if err != nil || !first.Changed || first.Backup != "" {
		t.Fatalf("%+v, %v", first, err)
	}
	old := `{"servers": {}}`
	if err := os.WriteFile(file, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	second, err := h.Write(file, dir, l)
	if err != nil || !second.Changed || second.Backup != file+BackupSuffix {
		t.Fatalf("%+v, %v", second, err)
	}
	if backup, err := os.ReadFile(second.Backup); err != nil || string(backup) != old {
		t.Errorf("the backup has %q, %v", backup, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode became %v, %v", info.Mode(), err)
	}
	third, err := h.Write(file, dir, l)
	if err != nil || third.Changed {
		t.Errorf("%+v, %v", third, err)
	}
	if backup, err := os.ReadFile(second.Backup); err != nil || string(backup) != old {
		t.Errorf("an idle run changed the backup to %q, %v", backup, err)
	}
}

// TestWriteLeavesBrokenFilesAlone also leaves no backup.
func TestWriteLeavesBrokenFilesAlone(t *testing.T) {
	h, l := vscode(t)
	file := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(file, []byte(`{"servers": `), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := h.Write(file, "", l)
	var told *Error
	if !errors.As(err, &told) || !strings.HasPrefix(told.Fact, file+": ") {
		t.Errorf("got %v", err)
	}
	entries, err := os.ReadDir(filepath.Dir(file))
	if text, _ := os.ReadFile(file); err != nil || len(entries) != 1 || string(text) != `{"servers": ` {
		t.Errorf("%v, %v, %q", entries, err, text)
	}
}

// TestWriteFollowsLinksOfAPersonOnly: a repository's links may not lead the
// edit out of it; a person's link to a repository of settings stays a link.
func TestWriteFollowsLinksOfAPersonOnly(t *testing.T) {
	h, l := vscode(t)
	project, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(project, ".vscode")); err != nil {
		t.Skip("links cannot be made here: ", err)
	}
	file := filepath.Join(project, ".vscode", "mcp.json")
	var told *Error
	if _, err := h.Write(file, project, l); !errors.As(err, &told) || !strings.Contains(told.Fact, "out of the project") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "mcp.json")); err == nil {
		t.Error("the file was written")
	}
	if _, err := h.Write(file, "", l); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(filepath.Join(project, ".vscode")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info.Mode(), err)
	}
}

// TestFiles are the places on each system.
func TestFiles(t *testing.T) {
	if filepath.Separator != '/' {
		t.Skip("the expected paths are written with slashes")
	}
	env := map[string]string{}
	m := func(goos string) Machine {
		return Machine{GOOS: goos, Home: "/h", Getenv: func(name string) string { return env[name] }}
	}
	for _, c := range []struct{ host, goos, file string }{
		{"claude-code", "linux", "/p/.mcp.json"}, {"vscode", "linux", "/p/.vscode/mcp.json"}, {"cursor", "linux", "/p/.cursor/mcp.json"},
		{"gemini", "linux", "/p/.gemini/settings.json"}, {"opencode", "linux", "/p/opencode.json"}, {"crush", "linux", "/p/crush.json"},
		{"claude-desktop", "darwin", "/h/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude-desktop", "windows", "/h/AppData/Roaming/Claude/claude_desktop_config.json"},
		{"claude-desktop", "linux", "/h/.config/Claude/claude_desktop_config.json"},
		{"zed", "darwin", "/h/.config/zed/settings.json"}, {"zed", "linux", "/h/.config/zed/settings.json"},
		{"codex", "linux", "/h/.codex/config.toml"}, {"goose", "linux", "/h/.config/goose/config.yaml"},
		{"windsurf", "linux", "/h/.config/devin/mcp_config.json"}, {"windsurf", "windows", "/h/AppData/Roaming/devin/mcp_config.json"},
	} {
		h, _ := Find(c.host)
		if file, err := h.File(m(c.goos), "/p"); err != nil || file != c.file {
			t.Errorf("%s on %s: %q, %v", c.host, c.goos, file, err)
		}
	}
	env["CODEX_HOME"], env["XDG_CONFIG_HOME"], env["APPDATA"] = "/c", "/x", "/a"
	for host, file := range map[string]string{"codex": "/c/config.toml", "zed": "/x/zed/settings.json", "goose": "/x/goose/config.yaml"} {
		h, _ := Find(host)
		if got, err := h.File(m("linux"), "/p"); err != nil || got != file {
			t.Errorf("%s: %q, %v", host, got, err)
		}
	}
	h, _ := Find("zed")
	if _, err := h.File(Machine{GOOS: "linux", Getenv: func(string) string { return "" }}, "/p"); err == nil {
		t.Error("there is a file without a home")
	}
}

// TestWindsurfBeforeItsNewName keeps to the directory that is there.
func TestWindsurfBeforeItsNewName(t *testing.T) {
	home := t.TempDir()
	m := Machine{GOOS: "linux", Home: home, Getenv: func(string) string { return "" }}
	h, _ := Find("windsurf")
	old, current := filepath.Join(home, ".codeium", "windsurf"), filepath.Join(home, ".config", "devin")
	for _, step := range []struct{ made, want string }{{"", current}, {old, old}, {current, current}} {
		if step.made != "" {
			if err := os.MkdirAll(step.made, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if file, err := h.File(m, home); err != nil || file != filepath.Join(step.want, "mcp_config.json") {
			t.Errorf("after %q it is %s, %v", step.made, file, err)
		}
	}
}

// TestScript prefers the script that Crush prefers, and quotes what a shell
// would read otherwise.
func TestScript(t *testing.T) {
	h, _ := Find("crush")
	workspace := t.TempDir()
	for _, step := range []struct{ made, want string }{{"", ""}, {"crushrc", "crushrc"}, {".crushrc", ".crushrc"}} {
		if step.made != "" {
			if err := os.WriteFile(filepath.Join(workspace, step.made), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got := h.Script(workspace); got != "" && filepath.Base(got) != step.want || got == "" && step.want != "" {
			t.Errorf("after %q it is %q", step.made, got)
		}
	}
	got := h.ScriptLine(Launch{Command: "/my bin/septet", Args: []string{"serve", "--env", "A='$B'"}})
	if want := `mcp add septet --type stdio --command '/my bin/septet' --args serve --args --env --args 'A='\''$B'\'''` + "\n"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
}
