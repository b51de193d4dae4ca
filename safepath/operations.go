package safepath

import (
	"errors"
	"fmt"
	"strings"
)

// The operations on a CheckedPath are functions of this package and not
// methods, so that a package which may not import safepath can only pass a
// CheckedPath on.

// usable refuses a path that no Resolver made, that is closed, or that was
// checked for less than what is done with it.
func (p *CheckedPath) usable(access Access) error {
	switch {
	case p == nil || p.resolver == nil:
		return fail(InvalidPath, "a path was used that was not checked", "")
	case p.closed:
		return fail(InvalidPath, p.display+" was used after it was closed", "")
	case access == Write && p.access != Write:
		return fail(InvalidPath, p.display+" was checked for reading only", "")
	}
	return nil
}

// VolumeOf returns the volume p was resolved on; nil for the zero value.
func VolumeOf(p *CheckedPath) Volume {
	if p == nil || p.resolver == nil {
		return nil
	}
	return p.resolver.volume
}

// StatOf returns what the path was when it was checked; Kind is KindUnknown
// when there was nothing.
func StatOf(p *CheckedPath) Stat {
	if p == nil {
		return Stat{}
	}
	return p.stat
}

// NameOf returns the last component of p as it is on disk, "" for a root.
func NameOf(p *CheckedPath) string {
	if p == nil {
		return ""
	}
	return p.base
}

// Open opens the regular file at p for reading, by handle, and confirms that
// it is a regular file of a real file system. A link, pipe or device that was
// put in its place since the check is PathChanged.
func Open(p *CheckedPath) (Handle, error) {
	if err := p.usable(Read); err != nil {
		return nil, err
	}
	if len(p.missing) > 0 || p.base == "" {
		return nil, fail(NotRegularFile, p.display+" is not a regular file", "")
	}
	h, err := p.parent.OpenFile(p.base)
	if err != nil {
		return nil, p.openError(err)
	}
	return h, nil
}

// openError tells a target that changed since the check from one that cannot
// be opened.
func (p *CheckedPath) openError(err error) error {
	var refused *Error
	if p.stat.Kind == KindFile && (errors.As(err, &refused) && p.swapped() || isNotDirectory(err)) {
		return pathChanged(p.display)
	}
	if refused != nil {
		return fail(refused.Code, fmt.Sprintf("%s is not a regular file", p.display), refused.Hint)
	}
	return wrap(err, p.display, "open")
}

// swapped reports whether the name no longer stands for what was checked.
func (p *CheckedPath) swapped() bool {
	st, err := p.parent.Lookup(p.base)
	return err != nil || st.ID != p.stat.ID || st.Kind != p.stat.Kind
}

// OpenDir opens the directory at p. Below it, links are not followed, the
// state directory is closed and nothing can be changed.
func OpenDir(p *CheckedPath) (Dir, error) {
	d, err := p.openDir()
	if err != nil {
		return nil, err
	}
	g := p.resolver.newGuard(p.root, nil, false)
	return &readDir{Dir: d, state: g.state}, nil
}

// openDir opens the directory at p as the volume gives it. The caller owns it.
func (p *CheckedPath) openDir() (Dir, error) {
	if err := p.usable(Read); err != nil {
		return nil, err
	}
	if p.stat.Kind != KindDirectory {
		return nil, fail(NotDirectory, p.display+" is not a directory", "")
	}
	if p.base == "" {
		d, err := p.resolver.volume.OpenRoot(p.root.canon)
		return p.confirm(d, err)
	}
	d, err := p.parent.OpenDir(p.base)
	return p.confirm(d, err)
}

// confirm makes sure that the opened directory is the one that was checked: a
// protected or closed one could have been renamed into its place.
func (p *CheckedPath) confirm(d Dir, err error) (Dir, error) {
	if isNotDirectory(err) {
		return nil, pathChanged(p.display)
	}
	if err != nil {
		return nil, wrap(err, p.display, "open")
	}
	st, err := d.Stat()
	if err == nil && st.ID != p.stat.ID {
		err = pathChanged(p.display)
	}
	if err != nil {
		d.Close()
		return nil, wrap(err, p.display, "open")
	}
	return d, nil
}

// LockKey names the target for the lock that writers of one file share: the
// parent's identity and the name on disk, so that it holds across a replace
// and for a file that does not exist yet. It changes once missing parents
// exist: a caller that has waited for the lock asks again, and takes the new
// lock when the key is another.
func LockKey(p *CheckedPath) string {
	if p.usable(Read) != nil || p.advance() != nil {
		return ""
	}
	st, err := p.parent.Stat()
	if err != nil {
		return ""
	}
	// Folded: two spellings may be one file, and a lock too many harms nobody.
	names := foldName(strings.Join(append(append([]string{}, p.missing...), p.base), "/"))
	return fmt.Sprintf("%d:%d/%s", st.ID.Device, st.ID.Inode, names)
}
