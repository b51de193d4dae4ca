//go:build unix

package search

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOddTrees: what cannot be read is counted, what is no file is passed
// over, and nothing is followed or waited for.
func TestOddTrees(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("running as root: nothing is unreadable")
	}
	w := newWorld(t, "a=x", "closed/b=x", "locked=x", "outside->/etc", "up->..", "loop->loop")
	w.must(syscall.Mkfifo(filepath.Join(w.root, "pipe"), 0o644))
	w.must(os.Chmod(filepath.Join(w.root, "locked"), 0))
	w.must(os.Chmod(filepath.Join(w.root, "closed"), 0))
	t.Cleanup(func() { os.Chmod(filepath.Join(w.root, "closed"), 0o755) })
	r := w.grep(".", "x", filesMode)
	if os.Getuid() != 0 && (shown(r) != "a" || r.Summary.Unreadable != 2) {
		t.Errorf("got %s %+v", shown(r), r.Summary)
	}
	if os.Getuid() == 0 && shown(r) != "a closed/b locked" {
		t.Errorf("got %s", shown(r))
	}
	if got := strings.Join(w.glob(".", "*").Paths, " "); got != "a locked loop outside up" {
		t.Errorf("got %s", got)
	}
}
