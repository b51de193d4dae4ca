package safepath_test

import (
	"os"
	"testing"

	"septet/safepath"
)

// BenchmarkResolve resolves a file five components below the root. The goal is
// less than 25 microseconds for a read.
func BenchmarkResolve(b *testing.B) {
	ws := b.TempDir()
	if err := os.MkdirAll(ws+"/a/b/c/d", 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(ws+"/a/b/c/d/f", nil, 0o644); err != nil {
		b.Fatal(err)
	}
	r, err := safepath.NewResolver(safepath.OS(), safepath.Config{
		WorkingDirectory: ws,
		Roots:            []safepath.Root{{Path: ws, Writable: true}},
		State:            b.TempDir(),
	})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	for name, access := range map[string]safepath.Access{"read": safepath.Read, "write": safepath.Write} {
		b.Run(name, func(b *testing.B) {
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

// BenchmarkCommit replaces a file of 4 KiB, flushed to the disk.
func BenchmarkCommit(b *testing.B) {
	ws := b.TempDir()
	r, err := safepath.NewResolver(safepath.OS(), safepath.Config{WorkingDirectory: ws, Roots: []safepath.Root{{Path: ws, Writable: true}}})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	content := make([]byte, 4096)
	for b.Loop() {
		content[0]++
		if _, err := writeVia(r, "f", string(content)); err != nil {
			b.Fatal(err)
		}
	}
}
