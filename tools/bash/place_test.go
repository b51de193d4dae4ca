//go:build linux

package bash_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"septet/backend"
	"septet/backend/local"
	"septet/backend/search"
	"septet/safepath"
	"septet/session"
	"septet/tools/bash"
	"septet/toolset"
)

// shim is this test binary, run again to supervise commands.
var shim string

func TestMain(m *testing.M) {
	shim = local.ShimMain()
	os.Exit(m.Run())
}

// place is a session on the workspace of shell/testdata/workspace.sh.
type place struct {
	root    string // the workspace, canonical
	session *session.SessionContext
	tool    bash.Tool
	set     *toolset.FinalizedToolset
}

func newPlace(t testing.TB, mode session.Mode) *place {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run(t, base, "bash", absolute(t, "shell/testdata/workspace.sh"), base)
	p := &place{root: filepath.Join(base, "ws"), tool: bash.New()}
	p.open(t, mode)
	return p
}

// open starts a session in the workspace.
func (p *place) open(t testing.TB, mode session.Mode) {
	t.Helper()
	p.openWith(t, mode)
}

// openWith starts a session in the workspace that has more roots.
func (p *place) openWith(t testing.TB, mode session.Mode, more ...safepath.Root) {
	t.Helper()
	sc, err := session.New(session.Config{
		Paths: safepath.Config{
			WorkingDirectory: p.root,
			Roots:            append([]safepath.Root{{Path: p.root, Writable: true}}, more...),
		},
		Profile:     session.Profile{Mode: mode},
		Environment: os.Environ(),
	}, backend.Operations{
		Files:     local.Files(),
		Processes: local.Processes(local.ProcessConfig{Shim: shim}),
		Search:    search.New(search.Config{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	p.session = sc
	var r toolset.Registry
	toolset.Register(&r, p.tool)
	if p.set, err = r.Finalize(sc, toolset.Selection{Mode: mode}); err != nil {
		t.Fatal(err)
	}
}

func absolute(t testing.TB, name string) string {
	t.Helper()
	full, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return full
}

// run runs a program in dir with no configuration of the user.
func run(t testing.TB, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// effects is what the tool says of a command.
func (p *place) effects(t testing.TB, command string) []session.Effect {
	t.Helper()
	return p.effectsIn(t, ".", command)
}

// effectsIn is what the tool says of a command in a directory.
func (p *place) effectsIn(t testing.TB, dir, command string) []session.Effect {
	t.Helper()
	effects, err := p.tool.Effects(t.Context(), p.session, bash.Input{Command: command, Cwd: dir, TimeoutMs: 20_000})
	if err != nil {
		t.Fatalf("%q: %v", command, err)
	}
	return effects
}
