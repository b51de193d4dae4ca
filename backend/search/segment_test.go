package search

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"septet/backend"
)

// bigText is a file of three segments with a needle in about every place
// where segments could go wrong: on both sides of each limit and across it.
func bigText() []byte {
	text := bytes.Repeat([]byte("filler, nothing to see\n"), 11<<20/23)
	for _, limit := range []int{MaxSegmentBytes, 2 * MaxSegmentBytes} {
		for at := limit - 40; at < limit+40; at++ {
			if text[at] == '\n' {
				copy(text[at+1:], "needle")
			}
		}
	}
	copy(text[limitLine(text, 1<<20):], "needle")
	return append(text, "needle at the end"...)
}

func limitLine(text []byte, at int) int { return at + bytes.IndexByte(text[at:], '\n') + 1 }

func lineNumbers(text []byte) string {
	var b strings.Builder
	for i, l := range bytes.Split(text, newline) {
		if bytes.Contains(l, []byte("needle")) {
			fmt.Fprintf(&b, "%d ", i+1)
		}
	}
	return b.String()
}

func numbersOf(r backend.GrepResult) string {
	var b strings.Builder
	for _, m := range r.Matches {
		fmt.Fprintf(&b, "%d ", m.Line)
	}
	return b.String()
}

func TestSegments(t *testing.T) {
	text := bigText()
	w := newWorld(t, "a/big="+string(text), "b=needle\n")
	want := lineNumbers(text)
	for _, path := range []string{"a", "a/big"} {
		r := w.grep(path, "needle")
		if numbersOf(r) != want || r.Summary.Files != 1 || r.FileCount != 1 || r.MatchCount != int64(len(r.Matches)) {
			t.Errorf("%s: got %s %+v, want %s", path, numbersOf(r), r.Summary, want)
		}
		count := w.grep(path, "needle", countMode)
		if got := shown(count); got != fmt.Sprintf("a/big:%d", strings.Count(want, " ")) {
			t.Errorf("%s: got %s", path, got)
		}
		if r := w.grep(path, "needle", filesMode); shown(r) != "a/big" || r.FileCount != 1 {
			t.Errorf("%s: got %s %d", path, shown(r), r.FileCount)
		}
		if r := w.grep(path, "needle", most(3)); numbersOf(r) != strings.Join(strings.SplitAfterN(want, " ", 4)[:3], "") {
			t.Errorf("%s: got %s", path, numbersOf(r))
		}
	}
	if got := shown(w.grep(".", "needle", filesMode)); got != "a/big b" {
		t.Errorf("got %s", got)
	}
}

func TestSegmentsOfBinaryFiles(t *testing.T) {
	text := bytes.Repeat([]byte("filler, nothing to see\n"), 11<<20/23)
	late := bytes.Clone(text)
	late[6<<20] = 0
	copy(late[limitLine(late, 10<<20):], "needle")
	hit := bytes.Clone(late)
	copy(hit[limitLine(late, 3<<20):], "needle")
	w := newWorld(t, "late="+string(late), "hit="+string(hit))
	if r := w.grep(".", "needle", countMode); shown(r) != "hit:2" || r.Summary.Binary != 1 || r.Summary.Files != 1 {
		t.Errorf("got %s %+v", shown(r), r.Summary)
	}
}

// TestSegmentsOfLongLines: a line that is longer than segments belongs to the
// one it begins in.
func TestSegmentsOfLongLines(t *testing.T) {
	long := strings.Repeat("x", 6<<20)
	w := newWorld(t, "long=one\n"+long+"needle\r\n"+long+"\nneedle $\nlast")
	r := w.grep(".", "needle$|^needle")
	if numbersOf(r) != "2 4 " {
		t.Fatalf("got %s", numbersOf(r))
	}
	if m := r.Matches[0]; !strings.HasSuffix(m.Text, "needle") || len(m.Text) > backend.MaxMatchBytes {
		t.Errorf("got %.60q, %d bytes", m.Text, len(m.Text))
	}
}
