package safepath_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"septet/safepath"
)

// FuzzResolve: whatever the path, an answer is inside the roots and not in a
// protected place, what is shown resolves to the same again, and a refusal is
// one safe line with a code.
func FuzzResolve(f *testing.F) {
	for _, rows := range [][]pathRow{lexicalRows, linkRows, protectedRows} {
		for _, row := range rows {
			f.Add(row.raw, row.access == safepath.Write, uint8(safepath.File))
		}
	}
	for _, raw := range []string{".", "./", "/", "a", "a/..", "a/./../b", "ln/..", "d/s/../..", `\`, `a\\b`, "out/../x", "up/proj/f", "a/b/c/../../../../../../etc", "n\xffx", `n\xffx`, `new/n\u000ax`} {
		f.Add(raw, false, uint8(safepath.FileOrDirectory))
		f.Add(raw, true, uint8(safepath.File))
	}
	w := fuzzWorld(f)
	f.Fuzz(func(t *testing.T, raw string, write bool, intent uint8) {
		access := safepath.Read
		if write {
			access = safepath.Write
		}
		w.fuzzOne(t, w.expand(raw), access, safepath.Intent(intent%3+1))
	})
}

// fuzzWorld is a tree with a link of every kind.
func fuzzWorld(f *testing.F) *world {
	dir, err := filepath.EvalSymlinks(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	w := &world{at: disk{}, dir: dir, ws: dir + "/w/proj", ro: dir + "/ro", out: dir + "/out"}
	for _, line := range []string{
		"d $RO", "f $OUT/secret=secret", "f f=1", "f a/b/c/x=1", "f x=1", "f a\nb=1", "f bad\xff=1", "f .git/config=1", "f sub/.git/config=1",
		"l ln -> a/b", "l out -> $OUT", "l up -> ..", "l loop -> loop", "l none -> nothing", "l git -> .git", "l s -> f", "l d/s -> .", "l ro -> $RO", "l $RO/back -> $WS", "f ~=1",
	} {
		if err := w.makeOne(w.expand(line)); err != nil {
			f.Fatal(err)
		}
	}
	w.r, err = safepath.NewResolver(safepath.OS(), safepath.Config{WorkingDirectory: w.ws, Roots: []safepath.Root{{Path: w.ws, Writable: true}, {Path: w.ro}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { w.r.Close() })
	return w
}

func (w *world) fuzzOne(t *testing.T, raw string, access safepath.Access, intent safepath.Intent) {
	p, err := w.r.Resolve(raw, access, intent)
	if err != nil {
		var e *safepath.Error
		if !errors.As(err, &e) || e.Code == "" || e.Code == safepath.PathChanged || !safeLine(e.Fact) || !safeLine(e.Hint) {
			t.Fatalf("%q: error %#v", raw, err)
		}
		return
	}
	defer p.Close()
	shown := p.String()
	if !safeLine(shown) {
		t.Fatalf("%q is shown as %q", raw, shown)
	}
	again, err := w.r.Resolve(shown, access, intent)
	if err != nil {
		t.Fatalf("%q is shown as %q, which is refused: %v", raw, shown, err)
	}
	defer again.Close()
	if again.String() != shown || safepath.StatOf(again) != safepath.StatOf(p) || safepath.LockKey(again) != safepath.LockKey(p) {
		t.Fatalf("%q resolves to %q, and that to %q", raw, shown, again)
	}
	w.checkInside(t, shown, access)
}

func safeLine(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsAny(s, "\n\r\x1b\x00\u202e\u2028")
}

// checkInside judges by the standard library, along another way than the
// resolver's.
func (w *world) checkInside(t *testing.T, shown string, access safepath.Access) {
	t.Helper()
	parts := strings.Split(shown, "/")
	for i, part := range parts {
		if plain, ok := safepath.Unescape(part); ok {
			parts[i] = plain
		}
	}
	full := strings.Join(parts, "/")
	if !filepath.IsAbs(full) {
		full = filepath.Join(w.ws, full)
	}
	for existing := full; ; existing = filepath.Dir(existing) {
		if _, err := os.Lstat(existing); err != nil {
			continue
		}
		if real, err := filepath.EvalSymlinks(existing); err != nil || real != existing {
			t.Fatalf("%q is not canonical: %q, %v", shown, real, err)
		}
		break
	}
	inside := full == w.ws || strings.HasPrefix(full, w.ws+"/")
	readable := inside || full == w.ro || strings.HasPrefix(full, w.ro+"/")
	if !readable || access == safepath.Write && !inside {
		t.Fatalf("%q is outside", shown)
	}
	if access == safepath.Write && strings.Contains(strings.ToLower(full)+"/", "/.git/") {
		t.Fatalf("%q is protected", shown)
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"plain", "a\nb", "\xff", `\`, `\\`, `\x41`, `\u000a`, `\xzz`, "a\u202eb", "\U000e0041", "\ufffd", `\\x41`, "\u200d", `a\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		shown := safepath.Escape(name)
		if !safeLine(shown) {
			t.Fatalf("%q is shown as %q", name, shown)
		}
		plain, ok := safepath.Unescape(shown)
		if shown != name && (!ok || plain != name) && !strings.ContainsAny(name, "\x00/") {
			t.Fatalf("%q is shown as %q, which stands for %q", name, shown, plain)
		}
		if shown == name && ok && plain != name {
			t.Fatalf("%q is shown as it is but stands for %q", name, plain)
		}
	})
}
