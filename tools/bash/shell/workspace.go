package shell

import "context"

// Workspace is what the analysis may know of the place a command would run in.
// It changes nothing. Paths are relative to the session's working directory or
// absolute. Errors carry a code of the path layer.
type Workspace interface {
	// Look resolves a path that would be read, links followed. A path that
	// does not exist inside the roots is no error: its Kind is Missing.
	Look(path string) (Place, error)
	// Target resolves a path that would be changed: strictly below a writable
	// root and in no protected place.
	Target(path string) (Place, error)
	// List returns the names in a directory, at most limit; more is an error.
	List(ctx context.Context, path string, limit int) ([]Entry, error)
	// Foreign reports whether the fixed search path finds the program, if at
	// all, outside every root, so that no file of the workspace can stand in
	// for it.
	Foreign(program string) bool
	// Version returns the first line that the program on the fixed search path
	// prints for --version, "" when there is no such program.
	Version(ctx context.Context, program string) (string, error)
	// CheckRules refuses a path in which, or above which in the roots, an
	// ignore file leads out of the roots: ripgrep shows the lines of one that it
	// does not understand.
	CheckRules(ctx context.Context, path string) error
	// Repository looks at the repository that git finds from a directory. One
	// that is not the plain ".git" of its working tree, or of which a part
	// lies outside the roots, is an error. It runs nothing that the repository
	// could choose.
	Repository(ctx context.Context, dir string) (Repository, error)
	// GitSubmodules reports whether the repository's index holds a submodule.
	// It is asked only when every key is harmless.
	GitSubmodules(ctx context.Context, dir string) (bool, error)
}

// Repository is what git uses from some directory.
type Repository struct {
	Top  string   // of the working tree, canonical; ".git" is in it
	Keys []string // the settings that it brings itself, as git prints them: those of the scopes "local" and "worktree"
}

// Kind is what a path stands for.
type Kind uint8

const (
	Missing Kind = iota
	File
	Directory
	Link  // only in an Entry: a Place has no link left
	Other // FIFO, socket, device
)

// Place is a path after it was resolved.
type Place struct {
	Path   string // canonical, as shown to people
	Kind   Kind
	Linked bool // a link stands somewhere on the path
}

// Entry is one name in a directory.
type Entry struct {
	Name string // as stored; a name that would have to be escaped is an error of List
	Kind Kind
}
