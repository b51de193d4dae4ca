package machine

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Features are those of this kernel, as far as its filters let them through.
func Features() []Feature {
	return []Feature{
		{"openat2", openat2Works(), "paths are walked one name at a time, which is slower"},
		{"renameat2", renameat2Works(), "a file that appears at the last moment is not told from an old one"},
		{"child subreaper", reaperWorks(), "what a command leaves behind is ended by its process group only"},
		{"/proc", procWorks(), "what a command leaves behind is ended by its process group only"},
	}
}

func openat2Works() bool {
	fd, err := unix.Openat2(unix.AT_FDCWD, "/", &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC | unix.O_DIRECTORY})
	if err == nil {
		_ = unix.Close(fd) // it was opened to see whether it opens
	}
	return err == nil
}

// renameat2Works asks for names that are not there: an old kernel does not
// come as far as looking for them.
func renameat2Works() bool {
	err := unix.Renameat2(unix.AT_FDCWD, "", unix.AT_FDCWD, "", unix.RENAME_NOREPLACE)
	return errors.Is(err, unix.ENOENT)
}

func reaperWorks() bool {
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil
}

func procWorks() bool {
	var stat unix.Statfs_t
	return unix.Statfs("/proc/self", &stat) == nil && stat.Type == unix.PROC_SUPER_MAGIC
}
