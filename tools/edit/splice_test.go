package edit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"septet/backend"
	"septet/toolset"
)

func TestApply(t *testing.T) {
	for _, tt := range []struct {
		name        string
		content     string
		in          Input
		want        string
		first, last int
		times       int
		crlf        bool
	}{
		{"a word", "one two\nthree\n", Input{OldText: "two", NewText: "2"}, "one 2\nthree\n", 1, 1, 1, false},
		{"some lines", "a\nb\nc\nd\n", Input{OldText: "b\nc\n", NewText: "B\nC\nX\n"}, "a\nB\nC\nX\nd\n", 2, 4, 1, false},
		{"removal", "a\nb\nc\n", Input{OldText: "b\n"}, "a\nc\n", 2, 2, 1, false},
		{"removal at the end", "a\nb\n", Input{OldText: "b\n"}, "a\n", 1, 1, 1, false},
		{"dollar signs are text", "x = y\n", Input{OldText: "y", NewText: "$& $1 $$ \\1 ${y}"}, "x = $& $1 $$ \\1 ${y}\n", 1, 1, 1, false},
		{"all", "a b a\na\n", Input{OldText: "a", NewText: "cc", ReplaceAll: true}, "cc b cc\ncc\n", 1, 2, 3, false},
		{"all of what overlaps", "aaa", Input{OldText: "aa", NewText: "b", ReplaceAll: true}, "ba", 1, 1, 1, false},
		{"byte order mark stays", "\ufeffa\nb\n", Input{OldText: "a", NewText: "c"}, "\ufeffc\nb\n", 1, 1, 1, false},
		{"no final line feed", "a\nb", Input{OldText: "b", NewText: "c"}, "a\nc", 2, 2, 1, false},
		{"mixed line ends stay", "a\r\nb\nc\rd\n", Input{OldText: "b\n", NewText: "B\n"}, "a\r\nB\nc\rd\n", 2, 2, 1, false},
		{"trailing blanks stay", "a  \nb\t\n", Input{OldText: "b", NewText: "c"}, "a  \nc\t\n", 2, 2, 1, false},
		{"CRLF file, bare LF asked", "a\r\nb\r\nc\r\n", Input{OldText: "a\nb\n", NewText: "x\ny\n"}, "x\r\ny\r\nc\r\n", 1, 2, 1, true},
		{"CRLF file, exact", "a\r\nb\r\n", Input{OldText: "a\r\nb", NewText: "x"}, "x\r\n", 1, 1, 1, false},
		{"created", "", Input{NewText: "a\n"}, "a\n", 1, 1, 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, err := apply("f", tt.content, tt.in)
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%q %d-%d %d %t", e.content, e.firstLine, e.lastLine, e.replacements, e.crlf)
			want := fmt.Sprintf("%q %d-%d %d %t", tt.want, tt.first, tt.last, tt.times, tt.crlf)
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	big := strings.Repeat("x", backend.MaxTextBytes)
	for _, tt := range []struct {
		name, content string
		in            Input
		code          toolset.Code
		fact          string
	}{
		{"twice", "a\nb\na\n", Input{OldText: "a", NewText: "c"}, toolset.ManyMatches, "oldText occurs 2 times in f: lines 1, 3"},
		{"seven times", "a\na\na\na\na\na\na\n", Input{OldText: "a", NewText: "c"}, toolset.ManyMatches, "oldText occurs 7 times in f: lines 1, 2, 3, 4, 5, ..."},
		{"overlapping", "aaa", Input{OldText: "aa", NewText: "c"}, toolset.ManyMatches, "oldText occurs 2 times in f: lines 1"},
		{"mixed line ends get no mercy", "a\r\nb\nc\r\n", Input{OldText: "a\nb", NewText: "c"}, toolset.NoMatch, "oldText is not in f; closest: lines 1-2, different in blanks or line ends only"},
		{"a line end only", "a\r\nb\r\n", Input{OldText: "a\nb", NewText: "a\r\nb"}, toolset.NoChange, "oldText and newText differ only in line ends, and f has CRLF; it was not changed"},
		{"too large", "a", Input{OldText: "a", NewText: big + "x"}, toolset.TooLarge, "f would become 1048577 bytes; at most 1048576 can be written"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := apply("f", tt.content, tt.in)
			e := toolset.AsError(err)
			if err == nil || e.Code != tt.code || e.Fact != tt.fact {
				t.Errorf("got %v %q\nwant %v %q", e.Code, e.Fact, tt.code, tt.fact)
			}
		})
	}
}

// TestOnlySpansChange: whatever is outside the replaced text is identical.
func TestOnlySpansChange(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"\ufeff", "a", "b", " ", "\t", "\n", "\r\n", "\r", "é", "$&", "  \n", "x\x01"}
	text := func(n int) string {
		var b strings.Builder
		for range random.IntN(n) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	tried := 0
	for range 5000 {
		before, old, after, fresh := text(30), "<"+text(4)+">", text(30), text(6)
		e, err := apply("f", before+old+after, Input{OldText: old, NewText: fresh})
		if err != nil {
			if toolset.AsError(err).Code != toolset.NoChange {
				t.Fatalf("%q in %q: %v", old, before+old+after, err)
			}
			continue
		}
		tried++
		if e.content != before+fresh+after || e.crlf {
			t.Fatalf("%q -> %q in %q gave %q", old, fresh, before+old+after, e.content)
		}
	}
	if tried < 4700 {
		t.Errorf("only %d of 5000 inputs were edits", tried)
	}
}
