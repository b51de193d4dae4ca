// Package memory is a place made of memory: a tree of files with links, modes
// and identities, a small searcher over it and a slot for processes. It is a
// working backend, used where a test or a trial needs no disk.
package memory

import (
	"io/fs"
	"strings"
	"sync"
	"syscall"
	"time"

	"septet/safepath"
)

const (
	// MaxFollowedLinks is how many links one path may follow, as in Linux.
	MaxFollowedLinks = 40

	// device is the only device number of a tree in memory.
	device = 1
	// umask is what a new object's permission bits lose.
	umask fs.FileMode = 0o022
)

// Volume is a file tree in memory. It behaves like a local file system used by
// one ordinary user: the owner's permission bits apply, names are bytes, and
// an open directory follows its directory when it is moved. It is safe for
// concurrent use. Errors are *fs.PathError around the numbers that a system
// would give.
type Volume struct {
	mu         sync.Mutex
	root       *node
	lastInode  uint64
	freeInodes []uint64 // of objects that are gone; given out again, as disks do
	noExchange bool
}

var _ safepath.Volume = (*Volume)(nil)

// NewVolume returns a tree that holds an empty root directory.
func NewVolume() *Volume {
	v := &Volume{}
	v.root = v.newNode(safepath.KindDirectory, 0o777)
	v.root.parent = v.root
	v.root.links = 1
	return v
}

// ForbidExchange makes renames with safepath.Exchange fail as unsupported, as
// some network file systems do.
func (v *Volume) ForbidExchange() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.noExchange = true
}

// Lstat describes the object at an absolute path; only its last component is
// not followed.
func (v *Volume) Lstat(abs string) (safepath.Stat, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	n, err := v.find(abs, false)
	if err != nil {
		return safepath.Stat{}, pathError("lstat", abs, err)
	}
	return n.stat(), nil
}

// Readlink returns the target of the link at an absolute path.
func (v *Volume) Readlink(abs string) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	n, err := v.find(abs, false)
	if err == nil && n.kind != safepath.KindSymlink {
		err = syscall.EINVAL
	}
	if err != nil {
		return "", pathError("readlink", abs, err)
	}
	return n.target, nil
}

// OpenRoot opens the directory at an absolute path and follows links.
func (v *Volume) OpenRoot(abs string) (safepath.Dir, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	n, err := v.find(abs, true)
	if err == nil && n.kind != safepath.KindDirectory {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return nil, pathError("open", abs, err)
	}
	return v.openDir(n), nil
}

func (v *Volume) openDir(n *node) *dir {
	n.open++
	return &dir{volume: v, node: n}
}

func (v *Volume) openFile(n *node, writable bool) *handle {
	n.open++
	return &handle{volume: v, node: n, writable: writable}
}

// newNode makes an object that no directory holds yet.
func (v *Volume) newNode(kind safepath.Kind, mode fs.FileMode) *node {
	n := &node{
		id:   safepath.FileID{Device: device, Inode: v.nextInode()},
		kind: kind, mode: mode, modTime: time.Now(),
	}
	if kind == safepath.KindDirectory {
		n.children = map[string]*node{}
	}
	return n
}

func (v *Volume) nextInode() uint64 {
	if last := len(v.freeInodes) - 1; last >= 0 {
		inode := v.freeInodes[last]
		v.freeInodes = v.freeInodes[:last]
		return inode
	}
	v.lastInode++
	return v.lastInode
}

// settle frees the number of an object that nobody can reach any more.
func (v *Volume) settle(n *node) {
	if n.links == 0 && n.open == 0 {
		v.freeInodes = append(v.freeInodes, n.id.Inode)
	}
}

// find walks to the object at abs as a kernel would.
func (v *Volume) find(abs string, followLast bool) (*node, error) {
	if !strings.HasPrefix(abs, "/") {
		return nil, syscall.EINVAL
	}
	w := walk{volume: v, at: v.root}
	return w.to(abs, followLast)
}

// findParent returns the directory that holds abs, and the last component.
func (v *Volume) findParent(abs string) (*node, string, error) {
	cut := strings.LastIndexByte(abs, '/')
	if cut < 0 || cut == len(abs)-1 {
		return nil, "", syscall.EINVAL
	}
	parent, err := v.find(abs[:cut+1], true)
	if err == nil && parent.kind != safepath.KindDirectory {
		err = syscall.ENOTDIR
	}
	return parent, abs[cut+1:], err
}

func pathError(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}
