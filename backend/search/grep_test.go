package search

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"septet/backend"
	"septet/safepath"
)

func literal(q *backend.GrepQuery)   { q.Literal = true }
func fold(q *backend.GrepQuery)      { q.CaseInsensitive = true }
func filesMode(q *backend.GrepQuery) { q.Mode = backend.GrepFiles }
func countMode(q *backend.GrepQuery) { q.Mode = backend.GrepCount }

func around(n int) func(*backend.GrepQuery)     { return func(q *backend.GrepQuery) { q.Context = n } }
func most(n int) func(*backend.GrepQuery)       { return func(q *backend.GrepQuery) { q.MaxResults = n } }
func only(glob string) func(*backend.GrepQuery) { return func(q *backend.GrepQuery) { q.Glob = glob } }

func TestGrep(t *testing.T) {
	w := newWorld(t, "a.txt=one\ntwo\nthree\n", "b/c.txt=Two\nx(y)\n", "b/.h=two", "crlf=foo\r\nbar\r\n", "latin=caf\xe9 two\n", ".git/x=two", "dash=-e\n", "empty=", "link->a.txt")
	for _, c := range []struct {
		path, pattern string
		change        []func(*backend.GrepQuery)
		want          string
	}{
		{".", "two", nil, `a.txt:2:"two" b/.h:1:"two" latin:1:"caf\\xe9 two"`},
		{".", "two", with(fold), `a.txt:2:"two" b/.h:1:"two" b/c.txt:1:"Two" latin:1:"caf\\xe9 two"`},
		{".", "^t", with(only("*.txt")), `a.txt:2:"two" a.txt:3:"three"`},
		{".", "^T", with(only("b/*.txt")), `b/c.txt:1:"Two"`},
		{"b", "T", with(only("b/*.txt")), `b/c.txt:1:"Two"`},
		{"b", "T", with(only("c/*.txt")), ``},
		{".", "x(y)", with(literal), `b/c.txt:2:"x(y)"`},
		{".", "-e", nil, `dash:1:"-e"`},
		{".", "foo$", nil, `crlf:1:"foo"`},
		{".", `\r$`, nil, `crlf:1:"foo" crlf:2:"bar"`},
		{".", `e$`, with(filesMode), `a.txt dash`},
		{".", `o`, with(countMode), `a.txt:2 b/.h:1 b/c.txt:1 crlf:1 latin:1`},
		{".", `o`, with(countMode, most(2)), `a.txt:2 b/.h:1`},
		{".", "t", with(most(2)), `a.txt:2:"two" a.txt:3:"three"`},
		{".", "two", with(most(1), around(1)), `a.txt:2:"two"["one"]["three"]`},
		{"a.txt", "three|one", with(around(1)), `a.txt:1:"one"[]["two"] a.txt:3:"three"`},
		{"a.txt", "two", with(only("*.md")), ``},
		{"link", "two", nil, `a.txt:2:"two"`},
		{".", "", with(most(3)), `a.txt:1:"one" a.txt:2:"two" a.txt:3:"three"`},
		{".git", "two", nil, `.git/x:1:"two"`},
	} {
		if got := shown(w.grep(c.path, c.pattern, c.change...)); got != c.want {
			t.Errorf("grep %q in %s: got %s, want %s", c.pattern, c.path, got, c.want)
		}
	}
}

// TestFilterBelowOddNames: a directory whose name looks like a class is found
// by its name, also when the search begins in it.
func TestFilterBelowOddNames(t *testing.T) {
	w := newWorld(t, "app/[id]/p.tsx=x\n", "app/i/p.tsx=x\n")
	for _, path := range []string{".", "app", "app/[id]", "app/[id]/p.tsx"} {
		if got := shown(w.grep(path, "x", filesMode, only("app/[id]/*.tsx"))); got != "app/[id]/p.tsx" {
			t.Errorf("in %s: got %s", path, got)
		}
	}
}

func with(change ...func(*backend.GrepQuery)) []func(*backend.GrepQuery) { return change }

func TestGrepSkipsAndCounts(t *testing.T) {
	w := newWorld(t, "text=x\n", "nul=a\x00\nx\n", "late="+strings.Repeat("y\n", 9000)+"\x00\nx\n", "hit=x\n"+strings.Repeat("y\n", 9000)+"\x00\n", "utf16=\xff\xfex\x00")
	w.make("big=x\n" + strings.Repeat("y\n", 4096))
	w.must(os.Truncate(filepath.Join(w.root, "big"), backend.MaxSearchFileBytes+1))
	r := w.grep(".", "x", filesMode)
	if shown(r) != "hit text" || r.Summary.Binary != 3 || r.Summary.TooLarge != 1 || r.Summary.Files != 2 {
		t.Errorf("got %s %+v", shown(r), r.Summary)
	}
	if r := w.grep("big", "x"); len(r.Matches) != 1 || r.Summary.TooLarge != 0 {
		t.Errorf("a named file is searched whatever its size: got %+v", r)
	}
}

