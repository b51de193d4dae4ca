package backend

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"slices"
	"time"

	"crypto/sha256"

	"septet/safepath"
)

// Files is the one FileSystem: what is local, in memory or elsewhere is the
// Volume below it. It is safe for concurrent use; writers of one file take
// turns only when they use the same Files.
type Files struct {
	volume safepath.Volume
	locks  locks
}

var _ FileSystem = (*Files)(nil)

// NewFiles returns the file system of a volume.
func NewFiles(v safepath.Volume) *Files { return &Files{volume: v} }

// Volume is where paths are resolved.
func (f *Files) Volume() safepath.Volume { return f.volume }

// Open opens a regular file for reading.
func (f *Files) Open(ctx context.Context, p *safepath.CheckedPath) (File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	h, err := safepath.Open(p)
	if err != nil {
		return nil, err
	}
	st, err := h.Stat()
	if err != nil {
		h.Close()
		return nil, &Error{Code: safepath.IOError, Fact: p.String() + ": " + err.Error(), Err: err}
	}
	return openFile{readHandle: h, size: st.Size}, nil
}

// openFile shows the reading half of a handle.
type openFile struct {
	readHandle
	size int64
}

type readHandle interface {
	io.Reader
	io.ReaderAt
	io.Closer
}

func (f openFile) Size() int64 { return f.size }

// Replace gives the file the content that r makes of it.
func (f *Files) Replace(ctx context.Context, p *safepath.CheckedPath, r Replacement) (Change, error) {
	release, err := f.locks.acquire(ctx, safepath.LockKey(p))
	if err != nil {
		return Change{}, err
	}
	defer release()
	before, was, err := readText(p)
	if err != nil {
		return Change{}, err
	}
	after, err := r.Make(Before{Exists: was.Exists, Content: before})
	if err != nil {
		return Change{}, err
	}
	if was.Exists && bytes.Equal(before, after) {
		return unchanged(p, was), nil
	}
	if err := checkContent(p, after); err != nil {
		return Change{}, err
	}
	if err := ctx.Err(); err != nil {
		return Change{}, err
	}
	done, err := safepath.Commit(p, safepath.Replacement{Content: after, Was: was})
	if err != nil {
		return Change{}, err
	}
	return newChange(p, before, after, was, done), nil
}

// readText reads the file as it is now; no file is no error.
func readText(p *safepath.CheckedPath) ([]byte, safepath.Version, error) {
	content, was, err := safepath.ReadVersion(p, MaxTextBytes)
	if safepath.CodeOf(err) == safepath.TooLarge {
		err = tooLargeText(p.String(), safepath.StatOf(p).Size)
	}
	if err == nil && was.Exists {
		err = CheckText(p.String(), content)
	}
	return content, was, err
}

// checkContent refuses what could never be edited or undone again.
func checkContent(p *safepath.CheckedPath, content []byte) error {
	if len(content) > MaxTextBytes {
		return tooLargeText("the new content of "+p.String(), int64(len(content)))
	}
	return CheckText("the new content of "+p.String(), content)
}

func unchanged(p *safepath.CheckedPath, was safepath.Version) Change {
	digest := hex.EncodeToString(was.Digest[:])
	return Change{
		Kind: Unchanged, Path: p.String(), At: time.Now().UTC(),
		BeforeSHA256: digest, AfterSHA256: digest,
		BytesBefore: was.Stat.Size, BytesAfter: was.Stat.Size,
		ModeBefore: was.Stat.Mode.Perm(), ModeAfter: was.Stat.Mode.Perm(),
	}
}

// newChange is the record of a commit that has happened.
func newChange(p *safepath.CheckedPath, before, after []byte, was safepath.Version, done safepath.Committed) Change {
	digest := sha256.Sum256(after)
	c := Change{
		ID: rand.Text(), Kind: Created, Path: p.String(), At: time.Now().UTC(),
		AfterSHA256: hex.EncodeToString(digest[:]),
		BytesBefore: int64(len(before)), BytesAfter: int64(len(after)),
		ModeBefore: done.ModeBefore, ModeAfter: done.ModeAfter,
		NonAtomic: done.NonAtomic, ReplaceWindow: done.ReplaceWindow, HardLinks: done.HardLinks,
		DroppedSetID: done.DroppedSetID, ParentMoved: done.ParentMoved,
	}
	if was.Exists {
		c.Kind = Modified
		c.BeforeSHA256 = hex.EncodeToString(was.Digest[:])
	}
	c.Hunks, c.Added, c.Removed = diffLines(string(before), string(after))
	return c
}

// Stat describes the path as it was when it was checked.
func (f *Files) Stat(ctx context.Context, p *safepath.CheckedPath) (Info, error) {
	if err := ctx.Err(); err != nil {
		return Info{}, err
	}
	st := safepath.StatOf(p)
	if st.Kind == safepath.KindUnknown {
		return Info{}, &Error{Code: safepath.NotFound, Fact: p.String() + " does not exist"}
	}
	return Info{Name: p.String(), Kind: st.Kind, Size: st.Size, Mode: st.Mode.Perm()}, nil
}

// ReadDir returns one page of a directory. Only the names on the page are
// looked at.
func (f *Files) ReadDir(ctx context.Context, p *safepath.CheckedPath, offset, limit int) (Page, error) {
	d, err := safepath.OpenDir(p)
	if err != nil {
		return Page{}, err
	}
	defer d.Close()
	entries, err := d.ReadNames()
	if err != nil {
		return Page{}, err
	}
	slices.SortFunc(entries, func(a, b safepath.Entry) int { return cmp.Compare(a.Name, b.Name) })
	page := Page{Total: len(entries)}
	start := min(offset, len(entries))
	for _, e := range entries[start:min(start+limit, len(entries))] {
		if err := ctx.Err(); err != nil {
			return Page{}, err
		}
		page.Entries = append(page.Entries, describe(d, e))
	}
	return page, nil
}

// describe looks at one name. One that is gone or closed to us keeps the kind
// that the directory told.
func describe(d safepath.Dir, e safepath.Entry) Info {
	info := Info{Name: e.Name, Kind: e.Kind}
	st, err := d.Lookup(e.Name)
	if err != nil {
		return info
	}
	info.Kind, info.Mode = st.Kind, st.Mode.Perm()
	switch st.Kind {
	case safepath.KindFile:
		info.Size = st.Size
	case safepath.KindSymlink:
		info.Target, _ = d.Readlink(e.Name) // gone meanwhile: shown without target
	}
	return info
}
