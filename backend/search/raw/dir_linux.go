package raw

import (
	"encoding/binary"
	"io/fs"
	"math"
	"strings"

	"golang.org/x/sys/unix"

	"septet/safepath"
)

// errClosed refuses a directory that nothing may enter.
var errClosed = &safepath.Error{Code: safepath.OutsideRoots, Fact: "the directory is closed to every access"}

// Dir is an open directory. It is safe for concurrent use; the last user
// closes it.
type Dir struct {
	fd     int
	closed safepath.FileID // must not be entered; zero when there is none
	device *device
}

// Open opens a directory that safepath holds; false when it has no descriptor.
func Open(d safepath.Dir) (*Dir, bool, error) {
	held, ok := safepath.Descriptor(d)
	if !ok {
		return nil, false, nil
	}
	fd, err := openOrdinary(held, ".", directoryFlags)
	if err != nil {
		return nil, true, &fs.PathError{Op: "open", Path: ".", Err: err}
	}
	in := &Dir{fd: fd, closed: safepath.ClosedDir(d)}
	return in, true, in.identify(nil)
}

// OpenDir opens the directory name.
func (d *Dir) OpenDir(name string) (*Dir, error) {
	fd, here, err := d.open(name, directoryFlags)
	if err != nil {
		return nil, err
	}
	in := &Dir{fd: fd, closed: d.closed}
	if here {
		in.device = d.device
	}
	return in, in.identify(d.device)
}

// identify learns which file system the directory is on, unless that is known.
// It closes a directory that must not be entered.
func (d *Dir) identify(parent *device) error {
	if d.device != nil && d.closed == (safepath.FileID{}) {
		return nil
	}
	var st unix.Stat_t
	err := fstat(d.fd, d.device != nil, &st)
	if err == nil && d.closed != (safepath.FileID{}) && d.closed == (safepath.FileID{Device: uint64(st.Dev), Inode: st.Ino}) {
		err = errClosed
	}
	if err != nil {
		unix.Close(d.fd)
		return err
	}
	if d.device == nil {
		d.device = parent.of(d.fd, &st)
	}
	return nil
}

// Close closes the descriptor.
func (d *Dir) Close() error { return d.device.close(d.fd) }

// Kind looks at one name.
func (d *Dir) Kind(name string) safepath.Kind {
	var st unix.Stat_t
	if err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return safepath.KindUnknown
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return safepath.KindFile
	case unix.S_IFDIR:
		return safepath.KindDirectory
	case unix.S_IFLNK:
		return safepath.KindSymlink
	}
	return safepath.KindOther
}

// ReadNames adds all names but "." and ".." to entries, in no order. It may be
// called once. buf, of a few KiB at least, is only used meanwhile.
func (d *Dir) ReadNames(buf []byte, entries []safepath.Entry) ([]safepath.Entry, error) {
	for {
		n, err := unix.ReadDirent(d.fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: ".", Err: err}
		}
		if n <= 0 {
			return entries, nil
		}
		var next int64
		if entries, next = parse(entries, string(buf[:n])); next == endOfDirectory && d.device.local {
			return entries, nil
		}
	}
}

// endOfDirectory is the position that file systems with positions of 64 bits
// give to the end: nothing can lie behind it, and asking again costs a call.
const endOfDirectory = math.MaxInt64

// parse takes the records that getdents64 gives: inode and position behind it
// of eight bytes each, length of two, kind of one, the name up to a NUL. The
// names share the memory of all records: one allocation for a directory. next
// is the position behind the last record.
func parse(entries []safepath.Entry, records string) (all []safepath.Entry, next int64) {
	const header = 19
	for len(records) > header {
		length := int(binary.NativeEndian.Uint16([]byte(records[16:18])))
		if length <= header || length > len(records) {
			break
		}
		next = int64(binary.NativeEndian.Uint64([]byte(records[8:16])))
		name := records[header:length]
		if end := strings.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		if name != "." && name != ".." {
			entries = append(entries, safepath.Entry{Name: name, Kind: kindOf(records[18])})
		}
		records = records[length:]
	}
	return entries, next
}

func kindOf(kind byte) safepath.Kind {
	switch kind {
	case unix.DT_REG:
		return safepath.KindFile
	case unix.DT_DIR:
		return safepath.KindDirectory
	case unix.DT_LNK:
		return safepath.KindSymlink
	case unix.DT_UNKNOWN:
		return safepath.KindUnknown
	}
	return safepath.KindOther
}
