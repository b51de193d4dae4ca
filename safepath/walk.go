package safepath

import (
	"errors"
	"io/fs"
	"strings"
)

// errChanged says that the walk met something else than the canonical path
// promised: somebody changed a name, so the path is resolved again.
var errChanged = errors.New("the path changed while it was resolved")

// walk goes down from a root by handle.
type walk struct {
	root    rootState
	guard   *guard
	parts   []string // components below the root, at least one
	exists  int      // how many of them canonicalisation has seen
	shown   string   // the whole path, for errors
	dir     Dir
	dirPath string
	missing []string
	base    string
	stat    Stat // of base; zero Kind when it is not there
}

// run leaves the walk at the last directory but the target. On an error
// nothing stays open.
func (w *walk) run() error {
	w.dir, w.dirPath = w.root.dir, w.root.canon
	last := len(w.parts) - 1
	w.base = w.parts[last]
	w.guard.look(w.dir, w.dirPath)
	if w.leap(w.parts[:last]) {
		return w.arrive()
	}
	for i, name := range w.parts[:last] {
		err := w.enter(name)
		if errors.Is(err, fs.ErrNotExist) && i >= w.exists {
			w.missing = w.parts[i:last]
			return w.arrive()
		}
		if err != nil {
			w.release()
			return w.changed(err)
		}
	}
	return w.arrive()
}

// arrive looks at the target from the last directory.
func (w *walk) arrive() error {
	if err := w.look(); err != nil {
		w.release()
		return w.changed(err)
	}
	return nil
}

// leap enters all directories with one system call, where the volume has one
// that refuses links and nothing has to be looked at on the way. When it fails
// the steps say why.
func (w *walk) leap(parts []string) bool {
	d, ok := w.dir.(interface {
		openBeneath(path string) (Dir, error)
	})
	if !ok || len(parts) < 2 || !w.guard.mayLeap() {
		return false
	}
	path := strings.Join(parts, "/")
	next, err := d.openBeneath(path)
	if err != nil {
		return false
	}
	st, err := next.Stat()
	if err != nil || w.guard.check(st.ID, w.shown) != nil {
		next.Close()
		return false
	}
	w.dir, w.dirPath = next, joinPath(w.dirPath, path)
	return true
}

// changed turns what an honest tree cannot show after canonicalisation into a
// reason to resolve again.
func (w *walk) changed(err error) error {
	var refused *Error
	if errors.As(err, &refused) || errors.Is(err, fs.ErrPermission) {
		return err
	}
	if isNotDirectory(err) || errors.Is(err, fs.ErrNotExist) {
		return errChanged
	}
	return err
}

func (w *walk) enter(name string) error {
	next, err := w.dir.OpenDir(name)
	if err != nil {
		return err
	}
	w.release()
	w.dir, w.dirPath = next, joinPath(w.dirPath, name)
	st, err := next.Stat()
	if err != nil {
		return err
	}
	if err := w.guard.check(st.ID, w.shown); err != nil {
		return err
	}
	w.guard.look(next, w.dirPath)
	return nil
}

// look describes the target itself.
func (w *walk) look() error {
	if len(w.missing) > 0 {
		return w.guard.checkNew(w.full(), w.shown)
	}
	st, err := w.dir.Lookup(w.base)
	if errors.Is(err, fs.ErrNotExist) && w.exists < len(w.parts) {
		return w.guard.checkNew(w.full(), w.shown)
	}
	if err != nil {
		return err
	}
	if st.Kind == KindSymlink {
		return errChanged
	}
	if err := w.guard.check(st.ID, w.shown); err != nil {
		return err
	}
	w.stat = st
	return nil
}

// full is the canonical path of the target.
func (w *walk) full() string {
	return joinPath(w.root.canon, strings.Join(w.parts, "/"))
}

// release closes the directory unless it is the root's, which is shared.
func (w *walk) release() {
	if w.dir != nil && w.dir != w.root.dir {
		w.dir.Close()
	}
	w.dir = nil
}
