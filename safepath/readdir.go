package safepath

import "io/fs"

// readDir is a directory that was opened for reading, and everything below it:
// it changes nothing and does not enter the state directory.
type readDir struct {
	Dir
	state FileID // zero when there is none
}

func (d *readDir) OpenDir(name string) (Dir, error) {
	next, err := d.Dir.OpenDir(name)
	if err != nil {
		return nil, err
	}
	if d.state == (FileID{}) {
		return &readDir{Dir: next}, nil
	}
	st, err := next.Stat()
	if err == nil && st.ID == d.state {
		err = stateError(Escape(name))
	}
	if err != nil {
		next.Close()
		return nil, err
	}
	return &readDir{Dir: next, state: d.state}, nil
}

func (d *readDir) refuse(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: fs.ErrPermission}
}

func (d *readDir) Create(name string, _ fs.FileMode) (Handle, error) {
	return nil, d.refuse("create", name)
}

func (d *readDir) Mkdir(name string, _ fs.FileMode) error { return d.refuse("mkdir", name) }

func (d *readDir) Rename(from, _ string, _ RenameMode) error { return d.refuse("rename", from) }

func (d *readDir) Unlink(name string) error { return d.refuse("unlink", name) }

func (d *readDir) Rmdir(name string) error { return d.refuse("rmdir", name) }

func (d *readDir) OpenWrite(name string) (Handle, error) { return nil, d.refuse("open", name) }

// ClosedDir returns the identity of the directory below d that must not be
// entered, zero when there is none, for walkers that make their own system
// calls.
func ClosedDir(d Dir) FileID {
	if r, ok := d.(*readDir); ok {
		return r.state
	}
	return FileID{}
}

// Descriptor returns the file descriptor of d, which stays d's and may be good
// for nothing but openat, fstatat and fchdir (O_PATH); false where d has none.
// A walker that uses it opens with O_NOFOLLOW and does not enter ClosedDir.
func Descriptor(d Dir) (int, bool) {
	if r, ok := d.(*readDir); ok {
		d = r.Dir
	}
	f, ok := d.(interface{ fileDescriptor() int })
	if !ok {
		return -1, false
	}
	return f.fileDescriptor(), true
}
