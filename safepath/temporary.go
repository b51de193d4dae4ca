package safepath

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io/fs"
)

// writeTemporary leaves the whole content, on disk and with the attributes of
// the old file, beside the target; on an error it leaves nothing.
func (c *commit) writeTemporary(perm fs.FileMode) error {
	c.tmp = temporaryName()
	h, err := c.path.parent.Create(c.tmp, perm)
	if err != nil {
		return err
	}
	err = c.fill(h)
	if closeErr := h.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = c.hold()
	}
	if err != nil {
		c.path.parent.Unlink(c.tmp)
	}
	return err
}

// hold opens the temporary file again, for reading: while we have it open for
// writing it could not be seen that somebody else has.
func (c *commit) hold() error {
	h, err := c.path.parent.OpenFile(c.tmp)
	if err != nil {
		return err
	}
	c.file = h
	st, err := h.Stat()
	if err == nil && st.ID != c.id {
		err = pathChanged(c.path.display)
	}
	return err
}

func (c *commit) fill(h Handle) error {
	st, err := h.Stat()
	if err != nil {
		return err
	}
	c.id, c.owner = st.ID, st.UID
	if _, err := h.Write(c.Content); err != nil {
		return err
	}
	if c.old != nil {
		if err := h.CopyAttributes(c.old); err != nil {
			return fmt.Errorf("%w: %w", errAttributes, err)
		}
	} else if c.Perm != 0 {
		if err := h.Chmod(c.Perm); err != nil {
			return err
		}
	}
	if err := h.Sync(); err != nil {
		return err
	}
	st, err = h.Stat()
	c.done.ModeAfter = st.Mode
	return err
}

// temporaryPrefix begins the name of every temporary file. Sixteen
// hexadecimal digits follow.
const temporaryPrefix = ".~"

func temporaryName() string { return temporaryPrefix + randomHex(8) }

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
