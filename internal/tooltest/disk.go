package tooltest

import (
	"os"
	"path/filepath"
	"testing"

	"septet/backend"
	"septet/backend/search"
	"septet/safepath"
	"septet/session"
)

// NewSearchSession makes a session on a new directory of this machine with
// these files, by path below it, and the real searcher.
func NewSearchSession(t testing.TB, files map[string]string) *session.SessionContext {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		Check(t, os.MkdirAll(filepath.Dir(path), 0o755))
		Check(t, os.WriteFile(path, []byte(content), 0o644))
	}
	ops := backend.Operations{Files: backend.NewFiles(safepath.OS()), Search: search.New(search.Config{})}
	return NewSession(t, ops, root)
}
