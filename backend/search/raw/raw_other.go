//go:build !linux

package raw

import (
	"io"

	"septet/safepath"
)

// Dir does not exist here.
type Dir struct{}

// File does not exist here.
type File struct{}

// Open says that there is no such way here.
func Open(safepath.Dir) (*Dir, bool, error) { return nil, false, nil }

func (*Dir) OpenDir(string) (*Dir, error)   { panic("unreachable") }
func (*Dir) OpenFile(string) (*File, error) { panic("unreachable") }
func (*Dir) Kind(string) safepath.Kind      { panic("unreachable") }
func (*Dir) ReadNames([]byte, []safepath.Entry) ([]safepath.Entry, error) {
	panic("unreachable")
}
func (*Dir) Close() error                       { panic("unreachable") }
func (*File) ReadAt([]byte, int64) (int, error) { panic("unreachable") }
func (*File) Size() int64                       { panic("unreachable") }
func (*File) Close() error                      { panic("unreachable") }

var _ io.ReaderAt = (*File)(nil)
