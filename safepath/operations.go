package safepath

// The operations on a CheckedPath are functions of this package and not
// methods, so that a package which may not import safepath can only pass a
// CheckedPath on.

// StatOf returns what the path was when it was checked; Kind is KindUnknown
// when there was nothing.
func StatOf(p *CheckedPath) Stat { return p.stat }

// Open opens the regular file at p for reading, by handle, and confirms that
// it is a regular file of a real file system.
func Open(p *CheckedPath) (Handle, error) { panic("not yet") }

// OpenDir opens the directory at p. Below it, links are not followed and the
// state directory is closed.
func OpenDir(p *CheckedPath) (Dir, error) { panic("not yet") }

// LockKey names the target for the lock that writers of one file share: the
// parent's identity and the name on disk, so that it holds across a replace
// and for a file that does not exist yet.
func LockKey(p *CheckedPath) string { panic("not yet") }

// ReadVersion reads the file at p, at most limit bytes, and returns what a
// later Commit or Remove compares with. No file is a nil slice and the zero
// Version; a larger file is an *Error with TooLarge. Call it under the lock
// that LockKey names.
func ReadVersion(p *CheckedPath, limit int64) ([]byte, Version, error) { panic("not yet") }

// Commit puts r.Content in the place of p, atomically where the file system
// can, and makes missing parents. What is there must be what r.Was says: else
// nothing changes and the error is Stale, or Exists when there was no file.
func Commit(p *CheckedPath, r Replacement) (Committed, error) { panic("not yet") }

// Remove removes the file at p when it is what was says, else the error is
// Stale and it stays.
func Remove(p *CheckedPath, was Version) (Committed, error) { panic("not yet") }

// RemoveEmptyDir removes the directory at p, checked for writing as a
// Directory, when it is empty; fs.ErrExist or syscall.ENOTEMPTY when not.
func RemoveEmptyDir(p *CheckedPath) error { panic("not yet") }

// CommandDir is a directory a process may be started in.
func CommandDir(p *CheckedPath) (*WorkDir, error) { panic("not yet") }
