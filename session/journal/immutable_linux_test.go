package journal_test

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"septet/backend"
	"septet/safepath"
)

// immutable makes a file that nobody may write, root included, until the test
// ends. The flag has the same bit as the attribute that statx shows.
func immutable(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	t.Cleanup(func() {
		unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, 0)
		f.Close()
	})
	if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, unix.STATX_ATTR_IMMUTABLE); err != nil {
		t.Skip("no file can be made immutable here: ", err)
	}
}

// A file that may not be written is met by the plan, not in the middle: the
// files before it stay too.
func TestNothingIsUndoneWhenOneFileMayNotBeWritten(t *testing.T) {
	p := newPlace(t)
	for _, content := range []string{"one\n", "two\n"} {
		for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
			p.write(name, content)
		}
	}
	immutable(t, p.at("b.txt"))
	before := p.tree()
	for _, dry := range []bool{true, false} {
		result, err := p.history.Undo(p.call(""), backend.UndoRequest{Last: 3, DryRun: dry})
		wantCode(t, err, safepath.PermissionDenied)
		if len(result.Undone) > 0 {
			t.Errorf("undone: %v", result.Undone)
		}
	}
	sameTree(t, p.tree(), before)
}
