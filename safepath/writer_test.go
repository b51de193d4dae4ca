//go:build linux

package safepath_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"septet/safepath"
)

// openToWrite opens a file as a program that is about to save into it.
func openToWrite(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// A program that has opened the file before the exchange, and writes after it.
func TestOpenedForWritingJustBeforeTheExchange(t *testing.T) {
	w := newWorld(t, "f x=1")
	var theirs *os.File
	w.limit(nil).before = func(n int, _ safepath.RenameMode) {
		if n == 1 {
			theirs = openToWrite(t, w.ws+"/x")
		}
	}
	_, err := w.write("x", "mine")
	wantCode(t, err, safepath.Stale)
	if _, err := theirs.WriteString("theirs"); err != nil {
		t.Fatal(err)
	}
	w.wantContent("x", "theirs")
}

// A program that opened our file while it stood in the place of another's.
func TestOurFileOpenedBeforeItIsTakenBack(t *testing.T) {
	for name, early := range map[string]bool{"written already": true, "written later": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "f x=1")
			var third *os.File
			write := func() {
				if _, err := third.WriteAt([]byte("third"), 0); err != nil {
					t.Fatal(err)
				}
			}
			w.limit(nil).before = func(n int, _ safepath.RenameMode) {
				switch n {
				case 1:
					replaceFile(t, w.ws+"/x", "second")
				case 2:
					third = openToWrite(t, w.ws+"/x")
					if early {
						write()
						third.Close()
					}
				}
			}
			_, err := w.write("x", "mine.")
			wantCode(t, err, safepath.Stale)
			if !early {
				write()
			}
			w.wantContent("x", "third")
			kept, _ := filepath.Glob(w.ws + "/x.conflict-*")
			if len(kept) != 1 {
				t.Fatalf("kept %v", kept)
			}
			w.wantContent(kept[0], "second")
		})
	}
}

// A save under way is waited for, and then seen.
func TestSaveUnderWay(t *testing.T) {
	w := newWorld(t, "f x=1")
	p := w.mustResolve("x", safepath.Write, safepath.File)
	f := openToWrite(t, w.ws+"/x")
	if err := f.Truncate(0); err != nil {
		t.Fatal(err)
	}
	_, was, err := safepath.ReadVersion(p, readLimit) // empty, as the save left it
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		f.WriteString("saved")
		f.Close()
	}()
	_, err = safepath.Commit(p, safepath.Replacement{Content: []byte("mine"), Was: was})
	wantCode(t, err, safepath.Stale)
	w.wantContent("x", "saved")
}

// A program that keeps a file open without writing is no reason to refuse.
func TestFileThatIsKeptOpen(t *testing.T) {
	w := newWorld(t, "f log=1")
	openToWrite(t, w.ws+"/log")
	old := time.Now().Add(-2 * safepath.WriterIdle)
	if err := os.Chtimes(w.ws+"/log", old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := w.write("log", "2"); err != nil {
		t.Fatal(err)
	}
	w.wantContent("log", "2")
}
