package read_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"septet/internal/tooltest"
	"septet/session"
	"septet/tools/read"
	"septet/toolset"
)

// place is a session that the tool is called in.
type place struct{ tooltest.Place }

func newPlace(t testing.TB, files map[string]string) place {
	return place{tooltest.New(t, files)}
}

// call reads and returns the text of the answer, good or bad.
func (p place) call(t *testing.T, in read.Input) (read.Output, string) {
	t.Helper()
	out, err := read.Tool{}.Call(t.Context(), p.Session, session.NewCall("1", nil), in)
	if err != nil {
		e := toolset.AsError(err)
		return out, fmt.Sprintf("%s: %s", e.Code, e.Text())
	}
	return out, out.Text()
}

func numbered(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

const mega = 1 << 20

func TestRead(t *testing.T) {
	p := newPlace(t, map[string]string{
		"ten":      numbered(1, 10),
		"open":     "a\nb",
		"empty":    "",
		"one":      "\n",
		"bom":      "\ufeffa\n",
		"crlf":     "a\r\nb\r\n",
		"limit":    strings.Repeat("x", mega),
		"big":      strings.Repeat("0123456789abcde\n", mega/16+1),
		"long":     "a\nx" + strings.Repeat("é", mega/2) + "\nb\n",
		"tooLong":  strings.Repeat("x", mega+5),
		"lastLong": "a\n" + strings.Repeat("x", mega),
		"twice":    strings.Repeat("0123456789abcde\n", mega/8),
		"blocks":   strings.Repeat("x", 512<<10),
		"png":      "\x89PNG\r\n\x1a\n\x00\x00",
		"nul":      strings.Repeat("a\n", 5000) + "\x00\n",
		"latin1":   "caf\xe9\n",
		"late":     "ok\nok\ncaf\xe9\n",
		"utf16":    "\xff\xfea\x00b\x00",
		"utf32":    "\xff\xfe\x00\x00a\x00\x00\x00",
		"cut":      "ab\xe2\x82",
	})
	for _, tt := range []struct {
		name string
		in   read.Input
		want string
	}{
		{"whole", read.Input{Path: "ten"}, numbered(1, 10)},
		{"no final line feed", read.Input{Path: "open"}, "a\nb"},
		{"empty", read.Input{Path: "empty"}, "[empty file]"},
		{"one empty line", read.Input{Path: "one"}, "\n"},
		{"a byte order mark is shown", read.Input{Path: "bom"}, "\ufeffa\n"},
		{"carriage returns are shown", read.Input{Path: "crlf"}, "a\r\nb\r\n"},
		{"a window", read.Input{Path: "ten", Offset: 2, Limit: 3}, numbered(3, 5) + "[lines 3-5 of 10; continue with offset=5]"},
		{"to the end", read.Input{Path: "ten", Offset: 7, Limit: 3}, numbered(8, 10)},
		{"over the end", read.Input{Path: "ten", Offset: 7, Limit: 100}, numbered(8, 10)},
		{"offset without limit", read.Input{Path: "ten", Offset: 8}, numbered(9, 10)},
		{"line numbers", read.Input{Path: "ten", Offset: 8, LineNumbers: true}, "9: line 9\n10: line 10\n"},
		{"line numbers and more", read.Input{Path: "open", Limit: 1, LineNumbers: true}, "1: a\n[lines 1-1 of 2; continue with offset=1]"},
		{"line number of a last line", read.Input{Path: "open", LineNumbers: true}, "1: a\n2: b"},
		{"as large as may be", read.Input{Path: "limit"}, strings.Repeat("x", mega)},
		{"a line over several blocks", read.Input{Path: "blocks"}, strings.Repeat("x", 512<<10)},
		{"past the end", read.Input{Path: "ten", Offset: 10}, "invalid_arguments: offset 10 is past the end: ten has 10 lines\nhint: read {\"path\":\"ten\",\"offset\":0}"},
		{"past the end of an open line", read.Input{Path: "blocks", Offset: 1}, "invalid_arguments: offset 1 is past the end: blocks has 1 line\nhint: read {\"path\":\"blocks\",\"offset\":0}"},
		{"past the end of nothing", read.Input{Path: "empty", Offset: 1}, "invalid_arguments: offset 1 is past the end: empty has 0 lines\nhint: leave offset out: there is nothing to skip"},
		{"too large", read.Input{Path: "big"}, "too_large: big is 1048592 bytes; at most 1048576 are returned without limit\nhint: read {\"path\":\"big\",\"offset\":0,\"limit\":2000}"},
		{"the rest of a large file", read.Input{Path: "big", Offset: mega / 16}, "0123456789abcde\n"},
		{"before a long line", read.Input{Path: "long", Limit: 3}, "a\n[lines 1-1 of 3; continue with offset=1]"},
		{"a long line", read.Input{Path: "long", Offset: 1, Limit: 1}, "x" + strings.Repeat("é", mega/2-1) + "\n[line 2 is longer; cut after 1048575 bytes]\n[lines 2-2 of 3; continue with offset=2]"},
		{"after a long line", read.Input{Path: "long", Offset: 2, Limit: 1}, "b\n"},
		{"before a long last line", read.Input{Path: "lastLong", Limit: 2}, "a\n[lines 1-1 of 2; continue with offset=1]"},
		{"a rest that is too large", read.Input{Path: "twice", Offset: 1}, "too_large: twice is 2097152 bytes; at most 1048576 are returned without limit\nhint: read {\"path\":\"twice\",\"offset\":1,\"limit\":2000}"},
		{"one long line", read.Input{Path: "tooLong", Limit: 1}, strings.Repeat("x", mega) + "\n[line 1 is longer; cut after 1048576 bytes]\n[lines 1-1 of 1]"},
		{"binary", read.Input{Path: "png"}, "binary: png is binary: PNG image, 10 bytes\nhint: look at it with bash, e.g. file or xxd"},
		{"a NUL in the window", read.Input{Path: "nul"}, "binary: nul is binary: unknown type, 10002 bytes\nhint: look at it with bash, e.g. file or xxd"},
		{"a NUL outside the window", read.Input{Path: "nul", Limit: 1}, "a\n[lines 1-1 of 5001; continue with offset=1]"},
		{"not UTF-8", read.Input{Path: "latin1"}, "invalid_utf8: latin1 is not UTF-8: byte 0xe9 at byte offset 3\nhint: look at it with bash (xxd, file) or convert a copy with iconv"},
		{"not UTF-8 in a window", read.Input{Path: "late", Offset: 1}, "invalid_utf8: late is not UTF-8: byte 0xe9 at byte offset 9\nhint: look at it with bash (xxd, file) or convert a copy with iconv"},
		{"a character cut off by the end", read.Input{Path: "cut"}, "invalid_utf8: cut is not UTF-8: byte 0xe2 at byte offset 2\nhint: look at it with bash (xxd, file) or convert a copy with iconv"},
		{"UTF-16", read.Input{Path: "utf16"}, "invalid_utf8: utf16 is not UTF-8: the byte order mark at byte 0 says UTF-16LE\nhint: convert a copy with bash: iconv -f UTF-16LE -t UTF-8"},
		{"UTF-32", read.Input{Path: "utf32"}, "invalid_utf8: utf32 is not UTF-8: the byte order mark at byte 0 says UTF-32LE\nhint: convert a copy with bash: iconv -f UTF-32LE -t UTF-8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, got := p.call(t, tt.in); got != tt.want {
				t.Errorf("got  %d %.300q\nwant %d %.300q", len(got), got, len(tt.want), tt.want)
			}
		})
	}
}

