package memory

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"septet/safepath"
)

// dir is a held directory. It keeps its node wherever that is moved.
type dir struct {
	volume *Volume
	node   *node
	closed bool // guarded by the volume's lock
}

var _ safepath.Dir = (*dir)(nil)

// use runs do under the volume's lock while the directory is open, and names
// its error.
func (d *dir) use(op, name string, do func() error) error {
	d.volume.mu.Lock()
	defer d.volume.mu.Unlock()
	err := error(fs.ErrClosed)
	switch {
	case d.closed:
	case name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00"):
		err = syscall.EINVAL
	default:
		err = do()
	}
	var coded *safepath.Error
	if err == nil || errors.As(err, &coded) {
		return err
	}
	return pathError(op, name, err)
}

// self is a name for operations on the directory itself; it passes the check
// of names and appears in errors only.
const self = "(directory)"

func (d *dir) Stat() (st safepath.Stat, err error) {
	err = d.use("stat", self, func() error {
		st = d.node.stat()
		return nil
	})
	return st, err
}

func (d *dir) Lookup(name string) (st safepath.Stat, err error) {
	err = d.use("stat", name, func() error {
		n, err := d.child(name)
		if err == nil {
			st = n.stat()
		}
		return err
	})
	return st, err
}

func (d *dir) Readlink(name string) (target string, err error) {
	err = d.use("readlink", name, func() error {
		n, err := d.child(name)
		if err == nil && n.kind != safepath.KindSymlink {
			err = syscall.EINVAL
		}
		if err == nil {
			target = n.target
		}
		return err
	})
	return target, err
}

func (d *dir) OpenDir(name string) (opened safepath.Dir, err error) {
	err = d.use("open", name, func() error {
		n, err := d.child(name)
		if err != nil {
			return err
		}
		if n.kind != safepath.KindDirectory {
			return syscall.ENOTDIR
		}
		opened = d.volume.openDir(n)
		return nil
	})
	return opened, err
}

func (d *dir) OpenFile(name string) (safepath.Handle, error) { return d.open(name, false) }

func (d *dir) OpenWrite(name string) (safepath.Handle, error) { return d.open(name, true) }

func (d *dir) open(name string, write bool) (h safepath.Handle, err error) {
	err = d.use("open", name, func() error {
		n, err := d.child(name)
		if err != nil {
			return err
		}
		if n.kind != safepath.KindFile {
			return &safepath.Error{Code: safepath.NotRegularFile, Fact: "not a regular file"}
		}
		if !n.readable() || write && !n.writable() {
			return syscall.EACCES
		}
		h = d.volume.openFile(n, write)
		return nil
	})
	return h, err
}

func (d *dir) ReadNames() (entries []safepath.Entry, err error) {
	err = d.use("read", self, func() error {
		if !d.node.readable() {
			return syscall.EACCES
		}
		for name, n := range d.node.children {
			entries = append(entries, safepath.Entry{Name: name, Kind: n.kind})
		}
		return nil
	})
	return entries, err
}

func (d *dir) Close() error {
	return d.use("close", self, func() error {
		d.closed = true
		d.node.open--
		d.volume.settle(d.node)
		return nil
	})
}

// child is the object called name.
func (d *dir) child(name string) (*node, error) {
	n, ok := d.node.children[name]
	if !ok {
		return nil, syscall.ENOENT
	}
	return n, nil
}

// add puts a new object under a free name.
func (d *dir) add(name string, n *node) error {
	switch {
	case d.node.links == 0:
		return syscall.ENOENT // the directory itself was removed
	case d.node.children[name] != nil:
		return syscall.EEXIST
	case !d.node.writable():
		return syscall.EACCES
	}
	d.node.hold(name, n)
	return nil
}
