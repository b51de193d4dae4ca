package memory

import (
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"septet/safepath"
)

// The functions below are what another program of the same user would do to
// the tree: they take absolute paths, follow links and know no roots. Their
// names say which function of package os they behave like.

// WriteFile puts content into the file at abs, in place when it exists. Unlike
// os.WriteFile it makes missing parents.
func (v *Volume) WriteFile(abs, content string, perm fs.FileMode) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if n, err := v.find(abs, true); err == nil {
		if n.kind != safepath.KindFile {
			return pathError("write", abs, syscall.EISDIR)
		}
		n.content = nil
		n.write([]byte(content), 0)
		return nil
	}
	n := v.newNode(safepath.KindFile, perm.Perm()&^umask)
	n.content = []byte(content)
	return v.place(abs, n)
}

// ReadFile returns the content of the file at abs.
func (v *Volume) ReadFile(abs string) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	n, err := v.find(abs, true)
	if err == nil && n.kind != safepath.KindFile {
		err = syscall.EISDIR
	}
	if err != nil {
		return "", pathError("read", abs, err)
	}
	return string(n.content), nil
}

// MkdirAll makes the directory at abs and its parents.
func (v *Volume) MkdirAll(abs string, perm fs.FileMode) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.mkdirAll(abs, perm)
}

// Symlink makes a link to target at abs.
func (v *Volume) Symlink(target, abs string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := v.newNode(safepath.KindSymlink, 0o777)
	n.target = target
	return v.place(abs, n)
}

// Link gives the file at old a second name.
func (v *Volume) Link(old, abs string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	n, err := v.find(old, false)
	if err == nil && n.kind == safepath.KindDirectory {
		err = syscall.EPERM
	}
	if err != nil {
		return pathError("link", old, err)
	}
	return v.place(abs, n)
}

// Mkfifo makes an object that is no file, directory or link.
func (v *Volume) Mkfifo(abs string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.place(abs, v.newNode(safepath.KindOther, 0o644))
}

// Chmod sets the permission, setuid, setgid and sticky bits.
func (v *Volume) Chmod(abs string, mode fs.FileMode) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	n, err := v.find(abs, true)
	if err != nil {
		return pathError("chmod", abs, err)
	}
	n.mode = mode
	return nil
}

// Rename moves an object, replacing a file or link that has the name.
func (v *Volume) Rename(old, abs string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	from, name, err := v.findParent(old)
	if err == nil && from.children[name] == nil {
		err = syscall.ENOENT
	}
	if err != nil {
		return pathError("rename", old, err)
	}
	to, newName, err := v.findParent(abs)
	if err != nil {
		return pathError("rename", abs, err)
	}
	n := from.children[name]
	if to.children[newName] == n {
		return nil
	}
	if to.children[newName] != nil {
		v.settle(to.drop(newName))
	}
	to.hold(newName, n)
	from.drop(name)
	return nil
}

// RemoveAll removes the object at abs and what is in it; a missing one is no
// error.
func (v *Volume) RemoveAll(abs string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	parent, name, err := v.findParent(abs)
	if err != nil || parent.children[name] == nil {
		return nil
	}
	v.empty(parent.children[name])
	v.settle(parent.drop(name))
	return nil
}

// empty takes everything out of a directory.
func (v *Volume) empty(n *node) {
	for name, child := range n.children {
		v.empty(child)
		v.settle(n.drop(name))
	}
}

// Names returns the sorted names in the directory at abs.
func (v *Volume) Names(abs string) ([]string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	n, err := v.find(abs, true)
	if err != nil {
		return nil, pathError("read", abs, err)
	}
	names := make([]string, 0, len(n.children))
	for name := range n.children {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

// place puts n at abs, which must be free, and makes missing parents.
func (v *Volume) place(abs string, n *node) error {
	cut := strings.LastIndexByte(abs, '/')
	if cut > 0 {
		if err := v.mkdirAll(abs[:cut], 0o777); err != nil {
			return err
		}
	}
	parent, name, err := v.findParent(abs)
	if err == nil && parent.children[name] != nil {
		err = syscall.EEXIST
	}
	if err != nil {
		return pathError("create", abs, err)
	}
	parent.hold(name, n)
	return nil
}

func (v *Volume) mkdirAll(abs string, perm fs.FileMode) error {
	for end := range len(abs) + 1 {
		if end == 0 || end < len(abs) && abs[end] != '/' {
			continue
		}
		part := abs[:end]
		if n, err := v.find(part, true); err == nil {
			if n.kind != safepath.KindDirectory {
				return pathError("mkdir", part, syscall.ENOTDIR)
			}
			continue
		}
		parent, name, err := v.findParent(part)
		if err == nil && parent.children[name] != nil {
			err = syscall.EEXIST
		}
		if err != nil {
			return pathError("mkdir", part, err)
		}
		parent.hold(name, v.newNode(safepath.KindDirectory, perm.Perm()&^umask))
	}
	return nil
}
