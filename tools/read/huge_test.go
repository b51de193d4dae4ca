package read_test

import (
	"context"
	"io"
	"runtime"
	"testing"

	"septet/backend"
	"septet/backend/memory"
	"septet/internal/tooltest"
	"septet/safepath"
	"septet/session"
	"septet/tools/read"
)

// hugeFiles opens, in the place of every file, one that is computed.
type hugeFiles struct {
	*backend.Files
	size int64
}

func (h hugeFiles) Open(context.Context, *safepath.CheckedPath) (backend.File, error) {
	return &hugeFile{size: h.size}, nil
}

// hugeFile has lines of 16 bytes.
type hugeFile struct{ size, at int64 }

func (f *hugeFile) Size() int64  { return f.size }
func (f *hugeFile) Close() error { return nil }

func (f *hugeFile) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.at)
	f.at += int64(n)
	return n, err
}

func (f *hugeFile) ReadAt(p []byte, offset int64) (int, error) {
	const line = "0123456789abcde\n"
	if offset >= f.size {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), f.size-offset)]
	for i := 0; i < len(p); {
		i += copy(p[i:], line[(offset+int64(i))%int64(len(line)):])
	}
	return len(p), nil
}

// TestHugeFile: a window near the end of a file larger than what is counted
// costs memory for the window only, and tells no total.
func TestHugeFile(t *testing.T) {
	const lines = (256 << 20) / 16
	v := memory.NewVolume()
	tooltest.Check(t, v.WriteFile(tooltest.Root+"/f", "", 0o644))
	ops := memory.New(v, nil)
	ops.Files = hugeFiles{Files: backend.NewFiles(v), size: lines * 16}
	p := place{tooltest.Place{Volume: v, Session: tooltest.NewSession(t, ops, tooltest.Root)}}

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, got := p.call(t, read.Input{Path: "f", Offset: lines - 3, Limit: 2})
	runtime.ReadMemStats(&after)
	want := "0123456789abcde\n0123456789abcde\n[lines 16777214-16777215; continue with offset=16777215]"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 2<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
	if _, got := p.call(t, read.Input{Path: "f", Offset: lines - 1, Limit: 2}); got != "0123456789abcde\n" {
		t.Errorf("at the end: %q", got)
	}
}

func BenchmarkWindowOf64MiB(b *testing.B) {
	v := memory.NewVolume()
	tooltest.Check(b, v.WriteFile(tooltest.Root+"/f", "", 0o644))
	ops := memory.New(v, nil)
	ops.Files = hugeFiles{Files: backend.NewFiles(v), size: 64 << 20}
	sc := tooltest.NewSession(b, ops, tooltest.Root)
	b.SetBytes(64 << 20)
	for b.Loop() {
		_, err := read.Tool{}.Call(b.Context(), sc, session.NewCall("1", nil), read.Input{Path: "f", Limit: 10})
		tooltest.Check(b, err)
	}
}
