package machine

import (
	"os"

	"golang.org/x/sys/windows"
)

// OpenFiles is 0: there is no such limit.
func OpenFiles() uint64 { return 0 }

// Writable is nil: only an attempt to write tells.
func Writable(string) error { return nil }

// Readable is nil: only an attempt to read tells.
func Readable(string) error { return nil }

// Columns is the width of a console window; 0 when it does not tell.
func Columns(terminal *os.File) int {
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(windows.Handle(terminal.Fd()), &info) != nil {
		return 0
	}
	return int(info.Window.Right) - int(info.Window.Left) + 1
}
