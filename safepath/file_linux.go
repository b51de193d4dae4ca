package safepath

import "golang.org/x/sys/unix"

// openForWriting asks for a read lease, which the kernel gives only when
// nobody has the file open for writing, and returns it at once. The file must
// be open for reading only. File systems without leases, and files of other
// users, answer false.
func (f *unixFile) openForWriting() bool {
	_, err := unix.FcntlInt(uintptr(f.fd), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		unix.FcntlInt(uintptr(f.fd), unix.F_SETLEASE, unix.F_UNLCK)
	}
	return err == unix.EAGAIN
}
