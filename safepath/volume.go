package safepath

import (
	"io"
	"io/fs"
	"time"
)

// Volume is a tree of names that roots lie in: the machine's file system, or a
// tree in memory. Resolver is written once against it.
//
// All methods are safe for concurrent use. Errors wrap the io/fs errors
// (fs.ErrNotExist, fs.ErrExist, fs.ErrPermission) where they apply.
type Volume interface {
	// Lstat and Readlink take an absolute path and serve canonicalisation
	// only: what they say is confirmed by handle before anything is done.
	Lstat(abs string) (Stat, error)
	Readlink(abs string) (string, error)
	// OpenRoot opens the directory at an absolute path and follows links.
	OpenRoot(abs string) (Dir, error)
}

// Dir is a held directory. Names are single components; no method follows a
// link in its last component. A Dir stays usable when its directory is moved.
type Dir interface {
	Stat() (Stat, error)
	Lookup(name string) (Stat, error)
	Readlink(name string) (string, error)
	OpenDir(name string) (Dir, error)
	// OpenFile opens an existing regular file for reading and never blocks on
	// a FIFO or opens a device: anything but a regular file is an *Error with
	// NotRegularFile.
	OpenFile(name string) (Handle, error)
	// ReadNames returns all names in the directory but "." and "..", in no
	// order, raw as stored.
	ReadNames() ([]Entry, error)
	Close() error

	DirWriter
}

// DirWriter is the changing half of Dir.
type DirWriter interface {
	// Create makes a new regular file; fs.ErrExist when the name is taken, by
	// a dangling link too. The process umask applies to perm.
	Create(name string, perm fs.FileMode) (Handle, error)
	Mkdir(name string, perm fs.FileMode) error
	Rename(from, to string, how RenameMode) error
	// Unlink removes a name that is not a directory's.
	Unlink(name string) error
	// Rmdir removes an empty directory.
	Rmdir(name string) error
	// OpenWrite opens an existing regular file for reading and writing in
	// place, without truncating it and under the same rules as OpenFile.
	OpenWrite(name string) (Handle, error)
}

// RenameMode says what happens to a name that is already taken.
type RenameMode uint8

const (
	// NoReplace fails with fs.ErrExist.
	NoReplace RenameMode = iota + 1
	// Exchange swaps the two names atomically; errors.ErrUnsupported where
	// the file system cannot.
	Exchange
	// Overwrite replaces the name atomically.
	Overwrite
)

// Handle is an open regular file. It is not safe for concurrent use. One that
// OpenFile gave refuses every change.
type Handle interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.WriterAt
	io.Closer
	Stat() (Stat, error)
	Truncate(size int64) error
	// Chmod sets the permission bits and clears setuid and setgid.
	Chmod(perm fs.FileMode) error
	// CopyAttributes gives this new file the owner, ACL, user attributes and
	// permission bits of old. Setuid and setgid bits are never copied. An
	// error means that something could not be carried over.
	CopyAttributes(old Handle) error
	Sync() error
}

// Entry is one name in a directory.
type Entry struct {
	Name string // raw bytes as stored; not necessarily UTF-8
	Kind Kind   // KindUnknown where the file system does not say
}

// Kind is what a name stands for.
type Kind uint8

const (
	KindUnknown Kind = iota
	KindFile
	KindDirectory
	KindSymlink
	KindOther // FIFO, socket, device, or a file of a pseudo file system
)

// FileID is the identity of an object on its Volume.
type FileID struct{ Device, Inode uint64 }

// Stat describes an object, links not followed.
type Stat struct {
	ID      FileID
	Kind    Kind
	Size    int64       // bytes
	Mode    fs.FileMode // permission, setuid, setgid and sticky bits only
	ModTime time.Time
	Links   uint64 // names of the object
	UID     uint32
	GID     uint32
}
