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
