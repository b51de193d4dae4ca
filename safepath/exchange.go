package safepath

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
)

// exchange swaps the temporary file with the target and then looks at what
// came out. A check before a rename would leave a window in which a change of
// another program is lost; here nothing is removed before it was seen.
func (c *commit) exchange() error {
	dir, base := c.path.parent, c.path.base
	err := dir.Rename(c.tmp, base, Exchange)
	if errors.Is(err, errors.ErrUnsupported) {
		return c.overwrite()
	}
	if errors.Is(err, fs.ErrNotExist) {
		dir.Unlink(c.tmp)
		return c.path.stale("was deleted")
	}
	if err != nil {
		dir.Unlink(c.tmp)
		return err
	}
	same, err := c.cameOutAsRead()
	if same {
		return dir.Unlink(c.tmp)
	}
	return c.takeBack(err)
}

// cameOutAsRead reports whether the exchange brought out what was read. A
// program that has it open for writing is about to change it: it opened the
// file before the exchange, for by the temporary name nobody can.
func (c *commit) cameOutAsRead() (bool, error) {
	h, err := c.path.parent.OpenFile(c.tmp)
	if err != nil {
		return false, err
	}
	defer h.Close()
	if beingWritten(h) {
		return false, nil
	}
	return c.Was.equals(h)
}

// takeBack returns what another program put there to its place.
func (c *commit) takeBack(cause error) error {
	dir, base := c.path.parent, c.path.base
	if err := dir.Rename(c.tmp, base, Exchange); err != nil {
		return c.takeBackDeleted(err)
	}
	if c.isOurs(c.tmp) {
		if err := dir.Unlink(c.tmp); err != nil {
			return err
		}
		var refused *Error
		if errors.As(cause, &refused) {
			return pathChanged(c.path.display)
		}
		return c.path.stale("was changed by another program")
	}
	// A third writer replaced the target between the two exchanges, so its
	// file came out now and the older one went in. The newest belongs there.
	dir.Rename(c.tmp, base, Exchange)
	return c.keepBoth()
}

// takeBackDeleted handles a target that was deleted after the exchange.
func (c *commit) takeBackDeleted(err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return c.keepBoth()
	}
	if c.path.parent.Rename(c.tmp, c.path.base, NoReplace) != nil {
		return c.keepBoth()
	}
	return c.path.stale("was changed by another program")
}

// keepBoth gives a file that is not ours a name that stays: it is never
// removed, for somebody wrote it.
func (c *commit) keepBoth() error {
	dir := c.path.parent
	if c.isOurs(c.tmp) {
		dir.Unlink(c.tmp)
		return c.path.stale("was changed by another program")
	}
	kept := c.path.base + ".conflict-" + randomHex(4)
	if err := dir.Rename(c.tmp, kept, NoReplace); err != nil {
		kept = c.tmp
	}
	return fail(Stale, fmt.Sprintf("%s was changed by two other programs at once; nothing of this call was written, the older content is kept in %s", c.path.display, Escape(kept)), "compare the two files and read again")
}

// isOurs reports whether name is our file, as we wrote it. While it stood in
// the place of the target another program may have opened it and saved into
// it. The wait also outlasts a process of ours that is just being started and
// holds copies of our descriptors until it runs.
func (c *commit) isOurs(name string) bool {
	st, err := c.path.parent.Lookup(name)
	if err != nil || c.file == nil || st.ID != c.id {
		return false
	}
	awaitWriter(c.file)
	if beingWritten(c.file) {
		return false
	}
	own := Version{Stat: Stat{Size: int64(len(c.Content))}, Digest: sha256.Sum256(c.Content)}
	same, err := own.equals(c.file)
	return err == nil && same
}

// overwrite is the replace of file systems without an exchange: it compares as
// late as it can, and says that a window remained.
func (c *commit) overwrite() error {
	dir, base := c.path.parent, c.path.base
	same, err := c.Was.holds(dir, base)
	if err == nil && same {
		c.done.ReplaceWindow = true
		err = dir.Rename(c.tmp, base, Overwrite)
	}
	if err != nil || !same {
		dir.Unlink(c.tmp)
	}
	if err == nil && !same {
		return c.path.stale("was changed by another program")
	}
	return err
}
