package safepath

import (
	"io/fs"
	"os"
)

// windowsFile is an os.File; only the read-only attribute is carried over to a
// new file, which otherwise has the access list its directory gives it.
type windowsFile struct{ *os.File }

func (f *windowsFile) Stat() (Stat, error) { return statFile(f.File) }

func (f *windowsFile) Chmod(perm fs.FileMode) error { return f.File.Chmod(perm.Perm()) }

func (f *windowsFile) CopyAttributes(old Handle) error {
	st, err := old.Stat()
	if err != nil {
		return err
	}
	return f.Chmod(st.Mode)
}
