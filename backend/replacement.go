package backend

// MaxTextBytes bounds a file that can be written, edited or shown whole: the
// diff and the undo of a larger one would cost more than a model can use.
const MaxTextBytes = 1 << 20

// Before is a file's content at the moment its replacement is made.
type Before struct {
	Exists  bool
	Content []byte // nil when there is no file; must not be changed
}

// Replacement says what a file becomes.
type Replacement struct {
	// Make returns the new content. It is required, is called at most once,
	// under the file's lock, and only with UTF-8 text of at most MaxTextBytes.
	// An error ends the replacement with nothing written.
	Make func(Before) ([]byte, error)
}
