package local

import (
	"os"
	"path/filepath"

	"septet/backend"
	"septet/safepath"
)

// Find implements backend.Process.
func (p *processes) Find(name string, path []string) (backend.Executable, error) {
	for _, dir := range path {
		full := filepath.Join(dir, name)
		info, err := os.Stat(full)
		if err == nil && info.Mode().IsRegular() && mayExecute(full, info) {
			return backend.Executable{Path: full, Identity: identityOf(info)}, nil
		}
	}
	return backend.Executable{}, &backend.Error{Code: safepath.NotFound, Fact: name + " is not installed"}
}
