package memory

import "septet/backend"

// New gathers the backends of a place in memory: the files of v, a small
// searcher over them, and processes, which may be nil where no test runs any.
func New(v *Volume, processes backend.Process) backend.Operations {
	return backend.Operations{Files: backend.NewFiles(v), Processes: processes, Search: Searcher{}}
}
