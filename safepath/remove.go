package safepath

import (
	"errors"
	"fmt"
	"io/fs"
)

// Remove removes the file at p when it is what was says, else the error is
// Stale and it stays.
func Remove(p *CheckedPath, was Version) (Committed, error) {
	if err := p.writable(); err != nil {
		return Committed{}, err
	}
	if len(p.missing) > 0 || !was.Exists {
		return Committed{}, fail(NotFound, p.display+" does not exist", "")
	}
	c := commit{path: p, Replacement: Replacement{Was: was}, tmp: temporaryName()}
	if err := c.remove(); err != nil {
		return Committed{}, wrap(err, p.display, "remove")
	}
	c.done.ParentMoved = p.parentMoved()
	return c.done, nil
}

// remove takes the name away first and looks at what it has taken before
// anything is gone.
func (c *commit) remove() error {
	dir, base := c.path.parent, c.path.base
	st, err := dir.Lookup(base)
	if err != nil {
		return err
	}
	if st.Kind != KindFile {
		return notRegular(base, st.Kind)
	}
	if same, err := c.Was.holds(dir, base); err != nil || !same {
		return errors.Join(err, c.path.stale("was changed by another program"))
	}
	c.done.ModeBefore, c.done.HardLinks = st.Mode, int(st.Links)-1
	err = dir.Rename(base, c.tmp, NoReplace)
	if errors.Is(err, errors.ErrUnsupported) {
		c.done.ReplaceWindow = true
		return dir.Unlink(base)
	}
	if err != nil {
		return err
	}
	if same, _ := c.Was.holds(dir, c.tmp); same {
		return dir.Unlink(c.tmp)
	}
	if err := dir.Rename(c.tmp, base, NoReplace); err != nil {
		return c.keepBoth()
	}
	return c.path.stale("was changed by another program")
}

// RemoveEmptyDir removes the directory at p, checked for writing as a
// Directory, when it is empty; else the error is an *Error with Exists.
func RemoveEmptyDir(p *CheckedPath) error {
	if err := p.usable(Write); err != nil {
		return err
	}
	if p.base == "" || p.stat.Kind != KindDirectory {
		return fail(InvalidPath, p.display+" is not a directory that can be removed", "")
	}
	err := p.parent.Rmdir(p.base)
	if isNotEmpty(err) {
		return &Error{Code: Exists, Fact: fmt.Sprintf("%s is not empty", p.display), Err: err}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fail(NotFound, p.display+" does not exist", "")
	}
	return wrap(err, p.display, "remove")
}
