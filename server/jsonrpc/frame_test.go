package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// framesOf reads everything in the input: frames as they are, refusals as
// their code.
func framesOf(in io.Reader, framing Framing, max int) (frames []string, found Framing) {
	r := newFrameReader(in, framing, max, func(f Framing) { found = f })
	for {
		frame, err := r.next()
		var bad *Error
		switch {
		case errors.As(err, &bad):
			frames = append(frames, fmt.Sprint(bad.Code))
		case err != nil:
			return frames, found
		default:
			frames = append(frames, string(frame))
		}
	}
}

func header(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

func TestFrames(t *testing.T) {
	const bom = "\ufeff"
	long := strings.Repeat("x", 100<<10) // longer than the reader's buffer
	cases := []struct {
		name, input string
		want        []string
		framing     Framing // that is found
	}{
		{"nothing", "", nil, ""},
		{"blanks", " \r\n\n\t", nil, ""},
		{"two lines", "{}\n[]\n", []string{"{}", "[]"}, FramingLine},
		{"carriage returns", "{}\r\n[]\r\n", []string{"{}", "[]"}, FramingLine},
		{"no last newline", "{}\n[]", []string{"{}", "[]"}, FramingLine},
		{"blank lines between", "\n\n{}\n \r\n\n[]\n\n", []string{"{}", "[]"}, FramingLine},
		{"a mark at the start", bom + "{}\n", []string{"{}"}, FramingLine},
		{"a mark on a line of its own", bom + "\n{}\n", []string{"{}"}, FramingLine},
		{"a mark at a later line", "{}\n" + bom + "[]\n", []string{"{}", "[]"}, FramingLine},
		{"blanks around", " \t{} \t\r\n", []string{"{}"}, FramingLine},
		{"half a mark", "\xef\xbb{}\n", []string{"\xef\xbb{}"}, FramingLine},
		{"a line that begins like a header", "Content\n{}\n", []string{"Content", "{}"}, FramingLine},
		{"a line of 100 KiB", long + "\n{}\n", []string{"-32600", "{}"}, FramingLine},
		{"a long last line", "{}\n" + long, []string{"{}", "-32600"}, FramingLine},
		{"a line at the bound", strings.Repeat("y", 1000) + "\r\n{}", []string{strings.Repeat("y", 1000), "{}"}, FramingLine},
		{"a line over the bound", strings.Repeat("y", 1001) + "\n{}", []string{"-32600", "{}"}, FramingLine},

		{"one header", header("{}"), []string{"{}"}, FramingHeader},
		{"headers glued", header("{}") + header("[]"), []string{"{}", "[]"}, FramingHeader},
		{"blanks and a mark before", "\r\n" + bom + "\n" + header("{}") + "\r\n\r\n" + header("[]"), []string{"{}", "[]"}, FramingHeader},
		{"any case", "cOnTeNt-LeNgTh:2\r\n\r\n{}", []string{"{}"}, FramingHeader},
		{"bare newlines", "Content-Length: 2\n\n{}", []string{"{}"}, FramingHeader},
		{"a type before", "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", []string{"{}"}, FramingHeader},
		{"a type behind", "Content-Length: 2\r\nContent-Type: x; charset=utf-8\r\n\r\n{}", []string{"{}"}, FramingHeader},
		{"a body with newlines", header("{\n\n}"), []string{"{\n\n}"}, FramingHeader},
		{"an empty body", header("") + header("{}"), []string{"-32700", "{}"}, FramingHeader},
		{"a blank body", header(" \n") + header("{}"), []string{"-32700", "{}"}, FramingHeader},
		{"no length", "Content-Type: x\r\n\r\n" + header("{}"), []string{"-32700", "{}"}, FramingHeader},
		{"a length in words", "Content-Length: two\r\n\r\n{}" + header("[]"), []string{"-32700", "[]"}, FramingHeader},
		{"a negative length", "Content-Length: -2\r\n\r\n{}" + header("[]"), []string{"-32700", "[]"}, FramingHeader},
		{"a length beyond reason", "Content-Length: 99999999999\r\n\r\n{}" + header("[]"), []string{"-32700", "[]"}, FramingHeader},
		{"a length beyond numbers", "Content-Length: 99999999999999999999999\r\n\r\n{}" + header("[]"), []string{"-32700", "[]"}, FramingHeader},
		{"two lengths", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}" + header("[]"), []string{"-32700", "[]"}, FramingHeader},
		{"a foreign header", header("{}") + "Host: x\r\n\r\n" + header("[]"), []string{"{}", "-32700", "[]"}, FramingHeader},
		{"a foreign header inside a block", "Content-Length: 2\r\nHost: x\r\n\r\n{}" + header("[]"), []string{"-32700", "[]"}, FramingHeader},
		{"a length that is too short", "Content-Length: 3\r\n\r\n{12}" + header("[]"), []string{"{12", "-32700", "[]"}, FramingHeader},
		{"a header quoted in lost text", "Content-Length: x\r\n\r\n{\"a\":\"Content-Length: 9\"}" + header("[]"), []string{"-32700", "[]"}, FramingHeader},
		{"what only looks like a header in lost text", "Content-Length: x\r\n\r\nContent\rLength: 5\n" + header("[]"), []string{"-32700", "[]"}, FramingHeader},
		{"a header block without end", "Content-Type: " + strings.Repeat("x", 9000) + "\r\n\r\n" + header("{}"), []string{"-32700", "{}"}, FramingHeader},
		{"a body over the bound", header(long) + header("{}"), []string{"-32600", "{}"}, FramingHeader},
		{"a body cut short", "Content-Length: 9\r\n\r\n{}", []string{"-32700"}, FramingHeader},
		{"a huge body cut short", "Content-Length: 99999\r\n\r\n{}", []string{"-32700"}, FramingHeader},
		{"a header cut short", "Content-Length: 9", []string{"-32700"}, FramingHeader},
		{"text after a frame", header("{}") + "{}\n", []string{"{}", "-32700"}, FramingHeader},
	}
	for _, c := range cases {
		for name, in := range map[string]io.Reader{"whole": strings.NewReader(c.input), "byte by byte": iotest.OneByteReader(strings.NewReader(c.input))} {
			got, framing := framesOf(in, FramingAuto, 1000)
			if fmt.Sprintf("%.40q", got) != fmt.Sprintf("%.40q", c.want) || framing != c.framing {
				t.Errorf("%s, %s: got %.40q in %q, want %.40q in %q", c.name, name, got, framing, c.want, c.framing)
			}
		}
	}
}

func TestFramingCanBeSet(t *testing.T) {
	if got, _ := framesOf(strings.NewReader(header("{}")), FramingLine, 1000); fmt.Sprint(got) != "[Content-Length: 2 {}]" {
		t.Errorf("line: %q", got)
	}
	if got, _ := framesOf(strings.NewReader("x\n"+header("{}")), FramingHeader, 1000); fmt.Sprint(got) != "[-32700 {}]" {
		t.Errorf("header: %q", got)
	}
}

// TestFrameIsReadWithoutWaitingForMore reads from a pipe that stays open.
func TestFrameIsReadWithoutWaitingForMore(t *testing.T) {
	for _, input := range []string{"{}\n", "C\n", header("{}"), header("{}") + "bad\r\n\r\n"} {
		in, out := io.Pipe()
		r := newFrameReader(in, FramingAuto, 1000, func(Framing) {})
		go func() { _, _ = io.WriteString(out, input) }()
		if _, err := r.next(); err != nil {
			t.Errorf("%q: %v", input, err)
		}
		if strings.Contains(input, "bad") {
			if _, err := r.next(); !errors.Is(err, errBadHeader) {
				t.Errorf("%q: %v", input, err)
			}
		}
		_ = out.Close()
	}
}

// FuzzFrames: nothing panics or hangs, and whatever came before, a whole frame
// in the framing of the stream is found.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{"", "{}\n", "Content-Length: 2\r\n\r\n{}", "Content-", "\xef\xbb\xbf", "C\r\n\r\n", "x\r\n\r\nContent-Length: 9\r\n", "Content-\nContent\rLength: 5\n"} {
		f.Add([]byte(seed))
	}
	const frame = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	f.Fuzz(func(t *testing.T, before []byte) {
		framesOf(bytes.NewReader(before), FramingAuto, 64)
		last := func(framing Framing, after string) string {
			got, _ := framesOf(bytes.NewReader(append(bytes.Clone(before), after...)), framing, 64)
			if len(got) == 0 {
				return ""
			}
			return got[len(got)-1]
		}
		if got := last(FramingLine, "\n"+frame); got != frame {
			t.Errorf("lines: after %q came %q", before, got)
		}
		if bytes.Contains(bytes.ToLower(before), contentPrefix[:4]) {
			return // a header of its own, or half of one: what follows belongs to it
		}
		if got := last(FramingHeader, header(frame)); got != frame {
			t.Errorf("headers: after %q came %q", before, got)
		}
	})
}
