package safepath

// Access is what a call wants to do with a path.
type Access uint8

const (
	Read Access = iota + 1
	Write
)

// Intent is the kind of object a call expects at a path.
type Intent uint8

const (
	// File is a regular file. With Write it, and its parents, may be missing.
	File Intent = iota + 1
	// Directory is an existing directory.
	Directory
	// FileOrDirectory is either of them, existing.
	FileOrDirectory
)
