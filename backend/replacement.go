package backend

import "io/fs"

// MaxTextBytes bounds a file that can be written, edited or shown whole: the
// diff and the undo of a larger one would cost more than a model can use.
const MaxTextBytes = 1 << 20

// Before is a file's content at the moment its replacement is made.
type Before struct {
	Exists  bool
	Content []byte      // nil when there is no file; must not be changed
	Mode    fs.FileMode // permission bits; 0 when there is no file
}

// Replacement says what a file becomes.
type Replacement struct {
	// Make returns the new content. It is required, is called at most once,
	// under the file's lock, and only with UTF-8 text of at most MaxTextBytes.
	// An error ends the replacement with nothing written, and Replace returns
	// it as it is or wrapped.
	Make func(Before) ([]byte, error)
	// Delete removes the file that Make was shown instead of replacing it;
	// what Make returns is not used. Where there is no file, nothing happens:
	// Unchanged.
	Delete bool
	// Mode is what a file that did not exist gets, whatever the umask says;
	// permission bits, 0 leaves it to the umask. An existing file keeps its own.
	Mode fs.FileMode
}
