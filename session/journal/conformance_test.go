package journal_test

import (
	"testing"

	"septet/backend/backendtest"
	"septet/backend/memory"
	"septet/safepath"
	"septet/session/journal"
)

// A file system with a journal around it is a file system like any other.
func TestFileSystem(t *testing.T) {
	backendtest.TestFileSystem(t, func(t *testing.T) backendtest.Place {
		const root = "/work/project"
		v := memory.NewVolume()
		must(t, v.MkdirAll(root, 0o755))
		resolver, err := safepath.NewResolver(v, safepath.Config{
			WorkingDirectory: root, Roots: []safepath.Root{{Path: root, Writable: true}},
		})
		must(t, err)
		t.Cleanup(func() { resolver.Close() })
		store := journal.New(journal.Config{State: t.TempDir(), Workspace: root})
		t.Cleanup(func() { store.Close() })
		return backendtest.Place{Files: store.Wrap(memory.New(v, nil).Files), Root: root, Resolver: resolver, Outside: v}
	})
}
