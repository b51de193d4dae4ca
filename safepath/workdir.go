package safepath

import "os"

// WorkDir is a checked directory for a process to start in. Close it when the
// process has started.
type WorkDir struct {
	// File is the directory itself, close-on-exec, fit for fchdir and as
	// /proc/self/fd/N; on Linux it may be open for nothing else (O_PATH). It
	// is nil on Windows, where a process can only be given a path.
	File *os.File
	// Path is its canonical path, for PWD and for systems without File. What
	// is there may have changed since the check.
	Path string
}

// Close releases the directory.
func (w *WorkDir) Close() error {
	if w.File == nil {
		return nil
	}
	return w.File.Close()
}

// CommandDir returns the directory at p for a process to start in.
func CommandDir(p *CheckedPath) (*WorkDir, error) {
	d, err := p.openDir()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	w := &WorkDir{Path: p.path}
	if p.base != "" {
		w.Path = joinPath(p.path, p.base)
	}
	if osDir, ok := d.(interface{ workDir() (*os.File, error) }); ok {
		w.File, err = osDir.workDir()
	}
	return w, wrap(err, p.display, "open")
}
