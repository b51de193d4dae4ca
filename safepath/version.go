package safepath

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Version identifies the content a caller has read, so that a later write can
// tell whether it is still there. The zero Version stands for "no file".
type Version struct {
	Exists bool
	Stat   Stat // when it was read
	Digest [sha256.Size]byte
}

// ReadVersion reads the file at p, at most limit bytes, and returns what a
// later Commit or Remove compares with. No file is a nil slice and the zero
// Version; a larger file is an *Error with TooLarge. Call it under the lock
// that LockKey names.
func ReadVersion(p *CheckedPath, limit int64) ([]byte, Version, error) {
	if err := p.usable(Read); err != nil {
		return nil, Version{}, err
	}
	if err := p.advance(); err != nil {
		return nil, Version{}, err
	}
	if len(p.missing) > 0 {
		return nil, Version{}, nil
	}
	h, err := p.parent.OpenFile(p.base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Version{}, nil
	}
	if err != nil {
		return nil, Version{}, p.openError(err)
	}
	defer h.Close()
	content, v, err := readVersion(h, limit)
	if errors.Is(err, errTooLong) {
		return nil, Version{}, fail(TooLarge, fmt.Sprintf("%s has %d bytes; at most %d are allowed", p.display, v.Stat.Size, limit), "")
	}
	return content, v, wrap(err, p.display, "read")
}

var errTooLong = errors.New("longer than the limit")

// readVersion trusts no size: a file may grow while it is read.
func readVersion(h Handle, limit int64) ([]byte, Version, error) {
	st, err := h.Stat()
	if err != nil {
		return nil, Version{}, err
	}
	if st.Size > limit {
		return nil, Version{Stat: st}, errTooLong
	}
	content := make([]byte, 0, st.Size+1)
	content, err = appendFrom(content, io.NewSectionReader(h, 0, limit+1))
	if err != nil {
		return nil, Version{}, err
	}
	if int64(len(content)) > limit {
		st.Size = int64(len(content))
		return nil, Version{Stat: st}, errTooLong
	}
	return content, Version{Exists: true, Stat: st, Digest: sha256.Sum256(content)}, nil
}

func appendFrom(b []byte, r io.Reader) ([]byte, error) {
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}

// holds reports whether name in dir is a regular file with the content of v.
func (v Version) holds(dir Dir, name string) (bool, error) {
	h, err := dir.OpenFile(name)
	if err != nil {
		return false, err
	}
	defer h.Close()
	return v.equals(h)
}

func (v Version) equals(h Handle) (bool, error) {
	_, now, err := readVersion(h, v.Stat.Size)
	if errors.Is(err, errTooLong) {
		return false, nil
	}
	return err == nil && now.Digest == v.Digest, err
}
