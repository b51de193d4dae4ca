//go:build unix

package local_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"septet/backend/backendtest"
	"septet/backend/local"
	"septet/safepath"
)

func TestFileSystem(t *testing.T) {
	backendtest.TestFileSystem(t, func(t *testing.T) backendtest.Place {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		files := local.Files()
		resolver, err := safepath.NewResolver(files.Volume(), safepath.Config{
			WorkingDirectory: root, Roots: []safepath.Root{{Path: root, Writable: true}},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resolver.Close() })
		return backendtest.Place{Files: files, Root: root, Resolver: resolver, Outside: machine{}}
	})
}

// machine is another program on this machine.
type machine struct{}

func (machine) WriteFile(abs, content string, perm fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		return err
	}
	return os.WriteFile(abs, []byte(content), perm)
}

func (machine) ReadFile(abs string) (string, error) {
	content, err := os.ReadFile(abs)
	return string(content), err
}

func (machine) MkdirAll(abs string, perm fs.FileMode) error { return os.MkdirAll(abs, perm) }
func (machine) Symlink(target, abs string) error            { return os.Symlink(target, abs) }
func (machine) Link(old, abs string) error                  { return os.Link(old, abs) }
func (machine) Mkfifo(abs string) error                     { return unix.Mkfifo(abs, 0o644) }
func (machine) Chmod(abs string, mode fs.FileMode) error    { return os.Chmod(abs, mode) }
func (machine) Rename(old, abs string) error                { return os.Rename(old, abs) }
func (machine) RemoveAll(abs string) error                  { return os.RemoveAll(abs) }

func (machine) Names(abs string) ([]string, error) {
	entries, err := os.ReadDir(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}
