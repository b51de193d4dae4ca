package read_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
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
	size  int64
	watch *watch
}

// watch counts what is read in order and calls reached once that is over at.
type watch struct {
	read, at int64
	reached  func()
}

func (h hugeFiles) Open(context.Context, *safepath.CheckedPath) (backend.File, error) {
	return &hugeFile{size: h.size, watch: h.watch}, nil
}

// hugeFile has lines of 16 bytes.
type hugeFile struct {
	size, at int64
	watch    *watch
}

func (f *hugeFile) Size() int64  { return f.size }
func (f *hugeFile) Close() error { return nil }

func (f *hugeFile) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.at)
	f.at += int64(n)
	f.watch.read += int64(n)
	if f.watch.reached != nil && f.watch.read > f.watch.at {
		f.watch.reached()
	}
	return n, err
}

const hugeLine = "0123456789abcde\n"

// hugeBlock is copied, and not computed.
var hugeBlock = strings.Repeat(hugeLine, 32<<10)

// isFilled spares 16 GiB of copying: a buffer that begins and ends as it should
// was filled by the read before.
func isFilled(p []byte, offset int64) bool {
	last := len(p) - 1
	return p[0] == hugeLine[offset%16] && p[last] == hugeLine[(offset+int64(last))%16]
}

func (f *hugeFile) ReadAt(p []byte, offset int64) (int, error) {
	if offset >= f.size {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), f.size-offset)]
	for i := 0; i < len(p) && !isFilled(p, offset); {
		i += copy(p[i:], hugeBlock[(offset+int64(i))%int64(len(hugeLine)):])
	}
	return len(p), nil
}

// huge is a place where every file is huge.
type huge struct {
	place
	opened *watch
}

func hugePlace(t testing.TB, size int64) huge {
	v := memory.NewVolume()
	tooltest.Check(t, v.WriteFile(tooltest.Root+"/f", "", 0o644))
	ops, w := memory.New(v, nil), &watch{}
	ops.Files = hugeFiles{Files: backend.NewFiles(v), size: size, watch: w}
	return huge{place{tooltest.Place{Volume: v, Session: tooltest.NewSession(t, ops, tooltest.Root)}}, w}
}

// TestHugeFile: a window near the end of a file larger than what is counted
// costs memory for the window only, and tells no total.
func TestHugeFile(t *testing.T) {
	const lines = (256 << 20) / 16
	p := hugePlace(t, lines*16)

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

// The first line is looked for in so much of a file and no more: the answer
// says what was seen, and a file that is not longer is searched to its end.
func TestTheFirstLineIsLookedForInABoundedPart(t *testing.T) {
	for _, tt := range []struct {
		name string
		size int64
		in   read.Input
		want string
	}{
		{"without limit", 10 << 30, read.Input{Offset: 1 << 40},
			`too_large: f is 10737418240 bytes and has at least 4194304 lines; without limit, offset 1099511627776 is looked for in the first 67108864 bytes only` +
				"\nhint: " + `read {"path":"f","offset":1099511627776,"limit":2000}`},
		{"without limit, to the end", 64 << 20, read.Input{Offset: 1 << 40}, `invalid_arguments: offset 1099511627776 is past the end: f has 4194304 lines` +
			"\nhint: " + `read {"path":"f","offset":4194204}`},
		{"without limit, the last line", 64 << 20, read.Input{Offset: 4<<20 - 1}, "0123456789abcde\n"},
		{"with limit", 20 << 30, read.Input{Offset: 1 << 40, Limit: 1},
			`too_large: f is 21474836480 bytes and has at least 1073741824 lines; offset 1099511627776 is looked for in the first 17179869184 bytes only` +
				"\nhint: cut the part out with bash: tail -c and head -c do not read what is before it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := hugePlace(t, tt.size)
			tt.in.Path = "f"
			if _, got := p.call(t, tt.in); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// A window that begins late in a large file is given up with its call.
func TestSkippingEndsWithItsContext(t *testing.T) {
	p := hugePlace(t, 10<<30)
	ctx, cancel := context.WithCancel(t.Context())
	p.opened.at = 1 << 20
	p.opened.reached = cancel
	_, err := read.Tool{}.Call(ctx, p.Session, session.NewCall("1", nil), read.Input{Path: "f", Offset: 1 << 40, Limit: 1})
	if !errors.Is(err, context.Canceled) || p.opened.read > 2<<20 {
		t.Errorf("error %v after %d bytes", err, p.opened.read)
	}
}

func BenchmarkWindowOf64MiB(b *testing.B) {
	sc := hugePlace(b, 64<<20).Session
	b.SetBytes(64 << 20)
	for b.Loop() {
		_, err := read.Tool{}.Call(b.Context(), sc, session.NewCall("1", nil), read.Input{Path: "f", Limit: 10})
		tooltest.Check(b, err)
	}
}
