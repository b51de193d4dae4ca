package journal

import (
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"septet/backend"
)

func TestFailuresAreExplained(t *testing.T) {
	s := New(Config{State: "/state", Workspace: "/w"})
	for _, tt := range []struct {
		err   error
		words string
	}{
		{syscall.ENOLCK, "no locks"},
		{syscall.EOPNOTSUPP, "no locks"},
		{&fs.PathError{Op: "flock", Path: "lock", Err: syscall.ENOSYS}, "no locks"},
		{syscall.EDQUOT, "full"},
		{syscall.ENOSPC, "full"},
		{syscall.EROFS, "cannot be written"},
		{damageError{"it was emptied"}, "emptied"},
	} {
		told := s.failure("open", tt.err).(*backend.Error)
		if !strings.Contains(told.Fact, tt.words) || told.Hint == "" || told.Code != backend.JournalFailed {
			t.Errorf("%v: %q, hint %q", tt.err, told.Fact, told.Hint)
		}
	}
}
