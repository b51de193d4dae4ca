package backendtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"septet/backend"
	"septet/safepath"
)

// TestFileSystem runs the suite; open makes a fresh place.
func TestFileSystem(t *testing.T, open func(*testing.T) Place) {
	for _, tt := range []struct {
		name string
		run  func(*testing.T, Place)
	}{
		{"create", testCreate},
		{"modify", testModify},
		{"unchanged", testUnchanged},
		{"a refusal of the maker", testMakeFails},
		{"old content that is no text", testOldContent},
		{"new content that is no text", testNewContent},
		{"links", testLinks},
		{"mode", testMode},
		{"delete", testDelete},
		{"wrong paths", testWrongPaths},
		{"open", testOpen},
		{"open refuses", testOpenRefuses},
		{"directory", testReadDir},
		{"odd names", testOddNames},
		{"stat", testStat},
		{"changed meanwhile", testChangedMeanwhile},
		{"parallel edits", testParallelEdits},
		{"parallel creation", testParallelCreation},
		{"cancelled while waiting", testCancelledWaiting},
		{"one file by two paths", testTwoPaths},
		{"another writer", testAnotherWriter},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, open(t)) })
	}
}

func digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

func testCreate(t *testing.T, p Place) {
	check(t, p.Outside.WriteFile(p.abs("plain"), "", 0o666))
	plain, err := p.Files.Volume().Lstat(p.abs("plain")) // its mode is what the umask leaves
	check(t, err)
	var seen backend.Before
	change, err := p.Files.Replace(t.Context(), p.target(t, "a/b/new.txt"), backend.Replacement{
		Make: func(b backend.Before) ([]byte, error) { seen = b; return []byte("one\ntwo"), nil },
	})
	check(t, err)
	if seen.Exists || seen.Content != nil {
		t.Errorf("the maker saw %+v", seen)
	}
	if change.ID == "" || change.At.IsZero() || change.At.Location().String() != "UTC" {
		t.Errorf("id %q at %v", change.ID, change.At)
	}
	change.ID, change.At, change.Path = "", change.At.Truncate(1<<62), ""
	want := backend.Change{
		Kind: backend.Created, Added: 2, AfterSHA256: digest("one\ntwo"), BytesAfter: 7, ModeAfter: plain.Mode, MadeParents: 2,
		Hunks: []backend.Hunk{{NewStart: 1, NewLines: 2, Lines: []string{"+one", "+two", `\ No newline at end of file`}}},
	}
	want.At = change.At
	if !reflect.DeepEqual(change, want) {
		t.Errorf("got  %+v\nwant %+v", change, want)
	}
	p.holds(t, "a/b/new.txt", "one\ntwo")
	p.names(t, "a/b", "new.txt")
}

func testModify(t *testing.T, p Place) {
	p.put(t, "f", "1\n2\n3\n")
	change, err := p.Files.Replace(t.Context(), p.target(t, "f"), backend.Replacement{
		Make: func(b backend.Before) ([]byte, error) {
			return []byte(strings.Replace(string(b.Content), "2", "two", 1)), nil
		},
	})
	check(t, err)
	want := backend.Change{
		ID: change.ID, At: change.At, Path: change.Path,
		Kind: backend.Modified, Added: 1, Removed: 1,
		BeforeSHA256: digest("1\n2\n3\n"), AfterSHA256: digest("1\ntwo\n3\n"),
		BytesBefore: 6, BytesAfter: 8, ModeBefore: 0o644, ModeAfter: 0o644,
		Hunks: []backend.Hunk{{OldStart: 1, OldLines: 3, NewStart: 1, NewLines: 3, Lines: []string{" 1", "-2", "+two", " 3"}}},
	}
	if !reflect.DeepEqual(change, want) {
		t.Errorf("got  %+v\nwant %+v", change, want)
	}
	p.holds(t, "f", "1\ntwo\n3\n")
	p.names(t, ".", "f")
}

func testUnchanged(t *testing.T, p Place) {
	p.put(t, "f", "same")
	before := safepath.StatOf(p.target(t, "f"))
	change, err := p.Files.Replace(t.Context(), p.target(t, "f"), becomes("same"))
	check(t, err)
	after := safepath.StatOf(p.target(t, "f"))
	if change.Kind != backend.Unchanged || change.ID != "" || change.AfterSHA256 != digest("same") {
		t.Errorf("change %+v", change)
	}
	if before.ID != after.ID || !before.ModTime.Equal(after.ModTime) {
		t.Errorf("the file was touched: %+v -> %+v", before, after)
	}
}