func TestReadRefusesPaths(t *testing.T) {
	p := newPlace(t, map[string]string{"README.md": "x", "dir/f": "x"})
	tooltest.Check(t, p.Mkfifo(tooltest.Root+"/pipe"))
	tooltest.Check(t, p.Symlink("/etc", tooltest.Root+"/out"))
	for path, code := range map[string]string{
		"readme.md": "not_found", "dir": "not_regular_file", "pipe": "not_regular_file",
		"../x": "outside_roots", "out/passwd": "outside_roots", "": "invalid_path", ".": "not_regular_file",
	} {
		_, got := p.call(t, read.Input{Path: path})
		if !strings.HasPrefix(got, code+":") {
			t.Errorf("%q: %s, want %s", path, got, code)
		}
		_, err := read.Tool{}.Effects(t.Context(), p.Session, read.Input{Path: path})
		if err == nil || string(toolset.AsError(err).Code) != code {
			t.Errorf("effects of %q: %v, want %s", path, err, code)
		}
	}
	if _, got := p.call(t, read.Input{Path: "readme.md"}); !strings.Contains(got, "README.md") {
		t.Errorf("no close name in %q", got)
	}
}

func TestReadFields(t *testing.T) {
	p := newPlace(t, map[string]string{"f": numbered(1, 5), "empty": ""})
	out, _ := p.call(t, read.Input{Path: "f", Offset: 1, Limit: 2})
	if out.Path != "f" || out.Content != numbered(2, 3) || out.FirstLine != 2 || out.LastLine != 3 || *out.TotalLines != 5 || !out.Truncated {
		t.Errorf("%+v of %d", out, *out.TotalLines)
	}
	out, _ = p.call(t, read.Input{Path: "empty"})
	if out.FirstLine != 0 || out.LastLine != 0 || *out.TotalLines != 0 || out.Truncated {
		t.Errorf("%+v of %d", out, *out.TotalLines)
	}
}

