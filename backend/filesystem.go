package backend

import (
	"context"
	"io"
	"io/fs"

	"septet/safepath"
)

// FileSystem reads and replaces files. Every method takes a CheckedPath that
// was resolved on this file system's Volume and refuses any other. Methods are
// safe for concurrent use. Errors are *safepath.Error or *Error.
type FileSystem interface {
	// Volume is where paths are resolved.
	Volume() safepath.Volume
	// Open opens a regular file for reading.
	Open(context.Context, *safepath.CheckedPath) (File, error)
	// Stat describes the path as it was when it was checked.
	Stat(context.Context, *safepath.CheckedPath) (Info, error)
	// ReadDir returns one page of a directory, sorted by the bytes of the
	// name; offset is zero-based, limit is at least 1.
	ReadDir(ctx context.Context, p *safepath.CheckedPath, offset, limit int) (Page, error)
	// Replace reads the file, asks r for its new content and puts that in its
	// place atomically, all under the one lock that writers of this file
	// share. An unchanged content writes nothing. A file that another program
	// changed meanwhile is left as it is: safepath.Stale.
	Replace(context.Context, *safepath.CheckedPath, Replacement) (Change, error)
}

// File is an open regular file. It is not safe for concurrent use.
type File interface {
	io.Reader
	io.ReaderAt
	io.Closer
	// Size is the size in bytes when the file was opened; it may have grown
	// or shrunk since.
	Size() int64
}

// Info describes one name, links not followed.
type Info struct {
	Name   string // escaped for display where needed; usable as a path again
	Kind   safepath.Kind
	Size   int64       // bytes; files only
	Mode   fs.FileMode // permission bits
	Target string      // links only; escaped
}

// Page is a part of a directory.
type Page struct {
	Entries []Info
	Total   int // entries in the whole directory
}

// KindName is the kind in one word: file, directory, symlink or other.
func (i Info) KindName() string {
	switch i.Kind {
	case safepath.KindFile:
		return "file"
	case safepath.KindDirectory:
		return "directory"
	case safepath.KindSymlink:
		return "symlink"
	}
	return "other"
}
