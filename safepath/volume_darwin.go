package safepath

import (
	"os"

	"golang.org/x/sys/unix"
)

// dirFlags needs read permission on the directory: darwin has no O_PATH.
const dirFlags = unix.O_RDONLY | unix.O_DIRECTORY

func renameFlags(dir int, from, to string, how RenameMode) error {
	flag := uint32(unix.RENAME_EXCL)
	if how == Exchange {
		flag = unix.RENAME_SWAP
	}
	return unix.RenameatxNp(dir, from, dir, to, flag)
}

// pseudo is false: darwin mounts no file systems whose files run kernel code.
func pseudo(int) bool { return false }

// readNames reads the directory fd and closes it. Kinds are left unknown: the
// standard library would ask for them by path.
func readNames(fd int) ([]Entry, error) {
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(names))
	for i, name := range names {
		entries[i] = Entry{Name: name}
	}
	return entries, nil
}

// copyXattrs carries extended attributes over. ACLs are no attributes here
// and stay behind.
func copyXattrs(from, to int) error {
	names, err := listXattrs(from)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := copyXattr(from, to, name); err != nil {
			return err
		}
	}
	return nil
}
