package safepath

import "time"

const (
	// MaxPathBytes is Linux's PATH_MAX: no system call takes a longer path, so
	// nothing real is refused.
	MaxPathBytes = 4096
	// MaxPathComponents bounds the system calls of one resolve. Deeper trees
	// are still reached from a directory inside them.
	MaxPathComponents = 255
	// MaxLinks is the number of symbolic links Linux follows in one path.
	MaxLinks = 40
	// MaxAttempts is how often a path is resolved again when a name changes
	// during the walk. Honest changes are over by the second.
	MaxAttempts = 3
	// MaxCloseNames bounds the suggestions of an error, so that it stays one
	// line to read.
	MaxCloseNames = 3
	// MaxHeldProtected bounds the protected directories that are kept open to
	// know them again under another name.
	MaxHeldProtected = 64
	// WriterIdle is how long a program may have a file open without writing
	// before it counts as one that only keeps it open.
	WriterIdle = 2 * time.Second
	// MaxWriterWait bounds the wait for a program that is saving the file: most
	// saves take a few milliseconds.
	MaxWriterWait = 250 * time.Millisecond
	// SweepAge is how old a temporary file must be to count as left behind: no
	// write takes that long.
	SweepAge = time.Hour
	// MaxSweptDirs bounds the memory of which directories were swept.
	MaxSweptDirs = 1024
	// MaxReadDirBytes is the size of a directory itself (some 100,000 names)
	// above which it is not read for a sweep or for suggestions.
	MaxReadDirBytes = 4 << 20
)
