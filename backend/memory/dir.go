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

func (d *dir) Create(name string, perm fs.FileMode) (h safepath.Handle, err error) {
	err = d.use("create", name, func() error {
		n := d.volume.newNode(safepath.KindFile, perm.Perm()&^umask)
		if err := d.add(name, n); err != nil {
			return err
		}
		h = d.volume.openFile(n, true)
		return nil
	})
	return h, err
}

func (d *dir) Mkdir(name string, perm fs.FileMode) error {
	return d.use("mkdir", name, func() error {
		return d.add(name, d.volume.newNode(safepath.KindDirectory, perm.Perm()&^umask))
	})
}

func (d *dir) Unlink(name string) error {
	return d.use("unlink", name, func() error {
		n, err := d.child(name)
		switch {
		case err != nil:
			return err
		case n.kind == safepath.KindDirectory:
			return syscall.EISDIR
		case !d.node.writable():
			return syscall.EACCES
		}
		d.volume.settle(d.node.drop(name))
		return nil
	})
}

func (d *dir) Rmdir(name string) error {
	return d.use("rmdir", name, func() error {
		n, err := d.child(name)
		switch {
		case err != nil:
			return err
		case n.kind != safepath.KindDirectory:
			return syscall.ENOTDIR
		case len(n.children) > 0:
			return syscall.ENOTEMPTY
		case !d.node.writable():
			return syscall.EACCES
		}
		d.volume.settle(d.node.drop(name))
		return nil
	})
}

func (d *dir) Rename(from, to string, how safepath.RenameMode) error {
	return d.use("rename", from, func() error {
		if to == "" || strings.ContainsAny(to, "/\x00") {
			return syscall.EINVAL
		}
		n, err := d.child(from)
		if err != nil {
			return err
		}
		if !d.node.writable() {
			return syscall.EACCES
		}
		return d.rename(from, to, n, how)
	})
}

// rename gives the name to to n, which is called from.
func (d *dir) rename(from, to string, n *node, how safepath.RenameMode) error {
	old, taken := d.node.children[to]
	switch {
	case how == safepath.Exchange && d.volume.noExchange:
		return errors.ErrUnsupported
	case how == safepath.Exchange && !taken:
		return syscall.ENOENT
	case how == safepath.Exchange:
		d.node.children[from], d.node.children[to] = old, n
		return nil
	case taken && how == safepath.NoReplace:
		return syscall.EEXIST
	case old == n:
		return nil // two names of one object: rename does nothing, as POSIX says
	case taken && old.kind == safepath.KindDirectory:
		return syscall.EISDIR
	case taken:
		d.volume.settle(d.node.drop(to))
	}
	d.node.hold(to, n)
	d.node.drop(from)
	return nil
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
