package local

import "os"

// childEnds are the ends of the pipes that a child gets. They are closed here
// as soon as it has them.
type childEnds struct {
	files []*os.File
}

// open makes standard input and the output pipes, in the order of their
// descriptors, and gives r the reading ends.
func (e *childEnds) open(r *running) error {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	e.files = append(e.files, null)
	for range 2 {
		read, write, err := os.Pipe()
		if err != nil {
			return err
		}
		e.files = append(e.files, write)
		r.pipes = append(r.pipes, read)
	}
	return nil
}

// descriptors are the ends as a child counts them. They are made blocking,
// because a command expects that of its output.
func (e *childEnds) descriptors() []uintptr {
	fds := make([]uintptr, len(e.files))
	for i, f := range e.files {
		fds[i] = f.Fd()
	}
	return fds
}

func (e *childEnds) close() {
	for _, f := range e.files {
		_ = f.Close()
	}
}
