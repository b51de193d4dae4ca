package session_test

import (
	"slices"
	"strings"
	"testing"

	"septet/session"
)

func environment(t *testing.T, c session.EnvironmentConfig) map[string]string {
	t.Helper()
	list, err := session.CommandEnvironment(c)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(list) {
		t.Errorf("not sorted: %v", list)
	}
	values := map[string]string{}
	for _, entry := range list {
		name, value, _ := strings.Cut(entry, "=")
		if _, twice := values[name]; twice {
			t.Errorf("%s is there twice", name)
		}
		values[name] = value
	}
	return values
}

// Variables that make a program load or run something do not reach commands.
func TestEnvironmentDropsHooks(t *testing.T) {
	hooks := strings.Fields(`LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES BASH_ENV ENV BASH_FUNC_ls%% SHELLOPTS BASHOPTS PS4
		PROMPT_COMMAND CDPATH GLOBIGNORE GIT_DIR GIT_CONFIG_COUNT GIT_EXTERNAL_DIFF RIPGREP_CONFIG_PATH TAR_OPTIONS LESSOPEN LESSCLOSE
		MANPAGER SYSTEMD_PAGER EDITOR VISUAL BROWSER NODE_OPTIONS PYTHONSTARTUP PERL5OPT PERL5DB RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS BASH_XTRACEFD BASH_LOADABLES_PATH TMOUT GCONV_PATH EXECIGNORE SSH_ASKPASS
		PWD OLDPWD SHLVL _`)
	kept := strings.Fields(`PATH HOME LANG LC_ALL GOPATH GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GITHUB_TOKEN
		AWS_SECRET_ACCESS_KEY SSH_AUTH_SOCK ENVIRONMENT PERL5LIB HTTP_PROXY`)
	var base []string
	for _, name := range append(hooks, kept...) {
		base = append(base, name+"=v=1")
	}
	got := environment(t, session.EnvironmentConfig{Base: append(base, "no equals sign", "=C:=x")})
	for _, name := range hooks {
		if value, there := got[name]; there {
			t.Errorf("%s=%s is there", name, value)
		}
	}
	for _, name := range kept {
		if got[name] != "v=1" {
			t.Errorf("%s=%s", name, got[name])
		}
	}
	if len(got) != len(kept)+13 {
		t.Errorf("%d variables: %v", len(got), got)
	}
}

// Nothing asks, pages or colours, whatever the user set.
func TestEnvironmentIsQuiet(t *testing.T) {
	got := environment(t, session.EnvironmentConfig{Base: []string{"TERM=xterm", "PAGER=less", "GIT_EDITOR=vi", "GIT_ASKPASS=/x"}})
	for name, want := range map[string]string{
		"TERM": "dumb", "NO_COLOR": "1", "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "",
		"GIT_EDITOR": "false", "GIT_SEQUENCE_EDITOR": "false", "GIT_SSH_COMMAND": "ssh -oBatchMode=yes", "GIT_OPTIONAL_LOCKS": "0",
		"SSH_ASKPASS_REQUIRE": "never", "SUDO_ASKPASS": "false", "DEBIAN_FRONTEND": "noninteractive",
	} {
		if value, there := got[name]; !there || value != want {
			t.Errorf("%s=%q, want %q", name, value, want)
		}
	}
}

func TestEnvironmentKeepAndSet(t *testing.T) {
	got := environment(t, session.EnvironmentConfig{
		Base: []string{"TERM=xterm", "NODE_OPTIONS=--a", "NPM_TOKEN=t", "A=1", "B=1"},
		Keep: []string{"TERM", "NODE_OPTIONS", "PAGER", "NPM_TOKEN"},
		Set:  []string{"A=2", "PAGER=more", "C=x=y", "D="}, ScrubSecrets: true,
	})
	for name, want := range map[string]string{
		"TERM": "xterm", "NODE_OPTIONS": "--a", "NPM_TOKEN": "t", "A": "2", "B": "1", "C": "x=y", "D": "", "PAGER": "more",
	} {
		if got[name] != want {
			t.Errorf("%s=%q, want %q", name, got[name], want)
		}
	}
}

func TestEnvironmentScrubsSecrets(t *testing.T) {
	secret := strings.Fields(`GITHUB_TOKEN AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID DB_PASSWORD PGPASSWD MYSQL_PASS OPENAI_API_KEY
		STRIPE_APIKEY GOOGLE_APPLICATION_CREDENTIALS npm_config__auth GH_PAT SENTRY_DSN GPG_PASSPHRASE`)
	plain := strings.Fields(`PATH HOME SSH_AUTH_SOCK KEYBOARD MONKEY COMPASS PATTERN XDG_SESSION_ID`)
	var base []string
	for _, name := range append(secret, plain...) {
		base = append(base, name+"=v")
	}
	got := environment(t, session.EnvironmentConfig{Base: base, ScrubSecrets: true})
	for _, name := range secret {
		if _, there := got[name]; there {
			t.Errorf("%s is there", name)
		}
	}
	for _, name := range plain {
		if _, there := got[name]; !there {
			t.Errorf("%s is gone", name)
		}
	}
}

func TestEnvironmentRefuses(t *testing.T) {
	for _, entry := range []string{"A", "=1", "A=\x00"} {
		if _, err := session.CommandEnvironment(session.EnvironmentConfig{Set: []string{entry}}); err == nil {
			t.Errorf("%q was taken", entry)
		}
	}
}
