package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// importPolicy says which packages of this program a package may import
// besides those below itself. Left may import right. It is the shape of the
// program: do not change it to fix a build.
const importPolicy = `
	safepath         :
	backend          : safepath
	backend/*        : safepath backend
	session          : safepath backend
	session/journal  : safepath backend session
	toolset          : session backend safepath
	tools/*          : toolset session backend
	tools            : toolset tools/*
	server/jsonrpc   :
	server           : server/jsonrpc toolset session
	internal/cli     : ...
	internal/cli/*   : toolset
	internal/tooltest : safepath backend backend/* session
	.                : ...
	scripts/*        :
`

// toolImports is all that a tool may use from outside this program. What is
// not here cannot open a file, start a process or reach the network.
const toolImports = `
	bufio bytes cmp context embed encoding/hex encoding/json errors fmt io iter maps math
	math/bits path regexp regexp/syntax slices strconv strings sync sync/atomic time
	unicode unicode/utf16 unicode/utf8
	mvdan.cc/sh/v3/syntax
`

// forbiddenNames open files or start processes by name. A path that did not
// come from the resolver could get in through any of them.
const forbiddenNames = `
	os.Open os.OpenFile os.OpenInRoot os.OpenRoot os.Root os.Create os.CreateTemp os.ReadFile os.WriteFile os.ReadDir os.DirFS os.CopyFS
	os.Stat os.Lstat os.Readlink os.Mkdir os.MkdirAll os.MkdirTemp os.Remove os.RemoveAll os.Rename os.Link os.Symlink
	os.Chmod os.Chown os.Lchown os.Chtimes os.Truncate os.Chdir os.StartProcess
	path/filepath.Walk path/filepath.WalkDir path/filepath.Glob path/filepath.EvalSymlinks
	os/exec.* syscall.* golang.org/x/sys/unix.* golang.org/x/sys/windows.* io/ioutil.*
`

// mayName lists who uses forbidden names all the same, and why that is no way
// around the resolver.
var mayName = map[string]string{
	// The resolver and the volumes; this machine.
	"safepath":      "*",
	"backend/local": "*",
	// Numbers of errors.
	"backend/memory": "syscall.ENOENT syscall.EEXIST syscall.EINVAL syscall.ENOTDIR syscall.EISDIR syscall.ENOTEMPTY syscall.EACCES " +
		"syscall.EXDEV syscall.EBADF syscall.EPERM syscall.ELOOP",
	// Opens entries of a directory that safepath holds, by one name relative
	// to its descriptor and without following a link; never by path.
	"backend/search/raw": "golang.org/x/sys/unix.*",
	// Not part of the program.
	"scripts/*":         "*",
	"internal/tooltest": "*",
	// Its own state directory, which no tool can name.
	"session/journal": "os.Mkdir os.MkdirAll os.OpenFile os.Open os.OpenRoot os.Root os.ReadFile os.Remove os.Rename os.Stat os.Lstat os.ReadDir " +
		"syscall.* golang.org/x/sys/unix.* golang.org/x/sys/windows.*",
	// Standard output is moved to a private descriptor.
	"server": "syscall.* golang.org/x/sys/unix.* golang.org/x/sys/windows.*",
	// Files of other programs, and the user's own of this one, that a person
	// named.
	"internal/cli/hostconfig": "os.Stat os.Lstat os.ReadFile os.MkdirAll os.CreateTemp os.Rename os.Remove path/filepath.EvalSymlinks",
	"internal/cli/settings":   "os.Stat os.ReadFile path/filepath.EvalSymlinks",
	// Asks the kernel what it can do; opens nothing but "/" itself.
	"internal/cli/machine": "golang.org/x/sys/unix.* golang.org/x/sys/windows.*",
	// What a person typed on a command line, and the demonstration.
	"internal/cli": "os.OpenFile os.ReadFile os.Stat os.MkdirAll os.MkdirTemp os.RemoveAll os.WriteFile os/exec.* syscall.SIGTERM syscall.SIGHUP syscall.SIGINT",
}

type sourceFile struct {
	name string // relative to the module
	dir  string // package directory, "." for the root
	ast  *ast.File
	set  *token.FileSet
}

func TestImportPolicy(t *testing.T) {
	files, policy := productFiles(t), policyTable(importPolicy, ":")
	for _, f := range files {
		row, known := rowFor(f.dir, slices.Collect(maps.Keys(policy)))
		if !known {
			t.Errorf("%s: package %s has no line in importPolicy", f.name, f.dir)
			continue
		}
		for imported := range f.imports() {
			own, found := strings.CutPrefix(imported, "septet/")
			if found && !mayImport(f.dir, own, policy[row]) {
				t.Errorf("%s imports %s; %s may import only: %s", f.name, imported, row, strings.Join(policy[row], " "))
			}
		}
	}
}

