package safepath_test

import (
	"os"
	"path/filepath"
	"testing"

	"septet/safepath"
)

func TestSmoke(t *testing.T) {
	dir := t.TempDir()
	ws := filepath.Join(dir, "ws")
	os.Mkdir(ws, 0o755)
	r, err := safepath.NewResolver(safepath.OS(), safepath.Config{WorkingDirectory: ws, Roots: []safepath.Root{{Path: ws, Writable: true}}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	write := func(raw, content string) {
		t.Helper()
		p, err := r.Resolve(raw, safepath.Write, safepath.File)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		_, v, err := safepath.ReadVersion(p, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		done, err := safepath.Commit(p, safepath.Replacement{Content: []byte(content), Was: v})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s %+v %s", p, done, safepath.LockKey(p))
	}
	write("a/b/c", "one")
	write("a/b/c", "two")
	os.Symlink("b/c", ws+"/a/s")
	write("a/s", "three")
	for _, raw := range []string{"../x", "/etc/passwd", ".git/x", "a/b/c/d", "a/b"} {
		_, err := r.Resolve(raw, safepath.Write, safepath.File)
		t.Log(err, safepath.CodeOf(err))
	}
	_, err = r.Resolve("a/B/c", safepath.Read, safepath.File)
	t.Logf("%#v", err)
	b, _ := os.ReadFile(ws + "/a/b/c")
	if string(b) != "three" {
		t.Fatal(string(b))
	}
	names, _ := filepath.Glob(ws + "/a/b/*")
	t.Log(names)
	p, err := r.Resolve("a", safepath.Read, safepath.Directory)
	if err != nil {
		t.Fatal(err)
	}
	d, err := safepath.OpenDir(p)
	if err != nil {
		t.Fatal(err)
	}
	e, err := d.ReadNames()
	t.Log(e, err)
	w, err := safepath.CommandDir(p)
	t.Log(w, err)
}

func BenchmarkResolveDepth5(b *testing.B) {
	ws := b.TempDir()
	os.MkdirAll(ws+"/a/b/c/d", 0o755)
	os.WriteFile(ws+"/a/b/c/d/f", nil, 0o644)
	r, err := safepath.NewResolver(safepath.OS(), safepath.Config{WorkingDirectory: ws, Roots: []safepath.Root{{Path: ws, Writable: true}}})
	if err != nil {
		b.Fatal(err)
	}
	for _, access := range []safepath.Access{safepath.Read, safepath.Write} {
		b.Run(map[safepath.Access]string{safepath.Read: "read", safepath.Write: "write"}[access], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p, err := r.Resolve("a/b/c/d/f", access, safepath.File)
				if err != nil {
					b.Fatal(err)
				}
				p.Close()
			}
		})
	}
}
