package safepath

import (
	"crypto/sha256"
	"io/fs"
)

// Version identifies the content a caller has read, so that a later write can
// tell whether it is still there. The zero Version stands for "no file".
type Version struct {
	Exists bool
	Stat   Stat // when it was read
	Digest [sha256.Size]byte
}

// Replacement is the new content of a file.
type Replacement struct {
	Content []byte
	Was     Version     // what the content was made from
	Perm    fs.FileMode // optional; of a new file, else 0666 less the umask
}

// Committed says how a write went.
type Committed struct {
	Created    bool
	ModeBefore fs.FileMode // permission, setuid and setgid bits; 0 when there was no file
	ModeAfter  fs.FileMode // 0 when there is no file
	// MadeDirs counts the parent directories that were made.
	MadeDirs      int
	NonAtomic     bool // written in place: a rename could not work here
	ReplaceWindow bool // no atomic exchange here: a change in a window of microseconds could be lost
	HardLinks     int  // other names of the old file; they keep the old content
	DroppedSetID  bool // setuid or setgid was not carried over
	ParentMoved   bool // the directory was moved while the file was written
}
