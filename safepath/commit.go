package safepath

import (
	"errors"
	"fmt"
	"io/fs"
)

// Replacement is the new content of a file.
type Replacement struct {
	Content []byte
	Was     Version     // what the content was made from
	Perm    fs.FileMode // optional; of a new file, else 0666 less the umask
}

// Committed says how a write went.
type Committed struct {
	Created       bool
	ModeBefore    fs.FileMode // permission, setuid and setgid bits; 0 when there was no file
	ModeAfter     fs.FileMode // 0 when there is no file
	MadeDirs      int         // parent directories that were made
	NonAtomic     bool        // written in place: a rename could not work here
	ReplaceWindow bool        // no atomic exchange here: a change in a window of microseconds could be lost
	HardLinks     int         // other names of the old file; they keep the old content
	DroppedSetID  bool        // setuid or setgid was not carried over
	ParentMoved   bool        // the directory was moved while the file was written
}

// Commit puts r.Content in the place of p, atomically where the file system
// can, and makes missing parents. What is there must be what r.Was says: else
// nothing changes and the error is Stale, or Exists when there was no file.
func Commit(p *CheckedPath, r Replacement) (Committed, error) {
	if err := p.writable(); err != nil {
		return Committed{}, err
	}
	made, err := p.makeParents()
	defer made.close()
	if err != nil {
		made.undo()
		return Committed{}, err
	}
	c := commit{path: p, Replacement: r}
	if err := c.run(); err != nil {
		made.undo()
		return Committed{}, wrap(err, p.display, "write")
	}
	p.resolver.sweep(p.parent, c.owner)
	c.done.MadeDirs = len(made)
	c.done.ParentMoved = p.parentMoved()
	return c.done, nil
}

func (p *CheckedPath) writable() error {
	if err := p.usable(Write); err != nil {
		return err
	}
	if p.base == "" || p.intent == Directory {
		return fail(InvalidPath, p.display+" is not a file target", "")
	}
	return nil
}

// parentMoved reports whether the path of the parent leads to another
// directory by now, or nowhere: what was written is then somewhere else.
func (p *CheckedPath) parentMoved() bool {
	held, err := p.parent.Stat()
	if err != nil {
		return false
	}
	st, err := p.resolver.volume.Lstat(p.path)
	return err != nil || st.ID != held.ID
}

// commit is one replacement on its way.
type commit struct {
	path *CheckedPath
	Replacement
	old Handle // nil for a new file
	// file is the temporary file, open for reading to the end: were it closed,
	// and replaced by another program, its inode number could go to that
	// program's next file, which would then be taken for ours and removed.
	file  Handle
	tmp   string
	id    FileID // of the temporary file
	owner uint32 // of files this process makes
	done  Committed
}

func (c *commit) run() error {
	defer func() {
		if c.file != nil {
			c.file.Close()
		}
	}()
	if !c.Was.Exists {
		return c.create()
	}
	old, err := c.path.parent.OpenFile(c.path.base)
	if errors.Is(err, fs.ErrNotExist) {
		return c.path.stale("was deleted")
	}
	if err != nil {
		return c.path.openError(err)
	}
	defer old.Close()
	c.old = old
	return c.replace()
}

func (c *commit) create() error {
	perm := c.Perm
	if perm == 0 {
		perm = 0o666
	}
	if err := c.writeTemporary(perm); err != nil {
		return err
	}
	dir, base := c.path.parent, c.path.base
	err := dir.Rename(c.tmp, base, NoReplace)
	if errors.Is(err, errors.ErrUnsupported) {
		err = c.createByLooking()
	}
	if err != nil {
		dir.Unlink(c.tmp)
		if errors.Is(err, fs.ErrExist) {
			return fail(Exists, c.path.display+" exists already", "read it first")
		}
		return err
	}
	c.done.Created = true
	return nil
}

// createByLooking is for file systems that know neither a rename that refuses
// nor hard links.
func (c *commit) createByLooking() error {
	_, err := c.path.parent.Lookup(c.path.base)
	if err == nil {
		return fs.ErrExist
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	c.done.ReplaceWindow = true
	return c.path.parent.Rename(c.tmp, c.path.base, Overwrite)
}

func (c *commit) replace() error {
	st, err := c.old.Stat()
	if err != nil {
		return err
	}
	awaitWriter(c.old)
	same, err := c.Was.equals(c.old)
	if err != nil {
		return err
	}
	if !same {
		return c.path.stale("was changed by another program")
	}
	if err := c.path.checkWritable(); err != nil {
		return err
	}
	c.done.ModeBefore = st.Mode
	c.done.DroppedSetID = st.Mode&(fs.ModeSetuid|fs.ModeSetgid) != 0
	c.done.HardLinks = int(st.Links) - 1
	err = c.writeTemporary(0o600)
	if err == nil {
		err = c.exchange()
	}
	if needsPlace(err) {
		return c.inPlace(st)
	}
	return err
}

func (p *CheckedPath) stale(what string) error {
	return fail(Stale, fmt.Sprintf("%s %s since it was read; nothing was written", p.display, what), "read it again")
}
