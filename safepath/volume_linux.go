package safepath

import (
	"bytes"
	"encoding/binary"
	"strings"

	"golang.org/x/sys/unix"
)

// dirFlags opens a directory for use as a starting point only: that needs
// search permission, not read permission.
const dirFlags = unix.O_PATH | unix.O_DIRECTORY

// openBeneath opens a directory several components down without following any
// link. Kernels before 5.6 and some sandboxes refuse the call.
func (d *unixDir) openBeneath(path string) (Dir, error) {
	how := unix.OpenHow{
		Flags:   dirFlags | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_BENEATH,
	}
	var fd int
	err := retry(func() (err error) { fd, err = unix.Openat2(d.fd, path, &how); return err })
	if err != nil {
		return nil, pathError("open", path, err)
	}
	return &unixDir{fd: fd}, nil
}

func renameFlags(dir int, from, to string, how RenameMode) error {
	flag := uint(unix.RENAME_NOREPLACE)
	if how == Exchange {
		flag = unix.RENAME_EXCHANGE
	}
	return unix.Renameat2(dir, from, dir, to, flag)
}

// pseudo tells files whose reads run kernel code instead of returning stored
// bytes: they say size 0, never end, or act when opened.
func pseudo(fd int) bool {
	var s unix.Statfs_t
	if err := retry(func() error { return unix.Fstatfs(fd, &s) }); err != nil {
		return false
	}
	switch uint32(s.Type) {
	case unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, unix.DEBUGFS_MAGIC, unix.TRACEFS_MAGIC,
		unix.SECURITYFS_MAGIC, unix.CGROUP_SUPER_MAGIC, unix.CGROUP2_SUPER_MAGIC, unix.BPF_FS_MAGIC,
		unix.PSTOREFS_MAGIC, unix.EFIVARFS_MAGIC, unix.SELINUX_MAGIC:
		return true
	}
	return false
}

// readNames reads the directory fd and closes it.
func readNames(fd int) ([]Entry, error) {
	defer unix.Close(fd)
	var entries []Entry
	buf := make([]byte, 32<<10)
	for {
		var n int
		err := retry(func() (err error) { n, err = unix.Getdents(fd, buf); return err })
		if err != nil {
			return nil, pathError("readdir", ".", err)
		}
		if n <= 0 {
			return entries, nil
		}
		entries = appendEntries(entries, buf[:n])
	}
}

// appendEntries decodes linux_dirent64 records: inode, offset, record length,
// type, name ending in NUL.
func appendEntries(entries []Entry, buf []byte) []Entry {
	const header = 19
	for len(buf) > header {
		size := int(binary.NativeEndian.Uint16(buf[16:]))
		if size <= header || size > len(buf) {
			return entries
		}
		name, _, _ := bytes.Cut(buf[header:size], []byte{0})
		if s := string(name); s != "." && s != ".." {
			entries = append(entries, Entry{Name: s, Kind: kindOfType(buf[18])})
		}
		buf = buf[size:]
	}
	return entries
}

func kindOfType(t byte) Kind {
	switch t {
	case unix.DT_UNKNOWN:
		return KindUnknown
	case unix.DT_REG:
		return KindFile
	case unix.DT_DIR:
		return KindDirectory
	case unix.DT_LNK:
		return KindSymlink
	}
	return KindOther
}

const aclXattr = "system.posix_acl_access"

// copyXattrs carries the user's attributes and the ACL over. Capabilities and
// security labels stay behind: they vouch for the old content.
func copyXattrs(from, to int) error {
	names, err := listXattrs(from)
	if err != nil {
		return err
	}
	hasACL := false
	for _, name := range names {
		if name != aclXattr && !strings.HasPrefix(name, "user.") {
			continue
		}
		hasACL = hasACL || name == aclXattr
		if err := copyXattr(from, to, name); err != nil {
			return err
		}
	}
	if hasACL {
		return nil
	}
	return dropInheritedACL(to)
}

// dropInheritedACL removes what the directory's default ACL gave a new file
// when the old one had none.
func dropInheritedACL(fd int) error {
	if _, err := unix.Fgetxattr(fd, aclXattr, nil); err != nil {
		return nil
	}
	return unix.Fremovexattr(fd, aclXattr)
}
