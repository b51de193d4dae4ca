package safepath

import (
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// OS returns the machine's file system.
func OS() Volume { return windowsVolume{} }

type windowsVolume struct{}

// Lstat opens the name without asking for access and without following it.
func (windowsVolume) Lstat(abs string) (Stat, error) {
	info, err := os.Lstat(abs)
	if err != nil {
		return Stat{}, err
	}
	if kind := kindOf(info.Mode()); kind != KindFile && kind != KindDirectory {
		return Stat{Kind: kind}, nil
	}
	name, err := windows.UTF16PtrFromString(abs)
	if err != nil {
		return Stat{}, err
	}
	h, err := windows.CreateFile(name, 0, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil,
		windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return Stat{}, &fs.PathError{Op: "lstat", Path: abs, Err: err}
	}
	defer windows.CloseHandle(h)
	return statHandle(h, info)
}

// Readlink also reads junctions.
func (windowsVolume) Readlink(abs string) (string, error) { return os.Readlink(abs) }

func (windowsVolume) OpenRoot(abs string) (Dir, error) {
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, err
	}
	return &windowsDir{root: root}, nil
}

// statHandle adds the identity, which the standard library keeps to itself.
func statHandle(h windows.Handle, info fs.FileInfo) (Stat, error) {
	var d windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &d); err != nil {
		return Stat{}, &fs.PathError{Op: "stat", Path: info.Name(), Err: err}
	}
	return Stat{
		ID:      FileID{Device: uint64(d.VolumeSerialNumber), Inode: uint64(d.FileIndexHigh)<<32 | uint64(d.FileIndexLow)},
		Kind:    kindOf(info.Mode()),
		Size:    info.Size(),
		Mode:    info.Mode().Perm(),
		ModTime: time.Unix(0, d.LastWriteTime.Nanoseconds()),
		Links:   uint64(d.NumberOfLinks),
	}, nil
}

// kindOf takes every reparse point that leads elsewhere for a link; junctions
// are irregular to the standard library.
func kindOf(mode fs.FileMode) Kind {
	switch {
	case mode&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		return KindSymlink
	case mode.IsDir():
		return KindDirectory
	case mode.IsRegular():
		return KindFile
	}
	return KindOther
}
