package cli

import (
	"crypto/rand"
	"os"
	"path/filepath"

	"septet/safepath"
)

// places are the directories a server works in and the name of its session.
type places struct {
	session string
	paths   safepath.Config
}

// places turns the flags into absolute paths. A directory that is not there is
// no error here: it may come later.
func (o *options) places() (places, error) {
	workspace, err := filepath.Abs(o.workspace)
	if err != nil {
		return places{}, usage("--workspace DIR", "the current directory cannot be told: %v", err)
	}
	at := places{session: o.session, paths: safepath.Config{
		WorkingDirectory: workspace,
		Roots:            []safepath.Root{{Path: workspace, Writable: true}},
		Protect:          o.protect,
	}}
	if at.session == "" {
		at.session = rand.Text()
	}
	for _, dir := range o.write {
		at.addRoot(workspace, dir, true)
	}
	for _, dir := range o.read {
		at.addRoot(workspace, dir, false)
	}
	if skills := o.skillsDirectory(); skills != "" {
		at.addRoot(workspace, skills, false)
	}
	at.paths.State = o.stateDirectory()
	if at.paths.State != "" {
		at.paths.Spill = filepath.Join(at.paths.State, "spill", at.session)
	}
	return at, nil
}

// addRoot adds a root; a relative one is a person's, so it starts where the
// person is: in the current directory, which filepath.Abs knows.
func (at *places) addRoot(workspace, dir string, writable bool) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = filepath.Join(workspace, dir)
	}
	at.paths.Roots = append(at.paths.Roots, safepath.Root{Path: abs, Writable: writable})
}

// skillsDirectory is the granted root of skills, or "".
func (o *options) skillsDirectory() string {
	switch o.skills {
	case "", "none":
		return ""
	case "auto":
		home, err := os.UserHomeDir()
		if err != nil || !filepath.IsAbs(home) {
			return ""
		}
		dir := filepath.Join(home, ".agents", "skills")
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return ""
		}
		return dir
	}
	return o.skills
}

// stateDirectory is where the program keeps what is its own, or "" when there
// is no home to keep it in.
func (o *options) stateDirectory() string {
	if o.state != "" {
		abs, err := filepath.Abs(o.state)
		if err == nil {
			return abs
		}
		return ""
	}
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "septet")
	}
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) { // one that depends on where the program starts is none
		return ""
	}
	return filepath.Join(home, ".local", "state", "septet")
}
