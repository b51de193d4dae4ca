package backend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"septet/safepath"
)

// Open opens a regular file for reading.
func (f *Files) Open(ctx context.Context, p *safepath.CheckedPath) (File, error) {
	if err := f.own(ctx, p); err != nil {
		return nil, err
	}
	h, err := safepath.Open(p)
	if err != nil {
		return nil, err
	}
	st, err := h.Stat()
	if err != nil {
		h.Close()
		return nil, coded("read", p.String(), err)
	}
	return &openFile{handle: h, path: p.String(), size: st.Size}, nil
}

// openFile is the reading half of a handle.
type openFile struct {
	handle safepath.Handle
	path   string // for errors
	size   int64
}

func (f *openFile) Size() int64 { return f.size }

func (f *openFile) Close() error { return f.handle.Close() }

func (f *openFile) Read(p []byte) (int, error) {
	n, err := f.handle.Read(p)
	return n, f.failed(err)
}

func (f *openFile) ReadAt(p []byte, offset int64) (int, error) {
	n, err := f.handle.ReadAt(p, offset)
	return n, f.failed(err)
}

func (f *openFile) failed(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return coded("read", f.path, err)
}

// coded gives a failed system call its code. path is escaped.
func coded(doing, path string, err error) error {
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	code := safepath.IOError
	if errors.Is(err, fs.ErrPermission) {
		code = safepath.PermissionDenied
	}
	var detail *fs.PathError
	cause := err
	if errors.As(err, &detail) {
		cause = detail.Err
	}
	return &Error{Code: code, Fact: fmt.Sprintf("%s %s: %v", doing, path, cause), Err: err}
}