func TestGrepRefuses(t *testing.T) {
	w := newWorld(t, "a")
	for _, c := range []struct{ pattern, fact string }{
		{"a(b", "at byte 1"}, {"a)b", "at byte 1"}, {"x[a", "at byte 1"}, {"a**", "at byte 1"}, {`a\`, "at byte 1"}, {"(?P<n", "at byte 0"}, {"a\nb", "line end"},
		{`a\nb`, `\n`}, {"[[:x:]]", "at byte 1"}, {`\8`, "at byte 0"}, {"a{1001}", "at byte 1"}, {`x\p{No}{Zz}\pQ`, "at byte"}, {`([(]`, "at byte 0"}, {strings.Repeat("a", MaxPatternBytes+1), "at most"},
	} {
		_, err := w.search.Grep(t.Context(), w.resolve("."), backend.GrepQuery{Pattern: c.pattern, Mode: backend.GrepContent, MaxResults: 1})
		if safepath.CodeOf(err) != backend.InvalidPattern || !strings.Contains(err.Error(), c.fact) {
			t.Errorf("%.40q: got %v, want %q", c.pattern, err, c.fact)
		}
	}
	if r := w.grep(".", `[^\n]\s`); len(r.Matches) != 0 {
		t.Errorf("a class with a line feed is no mistake: %+v", r)
	}
}

// TestGrepByteOrderMark: the mark is no part of the first line, however the
// file is read.
func TestGrepByteOrderMark(t *testing.T) {
	w := newWorld(t, "a=\ufeffpackage x\n\ufeffpackage y\n", "only=\ufeff", "part=\xef\xbb", "last=\ufeffpackage z", "long=\ufeffpackage "+strings.Repeat("l", MaxLineBytes)+"\n")
	w.make("split=\ufeffpackage s\n" + strings.Repeat("y\n", minSplitBytes))
	for path, want := range map[string]string{"a": `a:1:"package x"`, "only": "", "part": "", "last": `last:1:"package z"`, "split": `split:1:"package s"`} {
		if got := shown(w.grep(path, "^package")); got != want {
			t.Errorf("%s: got %s", path, got)
		}
	}
	if r := w.grep("long", "^package l+$"); len(r.Matches) != 1 {
		t.Errorf("a long first line: got %d matches", len(r.Matches))
	}
}

func TestLongLines(t *testing.T) {
	long := strings.Repeat("ab ", 2000)
	huge := strings.Repeat("é", MaxLineBytes)
	w := newWorld(t, "long="+long+"needle"+long+"\nnext\n", "huge=first\n"+huge+"needle"+huge+"\r\nlast needle\n")
	r := w.grep(".", "needle", around(1))
	if len(r.Matches) != 3 {
		t.Fatalf("got %d matches", len(r.Matches))
	}
	for i, m := range r.Matches {
		if len(m.Text) > backend.MaxMatchBytes || !strings.Contains(m.Text, "needle") {
			t.Errorf("match %d: %d bytes, %.80s", i, len(m.Text), m.Text)
		}
	}
	if m := r.Matches[0]; m.Line != 2 || !strings.HasPrefix(m.Text, "[") || !strings.HasSuffix(m.Text, " bytes]") || m.Before[0] != "first" {
		t.Errorf("got %d %.40q ... %q %q", m.Line, m.Text, m.Text[len(m.Text)-30:], m.Before)
	}
	if m := r.Matches[1]; m.Line != 3 || m.Text != "last needle" {
		t.Errorf("got %d %q", m.Line, m.Text)
	}
	if m := r.Matches[2]; m.Line != 1 || m.After[0] != "next" {
		t.Errorf("got %+v", m)
	}
	if r := w.grep("huge", "needleé+$", countMode); r.MatchCount != 1 {
		t.Errorf("the end of a long line: got %d", r.MatchCount)
	}
	if r := w.grep("huge", "last", around(1)); len(r.Matches[0].Before[0]) > backend.MaxMatchBytes {
		t.Errorf("a long line as context: %d bytes", len(r.Matches[0].Before[0]))
	}
}

func TestGrepStopsAtBytes(t *testing.T) {
	w := newWorld(t, "a="+strings.Repeat(strings.Repeat("x", 1000)+"\n", 1000))
	r := w.grep(".", "x")
	if r.Summary.Stopped != backend.StoppedAtBytes || len(r.Matches) != backend.MaxGrepBytes/1000 {
		t.Errorf("got %d matches, stopped %q", len(r.Matches), r.Summary.Stopped)
	}
}
