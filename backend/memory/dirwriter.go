package memory

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"septet/safepath"
)

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
