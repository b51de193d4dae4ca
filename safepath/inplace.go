package safepath

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// errAttributes: the owner, the ACL or an attribute could not be given to a
// new file.
var errAttributes = errors.New("the attributes of the file cannot be copied")

// needsPlace reports whether a rename cannot work here, though writing to the
// file itself may: its name is a mount point, the directory takes no new
// names, or somebody else owns the file.
func needsPlace(err error) bool {
	var own *Error
	if errors.As(err, &own) {
		return false
	}
	for _, target := range []error{errAttributes, syscall.EBUSY, syscall.EXDEV, syscall.EROFS, fs.ErrPermission} {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// inPlace writes to the file itself. It is the last resort: a reader can see
// half of it, and a crash can leave half of it. st is the file as it was read.
func (c *commit) inPlace(st Stat) error {
	if c.done.HardLinks > 0 {
		return fail(PermissionDenied, fmt.Sprintf("%s cannot be replaced by a rename here, and is not written in place because it has %d other names", c.path.display, c.done.HardLinks), "change it with bash, or ask the user to remove the other names")
	}
	h, err := c.path.parent.OpenWrite(c.path.base)
	if err != nil {
		return err
	}
	defer h.Close()
	before, now, err := readVersion(h, c.Was.Stat.Size)
	if errors.Is(err, errTooLong) || err == nil && (now.Digest != c.Was.Digest || now.Stat.ID != st.ID) {
		return c.path.stale("was changed by another program")
	}
	if err != nil {
		return err
	}
	if err := overwriteHandle(h, c.Content); err != nil {
		return c.restore(h, before, err)
	}
	return c.finishInPlace(h)
}

func overwriteHandle(h Handle, content []byte) error {
	if _, err := h.WriteAt(content, 0); err != nil {
		return err
	}
	if err := h.Truncate(int64(len(content))); err != nil {
		return err
	}
	return h.Sync()
}

// restore puts the old bytes back after a failed write. They fit: the file
// had that size before.
func (c *commit) restore(h Handle, before []byte, cause error) error {
	if err := overwriteHandle(h, before); err != nil {
		code, why := codeOf(cause)
		return fail(code, fmt.Sprintf("%s was written in part and its old content could not be restored: %s", c.path.display, why), "read it before anything else")
	}
	return cause
}

// finishInPlace drops setuid and setgid: the kernel leaves them to a root
// that writes, and they would vouch for the new content.
func (c *commit) finishInPlace(h Handle) error {
	c.done.NonAtomic = true
	if c.done.DroppedSetID {
		if err := h.Chmod(c.done.ModeBefore); err != nil {
			return err
		}
	}
	st, err := h.Stat()
	c.done.ModeAfter = st.Mode
	return err
}

// CheckWritable refuses what Commit would refuse for the permissions of the file
// itself. A file that does not exist has none.
func CheckWritable(p *CheckedPath) error {
	if err := p.writable(); err != nil {
		return err
	}
	if p.stat.Kind != KindFile {
		return nil
	}
	return p.checkWritable()
}

// checkWritable refuses a file whose own permissions forbid writing: a rename
// would ignore them. A volume that cannot be asked is tried.
func (p *CheckedPath) checkWritable() error {
	if d, ok := p.parent.(interface{ mayWrite(name string) error }); ok {
		return wrap(d.mayWrite(p.base), p.display, "write")
	}
	h, err := p.parent.OpenWrite(p.base)
	if err != nil {
		return wrap(err, p.display, "write")
	}
	return h.Close()
}
