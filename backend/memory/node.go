package memory

import (
	"io/fs"
	"time"

	"septet/safepath"
)

// node is one object of a tree. Its volume's lock guards it.
type node struct {
	id       safepath.FileID
	kind     safepath.Kind
	mode     fs.FileMode
	modTime  time.Time
	uid, gid uint32
	links    uint64 // names that hold it; 0 once it is removed
	open     int    // handles

	content  []byte           // files
	target   string           // links
	children map[string]*node // directories
	parent   *node            // directories; the root is its own
}

func (n *node) stat() safepath.Stat {
	size := int64(len(n.content))
	if n.kind == safepath.KindSymlink {
		size = int64(len(n.target))
	}
	return safepath.Stat{
		ID: n.id, Kind: n.kind, Size: size, Mode: n.mode, ModTime: n.modTime,
		Links: n.links, UID: n.uid, GID: n.gid,
	}
}

func (n *node) readable() bool { return n.mode&0o400 != 0 }
func (n *node) writable() bool { return n.mode&0o200 != 0 }

// hold gives child the name in the directory n; the name must be free.
func (n *node) hold(name string, child *node) {
	n.children[name] = child
	n.modTime = time.Now()
	child.links++
	if child.kind == safepath.KindDirectory {
		child.parent = n
	}
}

// drop takes the name out of the directory n and returns what had it.
func (n *node) drop(name string) *node {
	child := n.children[name]
	child.links--
	delete(n.children, name)
	n.modTime = time.Now()
	return child
}

// write puts p at the byte offset at, filling a gap with zeros.
func (n *node) write(p []byte, at int64) {
	end := at + int64(len(p))
	if grow := end - int64(len(n.content)); grow > 0 {
		n.content = append(n.content, make([]byte, grow)...)
	}
	copy(n.content[at:end], p)
	n.modTime = time.Now()
}
