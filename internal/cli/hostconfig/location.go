package hostconfig

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Machine is what the places of files depend on.
type Machine struct {
	GOOS   string
	Home   string // "" when there is none
	Getenv func(string) string
}

// ThisMachine is the machine the program runs on.
func ThisMachine() Machine {
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		home = ""
	}
	return Machine{GOOS: runtime.GOOS, Home: home, Getenv: os.Getenv}
}

// File returns the file that holds the host's list of servers.
func (h Host) File(m Machine, workspace string) (string, error) {
	if h.project != "" {
		if h.variant != "" && isFile(filepath.Join(workspace, h.variant)) {
			return filepath.Join(workspace, h.variant), nil
		}
		return filepath.Join(workspace, filepath.FromSlash(h.project)), nil
	}
	file := h.user(m)
	if !filepath.IsAbs(file) {
		return "", refuse("--file FILE names it", "the file of %s cannot be told: there is no home directory", h.Title)
	}
	return file, nil
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// config is the directory of users' settings on systems that follow XDG.
func (m Machine) config() string {
	if dir := m.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return m.inHome(".config")
}

func (m Machine) inHome(parts ...string) string {
	if m.Home == "" {
		return ""
	}
	return filepath.Join(append([]string{m.Home}, parts...)...)
}

func (m Machine) appData(parts ...string) string {
	dir := m.Getenv("APPDATA")
	if dir == "" {
		return m.inHome(append([]string{"AppData", "Roaming"}, parts...)...)
	}
	return filepath.Join(append([]string{dir}, parts...)...)
}

func below(dir string, parts ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, strings.Join(parts, string(filepath.Separator)))
}

func claudeDesktopFile(m Machine) string {
	const name = "claude_desktop_config.json"
	switch m.GOOS {
	case "darwin":
		return m.inHome("Library", "Application Support", "Claude", name)
	case "windows":
		return m.appData("Claude", name)
	}
	return below(m.config(), "Claude", name)
}

// Zed uses ~/.config on macOS too.
func zedFile(m Machine) string {
	switch m.GOOS {
	case "darwin":
		return m.inHome(".config", "zed", "settings.json")
	case "windows":
		return m.appData("Zed", "settings.json")
	}
	return below(m.config(), "zed", "settings.json")
}

func codexFile(m Machine) string {
	if dir := m.Getenv("CODEX_HOME"); dir != "" {
		return filepath.Join(dir, "config.toml")
	}
	return m.inHome(".codex", "config.toml")
}

func gooseFile(m Machine) string {
	switch m.GOOS {
	case "darwin":
		return m.inHome(".config", "goose", "config.yaml")
	case "windows":
		return m.appData("Block", "goose", "config", "config.yaml")
	}
	return below(m.config(), "goose", "config.yaml")
}

// Windsurf has become Devin Desktop, which has another directory. The old one
// is used where only that is there.
func windsurfFile(m Machine) string {
	directory := m.inHome(".config", "devin")
	if m.GOOS == "windows" {
		directory = m.appData("devin")
	}
	if old := m.inHome(".codeium", "windsurf"); isDirectory(old) && !isDirectory(directory) {
		directory = old
	}
	return below(directory, "mcp_config.json")
}

func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
