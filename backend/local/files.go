package local

import (
	"septet/backend"
	"septet/safepath"
)

// Files returns the file system of this machine. Writers of one file take
// turns only when they use the same one, so a program makes it once.
func Files() *backend.Files { return backend.NewFiles(safepath.OS()) }
