//go:build linux || darwin

package safepath

import (
	"strings"

	"golang.org/x/sys/unix"
)

// listXattrs names the attributes of an open file; none where the file system
// has none.
func listXattrs(fd int) ([]string, error) {
	size, err := unix.Flistxattr(fd, nil)
	if err == unix.ENOTSUP || err == unix.ENOSYS || size == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	buf := make([]byte, size)
	if size, err = unix.Flistxattr(fd, buf); err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimRight(string(buf[:size]), "\x00"), "\x00"), nil
}

func copyXattr(from, to int, name string) error {
	size, err := unix.Fgetxattr(from, name, nil)
	if err != nil {
		return err
	}
	value := make([]byte, size)
	if size, err = unix.Fgetxattr(from, name, value); err != nil {
		return err
	}
	return unix.Fsetxattr(to, name, value[:size], 0)
}
