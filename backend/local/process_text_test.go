package local

import (
	"strings"
	"testing"
	"unicode/utf8"
)

const noLimit = 1 << 30

func TestClean(t *testing.T) {
	long := strings.Repeat("x", 2*maxEscapeBytes)
	digits := strings.Repeat("7", 2*maxEscapeBytes)
	rows := []struct{ name, raw, want string }{
		{"plain", "a\tb\nc", "a\tb\nc"},
		{"colour", "\x1b[1;31mred\x1b[0m", "red"},
		{"cursor", "a\x1b[2K\x1b[1Gb\x1b[?25l", "ab"},
		{"clipboard", "a\x1b]52;c;c2VjcmV0\x07b", "ab"},
		{"title", "a\x1b]0;title\x1b\\b", "ab"},
		{"link", "\x1b]8;;http://x/\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"device control", "a\x1bP1$r0m\x1b\\b", "ab"},
		{"application command", "a\x1b_payload\x1b\\b", "ab"},
		{"charset", "a\x1b(Bb", "ab"},
		{"two bytes", "a\x1b7b\x1b=c", "abc"},
		{"unterminated string ends at the line", "a\x1b]0;title\nnext", "a0;title\nnext"},
		{"unterminated string ends at the cap", "a\x1b]" + long, "a" + long},
		{"unterminated at the end", "a\x1b]0;title", "a0;title"},
		{"colour cut off at the end", "a\x1b[38;5;1", "a"},
		{"colour cut off at the line", "a\x1b[38;5\nb", "a\nb"},
		{"charset cut off", "a\x1b($", "a"},
		{"parameters without an end", "a\x1b[" + digits, "a" + digits},
		{"string broken by another", "a\x1b]0;t\x1b[1mb", "ab"},
		{"sequence broken by a control", "a\x1b[1\x01b", `a\x01b`},
		{"lone escape", "a\x1b", "a"},
		{"escape before a line end", "a\x1b\nb", "a\nb"},
		{"controls", "a\x00b\x08c\x7fd\ae", `a\x00b\x08c\x7fd\x07e`},
		{"C1 as a rune", "a\u009b1mb", `a\u009b1mb`},
		{"not UTF-8", "a\xff\xc3(b", `a\xff\xc3(b`},
		{"cut rune", "a\xe2\x82", `a\xe2\x82`},
		{"runes", "aé漢😀b", "aé漢😀b"},
		{"replacement character stays", "a\ufffdb", "a\ufffdb"},
		{"CRLF", "a\r\nb\r\n", "a\nb\n"},
		{"CR CR LF", "a\r\r\nb", "a\nb"},
		{"frames", "x\n 1%\r 50%\r100%\nend", "x\n100%\nend"},
		{"frame at the end", "x\n 1%\r 50%\r", "x\n 50%"},
		{"frames with colours", "\x1b[32m1\x1b[0m\r\x1b[32m2\x1b[0m\r\n", "2\n"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got := clean([]byte(row.raw), noLimit, false)
			if string(got.text) != row.want {
				t.Errorf("got %q, want %q", got.text, row.want)
			}
			if got.used != len(row.raw) {
				t.Errorf("used %d of %d bytes", got.used, len(row.raw))
			}
			if invalid := !utf8.ValidString(row.raw); got.binary != invalid {
				t.Errorf("binary %t, want %t", got.binary, invalid)
			}
		})
	}
}

// A stream may be cut anywhere: cleaning it in two pieces, with what the first
// leaves unused carried over, gives what cleaning it whole gives. Frames are
// left out, because an overwritten frame was told already.
func TestCleanInPieces(t *testing.T) {
	raw := "aé漢😀\x1b[1;31mred\x1b[0m\x1b]8;;http://x/\x1b\\text\x1b]8;;\x07\r\nnext\x1bPdata\x1b\\\xff\xc3(\x1b(Bend\n"
	want := string(clean([]byte(raw), noLimit, false).text)
	for cut := range len(raw) {
		first := clean([]byte(raw[:cut]), noLimit, true)
		second := clean([]byte(raw[first.used:]), noLimit, false)
		if got := string(first.text) + string(second.text); got != want {
			t.Errorf("cut at %d: got %q, want %q", cut, got, want)
		}
	}
}

// The limit holds, what is used is told, and skipFor finds the other end.
func TestCleanLimit(t *testing.T) {
	raw := []byte(strings.Repeat("ab\xff\x1b[1m漢\x01\n", 50))
	whole := string(clean(raw, noLimit, false).text)
	if got := textLength(raw); got != len(whole) {
		t.Errorf("textLength %d, want %d", got, len(whole))
	}
	for limit := range len(whole) + 2 {
		front := clean(raw, limit, false)
		if !strings.HasPrefix(whole, string(front.text)) || len(front.text) > limit+len(`\u0000`) || !utf8.Valid(front.text) {
			t.Fatalf("limit %d: front %q", limit, front.text)
		}
		if rest := clean(raw[front.used:], noLimit, false); string(front.text)+string(rest.text) != whole {
			t.Fatalf("limit %d: used %d does not fit %q", limit, front.used, front.text)
		}
		back := clean(raw[skipFor(raw, limit):], noLimit, false)
		if len(back.text) > limit || len(back.text) < min(limit, len(whole))-len(`\x00`) {
			t.Fatalf("limit %d: back has %d bytes", limit, len(back.text))
		}
	}
}

// Wherever a text may be cut, what it stands for makes that text.
func TestCleanOrigin(t *testing.T) {
	raw := "one\x1b[1mtwo\x1b[0m\x1b[K\r\n 1%\x1b[K\r\x1b[1m\xff9%\r\n\x1b[7mé\x01\x01漢\xff\xfe\r\r\nend\x1b[0m"
	whole := clean([]byte(raw), noLimit, false)
	check := func(at, text, from int) {
		t.Helper()
		got := clean([]byte(raw[:from]), noLimit, false)
		if string(got.text) != string(whole.text[:text]) {
			t.Errorf("at %d: %q stands for %q", at, raw[:from], whole.text[:text])
		}
	}
	for at := range string(whole.text) { // every rune
		text, from := whole.from.Before(at)
		check(at, text, from)
		if text > at || at-text >= len(`\x00`) {
			t.Errorf("before %d is %d", at, text)
		}
		text, from = whole.from.After(at)
		check(at, text, from)
		if text < at || text-at >= len(`\x00`) {
			t.Errorf("after %d is %d", at, text)
		}
	}
	if _, from := whole.from.Before(len(whole.text)); from != len(raw) {
		t.Errorf("all stands for %d of %d bytes", from, len(raw))
	}
	if plain := clean([]byte("plain é\n"), noLimit, false); plain.from != nil {
		t.Errorf("plain text: %v", plain.from)
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"a\x1b[1mb", "\x1b]0;t\x07", "a\rb\r\n", "\xff\xe2\x82", "\x1bP\x1b\\", "\x1b"} {
		f.Add([]byte(seed), uint8(3))
	}
	f.Fuzz(func(t *testing.T, raw []byte, at uint8) {
		got := clean(raw, noLimit, false)
		if !utf8.Valid(got.text) || strings.ContainsAny(string(got.text), "\x1b\r\x00\x7f") {
			t.Fatalf("%q gives %q", raw, got.text)
		}
		if strings.Count(string(raw), "\n") != strings.Count(string(got.text), "\n") {
			t.Fatalf("%q gives %q: line feeds differ", raw, got.text)
		}
		cut := min(int(at), len(raw))
		if first := clean(raw[:cut], noLimit, true); first.used > cut {
			t.Fatalf("used %d of %d", first.used, cut)
		}
	})
}
