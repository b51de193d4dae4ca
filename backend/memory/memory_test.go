package memory_test

import (
	"testing"

	"septet/backend/backendtest"
	"septet/backend/memory"
	"septet/safepath"
)

func TestFileSystem(t *testing.T) {
	backendtest.TestFileSystem(t, func(t *testing.T) backendtest.Place {
		return place(t, memory.NewVolume())
	})
}

func place(t *testing.T, v *memory.Volume) backendtest.Place {
	const root = "/work/project"
	if err := v.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	resolver, err := safepath.NewResolver(v, safepath.Config{
		WorkingDirectory: root, Roots: []safepath.Root{{Path: root, Writable: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resolver.Close() })
	return backendtest.Place{Files: memory.New(v, nil).Files, Root: root, Resolver: resolver, Outside: v}
}
