// Package tooltest makes the session that a tool's own tests call it in.
package tooltest

import (
	"testing"

	"septet/backend"
	"septet/backend/memory"
	"septet/safepath"
	"septet/session"
)

// Root is the workspace of a Place.
const Root = "/work/project"

// Place is a session on a tree in memory. The Volume is how a test looks at
// the tree, and changes it, past the session.
type Place struct {
	*memory.Volume
	Session *session.SessionContext
}

// New makes a place with these files, by path below Root.
func New(t testing.TB, files map[string]string) Place {
	t.Helper()
	v := memory.NewVolume()
	Check(t, v.MkdirAll(Root, 0o755))
	for name, content := range files {
		Check(t, v.WriteFile(Root+"/"+name, content, 0o644))
	}
	return Place{Volume: v, Session: NewSession(t, memory.New(v, nil), Root)}
}

// Holds asserts what a file below Root holds.
func (p Place) Holds(t testing.TB, name, want string) {
	t.Helper()
	if got, err := p.ReadFile(Root + "/" + name); err != nil || got != want {
		t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
	}
}

// NewSession makes a session with one writable root, its working directory.
func NewSession(t testing.TB, ops backend.Operations, root string) *session.SessionContext {
	t.Helper()
	sc, err := session.New(session.Config{Paths: safepath.Config{
		WorkingDirectory: root, Roots: []safepath.Root{{Path: root, Writable: true}},
	}}, ops)
	Check(t, err)
	return sc
}

// Check ends the test when err is not nil.
func Check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
