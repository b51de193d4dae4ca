package safepath

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"
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

// A temporary file is known by its name alone: the prefix, when the write began
// as 8 hexadecimal digits of Unix seconds, "-", and 128 random bits. No person
// and no other program calls a file that, so that one may be removed without a
// look into it. The time is in the name because that of the file may be an old
// one: from an exchange on, the temporary name is that of the file that was
// replaced.
const (
	temporaryPrefix = ".~septet-"
	randomBytes     = 16
)

func temporaryName() string {
	return fmt.Sprintf("%s%08x-%s", temporaryPrefix, uint32(time.Now().Unix()), randomHex(randomBytes))
}

// temporarySince returns when the write began whose temporary file has this
// name; false for any other name.
func temporarySince(name string) (time.Time, bool) {
	rest, ok := strings.CutPrefix(name, temporaryPrefix)
	began, random, dash := strings.Cut(rest, "-")
	if !ok || !dash || len(began) != 8 || len(random) != 2*randomBytes || strings.Trim(began+random, "0123456789abcdef") != "" {
		return time.Time{}, false
	}
	seconds, err := strconv.ParseUint(began, 16, 32)
	return time.Unix(int64(seconds), 0), err == nil
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
