package edit_test

import (
	"testing"

	"septet/backend"
	"septet/backend/memory"
	"septet/safepath"
	"septet/session"
)

const root = "/work/project"

// place is a session on a tree in memory.
type place struct {
	*memory.Volume
	session *session.SessionContext
}

func newPlace(t testing.TB, files map[string]string) place {
	t.Helper()
	v := memory.NewVolume()
	check(t, v.MkdirAll(root, 0o755))
	for name, content := range files {
		check(t, v.WriteFile(root+"/"+name, content, 0o644))
	}
	return place{Volume: v, session: newSession(t, memory.New(v, nil), root)}
}

func newSession(t testing.TB, ops backend.Operations, root string) *session.SessionContext {
	t.Helper()
	sc, err := session.New(session.Config{Paths: safepath.Config{
		WorkingDirectory: root, Roots: []safepath.Root{{Path: root, Writable: true}},
	}}, ops)
	check(t, err)
	return sc
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
