package memory_test

import (
	"fmt"
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

// TestLinksAreCounted: a chain of forty links leads somewhere, a longer one
// and a loop do not.
func TestLinksAreCounted(t *testing.T) {
	v := memory.NewVolume()
	check(t, v.MkdirAll("/0", 0o755))
	for i := range memory.MaxFollowedLinks + 1 {
		check(t, v.Symlink(fmt.Sprintf("/%d", i), fmt.Sprintf("/%d", i+1)))
	}
	check(t, v.Symlink("loop", "/loop"))
	for path, ok := range map[string]bool{"/40": true, "/41": false, "/loop": false} {
		if _, err := v.OpenRoot(path); (err == nil) != ok {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
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