func testMakeFails(t *testing.T, p Place) {
	p.put(t, "f", "old")
	refusal := errors.New("no")
	fails := backend.Replacement{Make: func(backend.Before) ([]byte, error) { return []byte("new"), refusal }}
	for _, name := range []string{"f", "dir/new"} {
		if _, err := p.Files.Replace(t.Context(), p.target(t, name), fails); !errors.Is(err, refusal) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	p.holds(t, "f", "old")
	p.names(t, ".", "f")
}

func testOldContent(t *testing.T, p Place) {
	never := backend.Replacement{Make: func(backend.Before) ([]byte, error) {
		t.Error("the maker was asked")
		return []byte("new"), nil
	}}
	for _, tt := range []struct {
		name, content string
		code          safepath.Code
	}{
		{"nul", "a\x00b", backend.Binary},
		{"late-nul", strings.Repeat("x", 20000) + "\x00", backend.Binary},
		{"latin1", "caf\xe9", backend.InvalidUTF8},
		{"utf16", "\xff\xfea\x00", backend.InvalidUTF8},
		{"large", strings.Repeat("x", backend.MaxTextBytes+1), safepath.TooLarge},
	} {
		p.put(t, tt.name, tt.content)
		_, err := p.Files.Replace(t.Context(), p.target(t, tt.name), never)
		refused(t, err, tt.code, tt.name)
		p.holds(t, tt.name, tt.content)
	}
	p.put(t, "limit", strings.Repeat("x", backend.MaxTextBytes))
	_, err := p.Files.Replace(t.Context(), p.target(t, "limit"), becomes("small"))
	check(t, err)
	p.names(t, ".", "large", "late-nul", "latin1", "limit", "nul", "utf16")
}

func testNewContent(t *testing.T, p Place) {
	p.put(t, "f", "old")
	for _, tt := range []struct {
		content string
		code    safepath.Code
	}{
		{"a\x00b", backend.Binary},
		{"caf\xe9", backend.InvalidUTF8},
		{strings.Repeat("x", backend.MaxTextBytes+1), safepath.TooLarge},
	} {
		for _, name := range []string{"f", "dir/new"} {
			_, err := p.Files.Replace(t.Context(), p.target(t, name), becomes(tt.content))
			refused(t, err, tt.code, name)
		}
	}
	p.holds(t, "f", "old")
	p.names(t, ".", "f")
}

func testLinks(t *testing.T, p Place) {
	p.put(t, "dir/target", "old")
	check(t, p.Outside.Symlink("dir/target", p.abs("link")))
	check(t, p.Outside.Link(p.abs("dir/target"), p.abs("other")))
	change, err := p.Files.Replace(t.Context(), p.target(t, "link"), becomes("new"))
	check(t, err)
	if change.HardLinks != 1 {
		t.Errorf("hard links %d, want 1", change.HardLinks)
	}
	p.holds(t, "dir/target", "new")
	p.holds(t, "link", "new")
	p.holds(t, "other", "old")
	if st, err := p.Files.Volume().Lstat(p.abs("link")); err != nil || st.Kind != safepath.KindSymlink {
		t.Errorf("the link became %+v (%v)", st, err)
	}
}

func testMode(t *testing.T, p Place) {
	for _, tt := range []struct {
		mode    fs.FileMode
		dropped bool
	}{{0o600, false}, {0o755, false}, {0o755 | fs.ModeSetuid, true}} {
		p.put(t, "f", "old")
		check(t, p.Outside.Chmod(p.abs("f"), tt.mode))
		change, err := p.Files.Replace(t.Context(), p.target(t, "f"), becomes("new"))
		check(t, err)
		st, err := p.Files.Volume().Lstat(p.abs("f"))
		check(t, err)
		if st.Mode != tt.mode.Perm() || change.ModeAfter.Perm() != tt.mode.Perm() || change.DroppedSetID != tt.dropped {
			t.Errorf("mode %v became %v, told %v, dropped %t", tt.mode, st.Mode, change.ModeAfter, change.DroppedSetID)
		}
		check(t, p.Outside.RemoveAll(p.abs("f")))
	}
}

func testDelete(t *testing.T, p Place) {
	p.put(t, "dir/f", "1\n2\n")
	var seen backend.Before
	deletes := backend.Replacement{Delete: true, Make: func(b backend.Before) ([]byte, error) { seen = b; return nil, nil }}
	change, err := p.Files.Replace(t.Context(), p.target(t, "dir/f"), deletes)
	check(t, err)
	want := backend.Change{
		ID: change.ID, At: change.At, Path: change.Path,
		Kind: backend.Deleted, Removed: 2, BeforeSHA256: digest("1\n2\n"), BytesBefore: 4, ModeBefore: 0o644,
		Hunks: []backend.Hunk{{OldStart: 1, OldLines: 2, Lines: []string{"-1", "-2"}}},
	}
	if !reflect.DeepEqual(change, want) || string(seen.Content) != "1\n2\n" || seen.Mode != 0o644 {
		t.Errorf("seen %+v\ngot  %+v\nwant %+v", seen, change, want)
	}
	p.names(t, "dir")
	change, err = p.Files.Replace(t.Context(), p.target(t, "dir/f"), deletes)
	if err != nil || change.Kind != backend.Unchanged || seen.Exists {
		t.Errorf("deleting nothing gave %+v, %v", change, err)
	}
	change, err = p.Files.Replace(t.Context(), p.target(t, "dir/f"), backend.Replacement{Make: becomes("x").Make, Mode: 0o666})
	if err != nil || change.ModeAfter != 0o666 {
		t.Errorf("a file created with a mode gave %+v, %v", change, err)
	}
}

func testWrongPaths(t *testing.T, p Place) {
	p.put(t, "f", "old")
	reading := p.path(t, "f", safepath.Read, safepath.File)
	if _, err := p.Files.Replace(t.Context(), reading, becomes("new")); err == nil {
		t.Error("a path checked for reading was written")
	}
	if _, err := p.Files.Replace(t.Context(), &safepath.CheckedPath{}, becomes("new")); err == nil {
		t.Error("a path nobody checked was written")
	}
	if _, err := p.Files.Open(t.Context(), &safepath.CheckedPath{}); err == nil {
		t.Error("a path nobody checked was opened")
	}
	other := backend.NewFiles(struct{ safepath.Volume }{p.Files.Volume()})
	_, err := other.Replace(t.Context(), p.target(t, "f"), becomes("new"))
	refused(t, err, safepath.InvalidPath, "")
	_, err = other.Open(t.Context(), p.path(t, "f", safepath.Read, safepath.File))
	refused(t, err, safepath.InvalidPath, "")
	closed := p.target(t, "f")
	check(t, closed.Close())
	if _, err := p.Files.Replace(t.Context(), closed, becomes("new")); err == nil {
		t.Error("a closed path was written")
	}
	p.holds(t, "f", "old")
}

func testOpen(t *testing.T, p Place) {
	p.put(t, "f", "0123456789")
	f, err := p.Files.Open(t.Context(), p.path(t, "f", safepath.Read, safepath.File))
	check(t, err)
	defer f.Close()
	some := make([]byte, 4)
	if n, err := f.ReadAt(some, 3); n != 4 || err != nil || string(some) != "3456" {
		t.Errorf("ReadAt gave %d %v %q", n, err, some)
	}
	if n, err := f.ReadAt(some, 8); n != 2 || err != io.EOF {
		t.Errorf("ReadAt over the end gave %d %v", n, err)
	}
	all, err := io.ReadAll(f)
	if err != nil || string(all) != "0123456789" || f.Size() != 10 {
		t.Errorf("read %q, %v, size %d", all, err, f.Size())
	}
	if _, ok := f.(io.Writer); ok {
		t.Error("a file opened for reading can be written")
	}
}

func testOpenRefuses(t *testing.T, p Place) {
	check(t, p.Outside.MkdirAll(p.abs("dir"), 0o755))
	p.put(t, "f", "x")
	gone := p.path(t, "f", safepath.Read, safepath.File)
	check(t, p.Outside.RemoveAll(p.abs("f")))
	if _, err := p.Files.Open(t.Context(), gone); err == nil {
		t.Error("a deleted file was opened")
	}
	p.put(t, "g", "x")
	swapped := p.path(t, "g", safepath.Read, safepath.File)
	check(t, p.Outside.RemoveAll(p.abs("g")))
	check(t, p.Outside.Mkfifo(p.abs("g")))
	if _, err := p.Files.Open(t.Context(), swapped); err == nil {
		t.Error("a pipe was opened")
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	p.put(t, "h", "x")
	if _, err := p.Files.Open(cancelled, p.path(t, "h", safepath.Read, safepath.File)); !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancel: %v", err)
	}
}
