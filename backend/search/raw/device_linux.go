package raw

import (
	"io/fs"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"septet/safepath"
)

const (
	directoryFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	// resolveCached is RESOLVE_CACHED of Linux 5.12, which package unix lacks.
	resolveCached = 0x20

	fileFlags = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC
)

// device is what is known about a file system.
type device struct {
	id     uint64
	pseudo bool // not made of stored bytes
	local  bool // a call that finds what it needs in memory does not wait for anybody
	// Set when the kernel or the file system cannot answer without blocking:
	// asking again each time would cost a call.
	noCachedOpen  atomic.Bool
	noCachedReads atomic.Bool
}

// newDevice asks about the file system that fd is on.
func newDevice(fd int, id uint64) *device {
	d := &device{id: id}
	var s unix.Statfs_t
	if err := unix.Fstatfs(fd, &s); err != nil {
		return d
	}
	switch uint32(s.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC:
		d.local = true
	case unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, unix.DEBUGFS_MAGIC, unix.TRACEFS_MAGIC,
		unix.SECURITYFS_MAGIC, unix.CGROUP_SUPER_MAGIC, unix.CGROUP2_SUPER_MAGIC, unix.BPF_FS_MAGIC,
		unix.PSTOREFS_MAGIC, unix.EFIVARFS_MAGIC, unix.SELINUX_MAGIC:
		d.pseudo = true
	}
	return d
}

// of returns the device of the file fd, which d may be.
func (d *device) of(fd int, st *unix.Stat_t) *device {
	if d == nil || d.id != uint64(st.Dev) {
		return newDevice(fd, uint64(st.Dev))
	}
	return d
}

// open opens a name in the directory. here tells that it is on the directory's
// own mount, so that the calls about it do not wait for anybody either.
func (d *Dir) open(name string, flags int) (fd int, here bool, err error) {
	if d.device.local && !d.device.noCachedOpen.Load() {
		fd, errno := openCached(d.fd, name, flags)
		if errno == 0 {
			return fd, true, nil
		}
		if errno == unix.ENOSYS || errno == unix.EINVAL || errno == unix.EPERM {
			d.device.noCachedOpen.Store(true)
		}
	}
	fd, err = openOrdinary(d.fd, name, flags)
	switch err {
	case nil:
		return fd, false, nil
	case unix.ELOOP, unix.ENOTDIR, unix.ENXIO, unix.ENODEV:
		// A link, or something else, is now where the listing saw another thing.
		return -1, false, &safepath.Error{Code: safepath.NotRegularFile, Fact: safepath.Escape(name) + " was replaced", Err: err}
	}
	return -1, false, &fs.PathError{Op: "open", Path: name, Err: err}
}

func openOrdinary(dir int, name string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(dir, name, flags, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// openCached opens only what is in memory and on the same mount: the kernel
// says EAGAIN before it would wait, and EXDEV before it asks what may be a dead
// server. RESOLVE_BENEATH would add nothing for one name that is no link, and
// makes the kernel take the lock of all mounts.
func openCached(dir int, name string, flags int) (int, unix.Errno) {
	var path [256]byte
	if len(name) >= len(path) {
		return -1, unix.EAGAIN
	}
	copy(path[:], name)
	how := unix.OpenHow{Flags: uint64(flags), Resolve: resolveCached | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_XDEV}
	fd, _, err := unix.RawSyscall6(unix.SYS_OPENAT2, uintptr(dir), uintptr(unsafe.Pointer(&path)), uintptr(unsafe.Pointer(&how)), unsafe.Sizeof(how), 0, 0)
	return int(fd), err
}

// fstat asks about a file; here as open says it.
func fstat(fd int, here bool, st *unix.Stat_t) error {
	if !here {
		return unix.Fstat(fd, st)
	}
	if _, _, err := unix.RawSyscall(unix.SYS_FSTAT, uintptr(fd), uintptr(unsafe.Pointer(st)), 0); err != 0 {
		return err
	}
	return nil
}

// close closes something on the device.
func (d *device) close(fd int) error {
	if !d.local {
		return unix.Close(fd)
	}
	if _, _, err := unix.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0); err != 0 {
		return err
	}
	return nil
}

// pread reads what is in memory, and waits only when nothing is.
func (d *device) pread(fd int, b []byte, off int64) (int, error) {
	if d.local && !d.noCachedReads.Load() {
		v := unix.Iovec{Base: &b[0]}
		v.SetLen(len(b))
		n, _, err := unix.RawSyscall6(unix.SYS_PREADV2, uintptr(fd), uintptr(unsafe.Pointer(&v)), 1, uintptr(off), 0, unix.RWF_NOWAIT)
		if err == 0 && n > 0 {
			return int(n), nil
		}
		d.noCachedReads.CompareAndSwap(false, err == unix.EOPNOTSUPP || err == unix.ENOSYS || err == unix.EINVAL)
	}
	for {
		n, err := unix.Pread(fd, b, off)
		if err != unix.EINTR {
			return n, err
		}
	}
}
