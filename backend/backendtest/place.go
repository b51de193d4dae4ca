// Package backendtest holds the tests that every backend passes, whatever is
// below it.
package backendtest

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"septet/backend"
	"septet/safepath"
)

// Place is a file system under test, fresh for each test.
type Place struct {
	Files    backend.FileSystem
	Root     string             // absolute, canonical, writable and empty; an authorised root of Resolver
	Resolver *safepath.Resolver // on the volume of Files
	Outside  Outside            // the same tree, as another program sees it
}

// Outside is what another program of the same user does. The names are those
// of package os; paths are absolute, WriteFile makes missing parents.
type Outside interface {
	WriteFile(abs, content string, perm fs.FileMode) error
	ReadFile(abs string) (string, error)
	MkdirAll(abs string, perm fs.FileMode) error
	Symlink(target, abs string) error
	Link(old, abs string) error
	Mkfifo(abs string) error
	Chmod(abs string, mode fs.FileMode) error
	Rename(old, abs string) error
	RemoveAll(abs string) error
	Names(abs string) ([]string, error) // sorted
}

// path resolves a name relative to the root for the length of the test.
func (p Place) path(t *testing.T, name string, a safepath.Access, i safepath.Intent) *safepath.CheckedPath {
	t.Helper()
	checked, err := p.Resolver.Resolve(p.abs(name), a, i)
	if err != nil {
		t.Fatalf("resolve %s: %v", name, err)
	}
	t.Cleanup(func() { checked.Close() })
	return checked
}

func (p Place) abs(name string) string { return path.Join(p.Root, name) }

// target resolves a file that is to be written.
func (p Place) target(t *testing.T, name string) *safepath.CheckedPath {
	t.Helper()
	return p.path(t, name, safepath.Write, safepath.File)
}

// put writes a file as another program would, whatever the umask is.
func (p Place) put(t *testing.T, name, content string) {
	t.Helper()
	check(t, errors.Join(p.Outside.WriteFile(p.abs(name), content, 0o644), p.Outside.Chmod(p.abs(name), 0o644)))
}

// holds asserts a file's content.
func (p Place) holds(t *testing.T, name, want string) {
	t.Helper()
	got, err := p.Outside.ReadFile(p.abs(name))
	if err != nil || got != want {
		t.Errorf("%s holds %.200q (%v), want %.200q", name, got, err, want)
	}
}

// names asserts what is in a directory: also that no temporary file is left.
func (p Place) names(t *testing.T, dir string, want ...string) {
	t.Helper()
	got, err := p.Outside.Names(p.abs(dir))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%s holds %q (%v), want %q", dir, got, err, want)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused asserts the code of an error and that it says which path it is about.
func refused(t *testing.T, err error, code safepath.Code, about string) {
	t.Helper()
	if safepath.CodeOf(err) != code {
		t.Errorf("error %v has code %q, want %q", err, safepath.CodeOf(err), code)
	} else if !strings.Contains(err.Error(), about) {
		t.Errorf("error %q does not name %s", err, about)
	}
}

// becomes is a replacement with fixed content.
func becomes(content string) backend.Replacement {
	return backend.Replacement{Make: func(backend.Before) ([]byte, error) { return []byte(content), nil }}
}
