package safepath

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
)

// heldRoot is an authorised directory, kept open from the moment it is found,
// so that its identity can never be given to another directory.
type heldRoot struct {
	given    string // as configured, "/" separated
	writable bool
	spill    bool // the one place inside the state directory that may be read

	mu    sync.Mutex
	canon string
	dir   Dir // nil while the root is missing
	id    FileID
	why   error // why dir is nil
}

// rootState is a consistent copy of what changes in a heldRoot.
type rootState struct {
	*heldRoot
	canon string
	dir   Dir
	id    FileID
	why   error
}

// state looks for the root again when it was missing.
func (h *heldRoot) state(v Volume) rootState {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dir == nil {
		h.why = h.find(v)
	}
	return rootState{heldRoot: h, canon: h.canon, dir: h.dir, id: h.id, why: h.why}
}

func (h *heldRoot) find(v Volume) error {
	c, err := canonicalPath(v, h.given)
	if err != nil {
		return err
	}
	h.canon = c.full()
	if c.stop != nil {
		return c.stop
	}
	dir, err := v.OpenRoot(c.path)
	if err != nil {
		return err
	}
	st, err := dir.Stat()
	if err == nil && st.Kind != KindDirectory {
		err = errNotDirectory
	}
	if err != nil {
		dir.Close()
		return err
	}
	h.dir, h.id = dir, st.ID
	return nil
}

// check confirms that the root's path still leads to the directory that was
// authorised, and not to one that was put in its place.
func (s rootState) check(v Volume) error {
	if s.dir == nil {
		return s.unavailable(s.why)
	}
	st, err := v.Lstat(s.canon)
	if err != nil {
		return s.unavailable(err)
	}
	if st.ID != s.id {
		return fail(RootChanged, fmt.Sprintf("%s is not the directory it was when the session started", Escape(s.canon)), "restart the session to use the new one")
	}
	return nil
}

func (s rootState) unavailable(cause error) error {
	why := "cannot be opened"
	if errors.Is(cause, fs.ErrNotExist) {
		why = "does not exist at the moment"
	} else if errors.Is(cause, errNotDirectory) {
		why = "is not a directory"
	}
	return &Error{Code: RootUnavailable, Fact: fmt.Sprintf("the root %s %s", Escape(s.canon), why), Hint: "try again when it is back", Err: cause}
}

func (h *heldRoot) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dir == nil {
		return nil
	}
	return h.dir.Close()
}

// canonicalPath resolves a path whose names are as they are on disk.
func canonicalPath(v Volume, abs string) (canonical, error) {
	root, rest := splitRoot(abs)
	parts := components(rest)
	return canonicalise(v, root, parts, len(parts))
}