func TestToolImports(t *testing.T) {
	allowed := strings.Fields(toolImports)
	seen := 0
	for _, f := range productFiles(t) {
		if !strings.HasPrefix(f.dir, "tools/") {
			continue
		}
		seen++
		for imported := range f.imports() {
			if !strings.HasPrefix(imported, "septet/") && !slices.Contains(allowed, imported) {
				t.Errorf("%s imports %s, which is not in the allow-list of tools", f.name, imported)
			}
		}
	}
	if seen == 0 {
		t.Error("no tool was found below tools/")
	}
}

func TestForbiddenNames(t *testing.T) {
	forbidden := strings.Fields(forbiddenNames)
	for _, f := range productFiles(t) {
		row, _ := rowFor(f.dir, slices.Collect(maps.Keys(mayName)))
		allowed := strings.Fields(mayName[row])
		for name, where := range f.names() {
			if matches(name, forbidden) && !matches(name, allowed) {
				t.Errorf("%s:%d names %s, which opens files or starts processes by name", f.name, where, name)
			}
		}
	}
}

// TestForbiddenNamesAreSeen proves that the search finds every way to write a
// name down.
func TestForbiddenNamesAreSeen(t *testing.T) {
	const source = `package p
import ("os"; alias "os/exec"; . "path/filepath")
var _ = os.Open
var _ *os.Root
var _ = alias.Command
`
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(maps.Keys((&sourceFile{ast: parsed, set: set}).names()))
	want := []string{"os.Open", "os.Root", "os/exec.Command", "path/filepath.*"}
	if !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	for _, name := range want {
		if !matches(name, strings.Fields(forbiddenNames)) {
			t.Errorf("%s is not forbidden", name)
		}
	}
}

// mayImport reports whether from may import to. A package may always import
// what lies below itself.
func mayImport(from, to string, allowed []string) bool {
	return strings.HasPrefix(to, from+"/") || matches(to, allowed) || slices.Contains(allowed, "...")
}

// matches reports whether name is in the list, in which a last "*" stands for
// anything. A dot import of a package that has a forbidden name counts as one.
func matches(name string, list []string) bool {
	for _, entry := range list {
		prefix, wild := strings.CutSuffix(entry, "*")
		if entry == name || (wild && strings.HasPrefix(name, prefix)) {
			return true
		}
		if pkg, dot := strings.CutSuffix(name, ".*"); dot && strings.HasPrefix(entry, pkg+".") {
			return true
		}
	}
	return false
}

// rowFor finds the line for a package: its own, or that of the nearest parent
// followed by "/*".
func rowFor(dir string, rows []string) (string, bool) {
	if slices.Contains(rows, dir) {
		return dir, true
	}
	for parent := path.Dir(dir); parent != "."; parent = path.Dir(parent) {
		if row := parent + "/*"; slices.Contains(rows, row) {
			return row, true
		}
	}
	return "", false
}

func policyTable(text, separator string) map[string][]string {
	table := map[string][]string{}
	for line := range strings.Lines(text) {
		if left, right, found := strings.Cut(line, separator); found {
			table[strings.TrimSpace(left)] = strings.Fields(right)
		}
	}
	return table
}

// productFiles parses every Go file of this module that is no test.
func productFiles(t *testing.T) []*sourceFile {
	t.Helper()
	var files []*sourceFile
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (d.Name() == "testdata" || d.Name()[0] == '.' || isModule(name)) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		files = append(files, &sourceFile{name: name, dir: filepath.ToSlash(filepath.Dir(name)), ast: parsed, set: set})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func isModule(dir string) bool {
	found, _ := filepath.Glob(filepath.Join(dir, "go.mod"))
	return len(found) > 0
}

// imports gives the import paths of a file and the names they have in it.
func (f *sourceFile) imports() map[string]string {
	all := map[string]string{}
	for _, spec := range f.ast.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		all[imported] = path.Base(imported)
		if spec.Name != nil {
			all[imported] = spec.Name.Name
		}
	}
	return all
}

// names gives every "package.Name" that a file uses and a line where it does.
// A dot import hides its names and is reported as "package.*".
func (f *sourceFile) names() map[string]int {
	packages, found := map[string]string{}, map[string]int{}
	for imported, name := range f.imports() {
		packages[name] = imported
		if name == "." {
			found[imported+".*"] = 1
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && packages[x.Name] != "" {
				found[fmt.Sprintf("%s.%s", packages[x.Name], s.Sel.Name)] = f.set.Position(s.Pos()).Line
			}
		}
		return true
	})
	return found
}
