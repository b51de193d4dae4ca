package memory

import (
	"io"
	"io/fs"
	"syscall"

	"septet/safepath"
)

// handle is an open file. It keeps its node when the name is taken away.
type handle struct {
	volume   *Volume
	node     *node
	offset   int64 // bytes, of the next Read or Write
	writable bool
	closed   bool
}

var _ safepath.Handle = (*handle)(nil)

func (h *handle) Read(p []byte) (int, error) {
	n, err := h.ReadAt(p, h.offset)
	h.offset += int64(n)
	if n > 0 {
		err = nil // the end is told by the next call
	}
	return n, err
}

func (h *handle) ReadAt(p []byte, offset int64) (int, error) {
	h.volume.mu.Lock()
	defer h.volume.mu.Unlock()
	switch {
	case h.closed:
		return 0, fs.ErrClosed
	case offset < 0:
		return 0, syscall.EINVAL
	case offset >= int64(len(h.node.content)):
		return 0, io.EOF
	}
	n := copy(p, h.node.content[offset:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (h *handle) Write(p []byte) (int, error) {
	n, err := h.WriteAt(p, h.offset)
	h.offset += int64(n)
	return n, err
}

func (h *handle) WriteAt(p []byte, offset int64) (int, error) {
	if offset < 0 {
		return 0, syscall.EINVAL
	}
	err := h.change(func() { h.node.write(p, offset) })
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Truncate sets the size in bytes; a longer file is filled with zeros.
func (h *handle) Truncate(size int64) error {
	return h.change(func() {
		h.node.write(nil, size)
		h.node.content = h.node.content[:size]
	})
}

// Chmod sets the permission bits and clears setuid and setgid.
func (h *handle) Chmod(perm fs.FileMode) error {
	return h.change(func() { h.node.mode = perm.Perm() })
}

// change runs do under the volume's lock when the handle may write.
func (h *handle) change(do func()) error {
	h.volume.mu.Lock()
	defer h.volume.mu.Unlock()
	switch {
	case h.closed:
		return fs.ErrClosed
	case !h.writable:
		return syscall.EBADF
	}
	do()
	return nil
}

func (h *handle) Stat() (safepath.Stat, error) {
	h.volume.mu.Lock()
	defer h.volume.mu.Unlock()
	if h.closed {
		return safepath.Stat{}, fs.ErrClosed
	}
	return h.node.stat(), nil
}

// CopyAttributes gives this file the owner and permission bits of old, which
// must be a file of the same volume.
func (h *handle) CopyAttributes(old safepath.Handle) error {
	from, ok := old.(*handle)
	if !ok || from.volume != h.volume {
		return syscall.EXDEV
	}
	h.volume.mu.Lock()
	defer h.volume.mu.Unlock()
	if h.closed || from.closed {
		return fs.ErrClosed
	}
	h.node.mode = from.node.mode.Perm()
	h.node.uid, h.node.gid = from.node.uid, from.node.gid
	return nil
}

func (h *handle) Sync() error { return nil }

func (h *handle) Close() error {
	h.volume.mu.Lock()
	defer h.volume.mu.Unlock()
	if h.closed {
		return fs.ErrClosed
	}
	h.closed = true
	h.node.open--
	h.volume.settle(h.node)
	return nil
}