// TestWindowsJoin: reading by windows and joining gives the file, whatever the
// size of the windows.
func TestWindowsJoin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		content := randomText(random)
		p := newPlace(t, map[string]string{"f": content})
		var joined strings.Builder
		for offset := int64(0); ; {
			out, text := p.call(t, read.Input{Path: "f", Offset: offset, Limit: 1 + random.IntN(6)})
			if !strings.HasPrefix(text, out.Content) {
				t.Fatalf("offset %d of %q: %s", offset, content, text)
			}
			joined.WriteString(out.Content)
			if !out.Truncated {
				break
			}
			if out.FirstLine != offset+1 || out.LastLine < out.FirstLine {
				t.Fatalf("offset %d of %q gave lines %d-%d", offset, content, out.FirstLine, out.LastLine)
			}
			offset = out.LastLine
		}
		if joined.String() != content {
			t.Fatalf("windows of %q give %q", content, joined.String())
		}
	}
}

func randomText(random *rand.Rand) string {
	var b strings.Builder
	for range random.IntN(25) {
		b.WriteString([]string{"a", "\n", "\n", "\r\n", "\r", "é", " ", "\ufeff", "long text "}[random.IntN(9)])
	}
	return b.String()
}

// TestCancel: a read of a large file ends when its context does.
func TestCancel(t *testing.T) {
	p := newPlace(t, map[string]string{"f": numbered(1, 1000)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := read.Tool{}.Call(ctx, p.Session, session.NewCall("1", nil), read.Input{Path: "f"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestCallByName: the arguments arrive from JSON, with their defaults.
func TestCallByName(t *testing.T) {
	var r toolset.Registry
	toolset.Register(&r, read.Tool{})
	p := newPlace(t, map[string]string{"f": "a\nb\n"})
	set, err := r.Finalize(p.Session, toolset.Selection{})
	tooltest.Check(t, err)
	result, err := set.Call(t.Context(), session.NewCall("c", nil), "read", []byte(`{"path":"f","offset":"1"}`))
	if want := "b\n"; err != nil || result.Text != want {
		t.Errorf("got %q (%v), want %q", result.Text, err, want)
	}
}
