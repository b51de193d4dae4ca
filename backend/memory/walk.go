package memory

import (
	"strings"
	"syscall"

	"septet/safepath"
)

// walk is one lookup of a path: where it stands and how many links it followed.
type walk struct {
	volume   *Volume
	at       *node
	followed int
}

// to goes from where the walk stands along path.
func (w *walk) to(path string, followLast bool) (*node, error) {
	if strings.HasPrefix(path, "/") {
		w.at = w.volume.root
	}
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	for i, name := range parts {
		follow := followLast || i < len(parts)-1 || strings.HasSuffix(path, "/")
		if err := w.step(name, follow); err != nil {
			return nil, err
		}
	}
	return w.at, nil
}

// step enters one name.
func (w *walk) step(name string, follow bool) error {
	if w.at.kind != safepath.KindDirectory {
		return syscall.ENOTDIR
	}
	switch name {
	case ".":
		return nil
	case "..":
		w.at = w.at.parent
		return nil
	}
	next, ok := w.at.children[name]
	if !ok {
		return syscall.ENOENT
	}
	if next.kind != safepath.KindSymlink || !follow {
		w.at = next
		return nil
	}
	if w.followed++; w.followed > MaxFollowedLinks {
		return syscall.ELOOP
	}
	_, err := w.to(next.target, true)
	return err
}
