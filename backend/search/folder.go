package search

import (
	"io"

	"septet/backend/search/raw"
	"septet/safepath"
)

// folder is what a search needs of an open directory. Like a safepath.Dir it
// follows no link and opens regular files only.
type folder interface {
	// ReadNames adds the names to entries, in no order. It may be called once;
	// buf is only used meanwhile.
	ReadNames(buf []byte, entries []safepath.Entry) ([]safepath.Entry, error)
	Kind(name string) safepath.Kind
	enter(name string) (folder, error)
	open(name string) (file, error)
	Close() error
}

// file is an open regular file. ReadAt may be called from several goroutines,
// as io.ReaderAt says.
type file interface {
	io.ReaderAt
	io.Closer
	Size() int64 // bytes when it was opened
}

// openFolder chooses the way to read below d, which stays open as long as the
// folder.
func openFolder(d safepath.Dir) (folder, error) {
	in, ok, err := raw.Open(d)
	if ok || err != nil {
		return rawFolder{in}, err
	}
	return heldFolder{dir: d, borrowed: true}, nil
}

// rawFolder reads with system calls of its own.
type rawFolder struct{ *raw.Dir }

func (f rawFolder) enter(name string) (folder, error) {
	in, err := f.OpenDir(name)
	return rawFolder{in}, err
}

func (f rawFolder) open(name string) (file, error) {
	in, err := f.OpenFile(name)
	if err != nil {
		return nil, err
	}
	return in, nil
}

// heldFolder reads through safepath: any volume.
type heldFolder struct {
	dir      safepath.Dir
	borrowed bool // somebody else closes it
}

func (f heldFolder) ReadNames(_ []byte, entries []safepath.Entry) ([]safepath.Entry, error) {
	names, err := f.dir.ReadNames()
	return append(entries, names...), err
}

func (f heldFolder) Kind(name string) safepath.Kind {
	st, err := f.dir.Lookup(name)
	if err != nil {
		return safepath.KindUnknown
	}
	return st.Kind
}

func (f heldFolder) enter(name string) (folder, error) {
	in, err := f.dir.OpenDir(name)
	return heldFolder{dir: in}, err
}

func (f heldFolder) open(name string) (file, error) {
	h, err := f.dir.OpenFile(name)
	if err != nil {
		return nil, err
	}
	st, err := h.Stat()
	if err != nil {
		h.Close()
		return nil, err
	}
	return heldFile{h, st.Size}, nil
}

func (f heldFolder) Close() error {
	if f.borrowed {
		return nil
	}
	return f.dir.Close()
}

type heldFile struct {
	safepath.Handle
	size int64
}

func (f heldFile) Size() int64 { return f.size }
