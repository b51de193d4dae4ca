package raw

import (
	"io"
	"io/fs"

	"golang.org/x/sys/unix"

	"septet/safepath"
)

// File is an open regular file. ReadAt is safe for concurrent use.
type File struct {
	fd     int
	size   int64
	device *device
}

// OpenFile opens the regular file name. It never waits for a pipe; that the
// name is no device is what the listing just said, and making one takes the
// rights of an administrator.
func (d *Dir) OpenFile(name string) (*File, error) {
	fd, here, err := d.open(name, fileFlags)
	if err != nil {
		return nil, err
	}
	f := &File{fd: fd, device: d.device}
	if err := f.identify(name, here); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return f, nil
}

// identify refuses what is no file, and files of pseudo file systems, whose
// reads run code of the kernel. A single file may be mounted from elsewhere.
func (f *File) identify(name string, here bool) error {
	var st unix.Stat_t
	if err := fstat(f.fd, here, &st); err != nil {
		return &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	if !here {
		f.device = f.device.of(f.fd, &st)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || f.device.pseudo {
		return &safepath.Error{Code: safepath.NotRegularFile, Fact: safepath.Escape(name) + " is not a regular file"}
	}
	f.size = st.Size
	return nil
}

// Size is the size in bytes when the file was opened.
func (f *File) Size() int64 { return f.size }

// Close closes the descriptor.
func (f *File) Close() error { return f.device.close(f.fd) }

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(b []byte, off int64) (int, error) {
	total := 0
	for total < len(b) {
		n, err := f.device.pread(f.fd, b[total:], off+int64(total))
		if err != nil {
			return total, &fs.PathError{Op: "read", Path: ".", Err: err}
		}
		if n == 0 {
			return total, io.EOF
		}
		total += n
	}
	return total, nil
}
