package shell_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"septet/safepath"
	"septet/tools/bash/shell"
)

// disk is a Workspace on a real directory. It knows only what the tests need
// of the path layer: links are followed once, and no race is guarded against.
type disk struct {
	root         string
	domestic     map[string]bool             // programs that the workspace could stand in for
	versions     map[string]string           // by program; what is missing is asked from it
	repositories map[string]shell.Repository // by directory; what is missing is asked from git
}

// newDisk makes the workspace of testdata/workspace.sh.
func newDisk(t testing.TB) *disk {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "testdata/workspace.sh", base)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("workspace: %v\n%s", err, out)
	}
	return &disk{root: filepath.Join(base, "ws"), versions: map[string]string{}, repositories: map[string]shell.Repository{}}
}

func (d *disk) Look(path string) (shell.Place, error) {
	return d.resolve(path, false)
}

func (d *disk) Target(path string) (shell.Place, error) {
	return d.resolve(path, true)
}

func (d *disk) resolve(path string, write bool) (shell.Place, error) {
	if path == "" || strings.HasPrefix(path, "~/") {
		return shell.Place{}, &safepath.Error{Code: safepath.InvalidPath, Fact: "bad path"}
	}
	full := path
	if !filepath.IsAbs(full) {
		full = d.root + "/" + path
	}
	real, missing, err := canonical(full)
	if err != nil {
		return shell.Place{}, err
	}
	rel, err := filepath.Rel(d.root, real)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return shell.Place{}, &safepath.Error{Code: safepath.OutsideRoots, Fact: path + " is outside the authorised roots"}
	}
	if write {
		if err := writable(rel); err != nil {
			return shell.Place{}, err
		}
	}
	place := shell.Place{Path: rel, Linked: filepath.Clean(full) != real}
	if missing {
		return place, nil
	}
	info, err := os.Lstat(real)
	if err != nil {
		return shell.Place{}, &safepath.Error{Code: safepath.IOError, Fact: err.Error()}
	}
	place.Kind = kindOf(info.Mode())
	return place, nil
}

// canonical follows the links of the part of the path that exists.
func canonical(path string) (real string, missing bool, err error) {
	real, err = filepath.EvalSymlinks(path)
	if err == nil {
		return real, false, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", false, &safepath.Error{Code: safepath.NotDirectory, Fact: err.Error()}
	}
	if target, err := os.Readlink(path); err == nil {
		return target, true, nil
	}
	parent, _, err := canonical(filepath.Dir(path))
	return filepath.Join(parent, filepath.Base(path)), true, err
}

func writable(rel string) error {
	parts := strings.Split(strings.ToLower(rel), "/")
	for i, part := range parts {
		if part == ".git" || part == ".agents" && i+1 < len(parts) && parts[i+1] == "skills" {
			return &safepath.Error{Code: safepath.ProtectedPath, Fact: rel + " is protected"}
		}
	}
	if rel == "." {
		return &safepath.Error{Code: safepath.InvalidPath, Fact: "the root itself"}
	}
	return nil
}

func kindOf(mode fs.FileMode) shell.Kind {
	switch {
	case mode.IsRegular():
		return shell.File
	case mode.IsDir():
		return shell.Directory
	case mode&fs.ModeSymlink != 0:
		return shell.Link
	}
	return shell.Other
}

func (d *disk) List(_ context.Context, path string, limit int) ([]shell.Entry, error) {
	place, err := d.Look(path)
	if err != nil {
		return nil, err
	}
	found, err := os.ReadDir(filepath.Join(d.root, place.Path))
	if err != nil || len(found) > limit {
		return nil, &safepath.Error{Code: safepath.TooLarge, Fact: "too many names"}
	}
	var entries []shell.Entry
	for _, e := range found {
		entries = append(entries, shell.Entry{Name: e.Name(), Kind: kindOf(e.Type())})
	}
	return entries, nil
}

func (d *disk) Foreign(program string) bool { return !d.domestic[program] }

// Version asks the program itself, once.
func (d *disk) Version(_ context.Context, program string) (string, error) {
	if line, ok := d.versions[program]; ok {
		return line, nil
	}
	cmd := exec.Command(program, "--version")
	cmd.Env = shell.Environment()
	out, _ := cmd.CombinedOutput() // some do not know the flag; one that is missing prints nothing
	line, _, _ := strings.Cut(string(out), "\n")
	d.versions[program] = line
	return line, nil
}

func (d *disk) CheckRules(_ context.Context, path string) error {
	place, err := d.Look(path)
	if err != nil {
		return err
	}
	err = filepath.WalkDir(filepath.Join(d.root, place.Path), func(name string, e fs.DirEntry, err error) error {
		switch filepath.Base(name) {
		case ".ignore", ".rgignore", ".gitignore":
			_, err := d.Look(name)
			return err
		}
		return nil
	})
	dir := place.Path
	if place.Kind != shell.Directory {
		dir = filepath.Dir(dir)
	}
	for ; err == nil; dir = filepath.Dir(dir) {
		for _, name := range []string{".ignore", ".rgignore", ".gitignore", ".git/info/exclude"} {
			if _, bad := d.Look(filepath.Join(dir, name)); bad != nil && safepath.CodeOf(bad) != safepath.NotDirectory {
				err = bad
			}
		}
		if dir == "." {
			break
		}
	}
	return err
}

func (d *disk) Repository(_ context.Context, dir string) (shell.Repository, error) {
	if repository, ok := d.repositories[dir]; ok {
		return repository, nil
	}
	cmd := exec.Command("git", "config", "--list", "--show-scope", "--name-only")
	cmd.Dir = filepath.Join(d.root, dir)
	cmd.Env = shell.Environment()
	out, err := cmd.Output()
	if err != nil {
		return shell.Repository{}, err
	}
	repository := shell.Repository{Top: "."}
	for line := range strings.Lines(string(out)) {
		scope, key, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if scope == "local" || scope == "worktree" {
			repository.Keys = append(repository.Keys, key)
		}
	}
	d.repositories[dir] = repository
	return repository, nil
}

func (d *disk) GitSubmodules(context.Context, string) (bool, error) { return false, nil }
