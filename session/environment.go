package session

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// EnvironmentConfig says what the environment of commands is made from.
type EnvironmentConfig struct {
	Base         []string // required; KEY=VALUE, the program's own environment
	Set          []string // optional; KEY=VALUE, wins over everything
	Keep         []string // optional; names that are taken from Base as they are
	ScrubSecrets bool     // also drop names that look like secrets; breaks gh, aws and npm publish
}

// CommandEnvironment makes the environment of commands: Base without the
// variables that make programs load or run something, plus settings that keep
// programs from asking a person. The result is sorted and names are unique. An
// entry of Set that is no KEY=VALUE is an error.
func CommandEnvironment(c EnvironmentConfig) ([]string, error) {
	values := map[string]string{}
	for _, entry := range c.Base {
		name, value, ok := strings.Cut(entry, "=")
		if ok && name != "" && (c.keeps(name) || !c.scrubs(name)) {
			values[name] = value
		}
	}
	for name, value := range quiet {
		if _, kept := values[name]; !kept || !c.keeps(name) {
			values[name] = value
		}
	}
	for _, entry := range c.Set {
		name, value, ok := strings.Cut(entry, "=")
		if !ok || name == "" || strings.ContainsRune(entry, 0) {
			return nil, fmt.Errorf("environment entry %q is not KEY=VALUE", entry)
		}
		values[name] = value
	}
	return entries(values), nil
}

func entries(values map[string]string) []string {
	list := make([]string, 0, len(values))
	for name, value := range values {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

func (c EnvironmentConfig) keeps(name string) bool {
	return slices.ContainsFunc(c.Keep, func(kept string) bool { return sameName(kept, name) })
}

// sameName compares as the system does.
func sameName(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

func (c EnvironmentConfig) scrubs(name string) bool {
	if runtime.GOOS == "windows" {
		name = strings.ToUpper(name)
	}
	return isHook(name) || isOwn(name) || c.ScrubSecrets && looksSecret(name)
}

// quiet are the settings that keep programs from asking, paging and colouring,
// so that none waits for a terminal that is not there.
var quiet = map[string]string{
	"TERM":                "dumb",
	"NO_COLOR":            "1",
	"PAGER":               "cat",
	"GIT_PAGER":           "cat",
	"GIT_TERMINAL_PROMPT": "0",
	"GIT_ASKPASS":         "", // also keeps core.askPass from being used
	"GIT_EDITOR":          "false",
	"GIT_SEQUENCE_EDITOR": "false", // true would silently run a rebase
	"GIT_SSH_COMMAND":     "ssh -oBatchMode=yes",
	"GIT_OPTIONAL_LOCKS":  "0", // a killed git status leaves no index.lock
	"SSH_ASKPASS_REQUIRE": "never",
	"SUDO_ASKPASS":        "false",
	"DEBIAN_FRONTEND":     "noninteractive",
}

// hooks are variables through which whoever sets the program's environment
// could make every command load or run something else.
var hooks = []string{
	"BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "CDPATH", "GLOBIGNORE",
	"RIPGREP_CONFIG_PATH", "TAR_OPTIONS", "LESSOPEN", "LESSCLOSE", "EDITOR", "VISUAL", "BROWSER",
	"NODE_OPTIONS", "PYTHONSTARTUP", "PERL5OPT", "PERL5DB", "RUBYOPT",
	"GCONV_PATH", "EXECIGNORE",
	"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "BASH_XTRACEFD", "BASH_LOADABLES_PATH", "TMOUT",
}

// isHook reports whether a variable makes programs load or run something.
func isHook(name string) bool {
	for _, prefix := range []string{"LD_", "DYLD_", "BASH_FUNC_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	if strings.HasPrefix(name, "GIT_") {
		return !strings.HasPrefix(name, "GIT_AUTHOR_") && !strings.HasPrefix(name, "GIT_COMMITTER_")
	}
	return strings.HasSuffix(name, "PAGER") || strings.HasSuffix(name, "_ASKPASS") || slices.Contains(hooks, name)
}

// isOwn reports whether a variable describes the shell that started the
// program, not the one that will run.
func isOwn(name string) bool {
	return slices.Contains([]string{"PWD", "OLDPWD", "SHLVL", "_"}, name)
}

// looksSecret reports whether a name is one that secrets have.
func looksSecret(name string) bool {
	name = strings.ToUpper(name)
	for _, part := range []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "APIKEY"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	for _, end := range []string{"_KEY", "_PASS", "_PAT", "_PWD", "_AUTH", "_DSN"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return strings.Contains(name, "_KEY_")
}
