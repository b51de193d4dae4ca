package local

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"septet/backend"
)

const (
	// maxSpillAge and maxSpillTotalBytes bound what long output leaves on the
	// disk: a week is longer than anyone looks back, and 1 GiB is sixteen
	// streams of the greatest size.
	maxSpillAge        = 7 * 24 * time.Hour
	maxSpillTotalBytes = 1 << 30
	// maxSpillNameBytes leaves room in a file name for a suffix.
	maxSpillNameBytes = 100
)

// spill keeps a stream whole in a file once it is too long to be sure to be
// shown. A failure ends the keeping and nothing else. The nil *spill keeps
// nothing. It is not safe for concurrent use.
type spill struct {
	dir     string // absolute; made when needed
	name    string // of the file, without a folder
	pending []byte // what came before the file was opened
	file    *os.File
	path    string
	written int64
	failed  bool
}

// newSpill returns nil when there is nowhere to keep anything.
func newSpill(dir, callID, suffix string) *spill {
	if dir == "" || callID == "" {
		return nil
	}
	return &spill{dir: dir, name: spillName(callID) + suffix}
}

// spillName makes a file name of a call's id, which a host may have chosen:
// no separators, no leading dot.
func spillName(id string) string {
	var b strings.Builder
	for _, c := range []byte(id) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02x", c)
		}
		if b.Len() >= maxSpillNameBytes {
			break
		}
	}
	return b.String()
}

// write takes the next bytes of the stream.
func (s *spill) write(b []byte) {
	if s == nil || s.failed {
		return
	}
	if s.file == nil && len(s.pending)+len(b) <= backend.MaxInlineBytes {
		s.pending = append(s.pending, b...)
		return
	}
	s.flush()
	s.put(b)
}

// flush opens the file and writes what came before.
func (s *spill) flush() {
	if s.file != nil || s.failed {
		return
	}
	if err := s.open(); err != nil {
		s.failed = true
		return
	}
	s.put(s.pending)
	s.pending = nil
}

func (s *spill) put(b []byte) {
	if s.failed {
		return
	}
	b = b[:min(int64(len(b)), backend.MaxSpillBytes-s.written)]
	if len(b) == 0 {
		return
	}
	n, err := s.file.Write(b)
	s.written += int64(n)
	if err != nil {
		s.discard()
	}
}

// open makes a new file: never an existing one, and never through a link that
// somebody put there.
func (s *spill) open() error {
	prune(filepath.Dir(s.dir), time.Now())
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	for n := 1; ; n++ {
		path := filepath.Join(s.dir, s.name)
		if n > 1 {
			path = filepath.Join(s.dir, fmt.Sprintf("%d-%s", n, s.name))
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if os.IsExist(err) && n < 1000 {
			continue
		}
		s.file, s.path = file, path
		return err
	}
}

// settle decides, when the stream is described, whether its file is needed,
// and returns the path, or "".
func (s *spill) settle(needed bool) string {
	if s == nil {
		return ""
	}
	if !needed {
		s.discard()
		return ""
	}
	s.flush()
	if s.failed {
		return ""
	}
	return s.path
}

// discard removes the file and ends the keeping.
func (s *spill) discard() {
	s.failed, s.pending = true, nil
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.path)
		s.file = nil
	}
}

// close ends the keeping.
func (s *spill) close() {
	if s != nil && s.file != nil {
		_ = s.file.Close()
		s.file, s.failed = nil, true
	}
}

// prune removes the files that are too old, and the oldest while all together
// are too large, from the folders of all sessions in root. Failures leave
// files for the next time.
func prune(root string, now time.Time) {
	files := spillFiles(root)
	var total int64
	for _, f := range files {
		total += f.size
	}
	sort.Slice(files, func(i, j int) bool { return files[i].changed.Before(files[j].changed) })
	for _, f := range files {
		if now.Sub(f.changed) <= maxSpillAge && total <= maxSpillTotalBytes {
			return
		}
		if os.Remove(f.path) == nil {
			total -= f.size
			_ = os.Remove(filepath.Dir(f.path)) // only when it is empty
		}
	}
}

// spillFile is one kept stream on the disk.
type spillFile struct {
	path    string
	size    int64
	changed time.Time
}

// spillFiles lists what all sessions keep. Anything that is not a file of ours
// is left out, so that it is never removed.
func spillFiles(root string) []spillFile {
	var files []spillFile
	sessions, _ := os.ReadDir(root)
	for _, session := range sessions {
		dir := filepath.Join(root, session.Name())
		entries, _ := os.ReadDir(dir) // nothing for a plain file
		for _, e := range entries {
			info, err := e.Info()
			if err == nil && info.Mode().IsRegular() && isSpillName(e.Name()) {
				files = append(files, spillFile{filepath.Join(dir, e.Name()), info.Size(), info.ModTime()})
			}
		}
	}
	return files
}

func isSpillName(name string) bool {
	return strings.HasSuffix(name, spillOut) || strings.HasSuffix(name, spillErr)
}

// The file name suffixes of the two streams.
const (
	spillOut = ".out"
	spillErr = ".err"
)
