package line

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// oracle asks package regexp about every line and returns those that match, as
// offsets.
func oracle(e *Expression, text []byte) (found [][2]int) {
	for at := 0; at < len(text); {
		end := lineEndAt(text, at)
		if e.MatchLine(text[at:end]) {
			found = append(found, [2]int{at, end})
		}
		at = end + 1
	}
	return found
}

// all goes through text with Next.
func all(m *Matcher, text []byte) (found [][2]int) {
	for at := 0; at < len(text); {
		start, end := m.Next(text[at:])
		if start == len(text)-at {
			break
		}
		found = append(found, [2]int{at + start, at + end})
		at += end + 1
	}
	return found
}

func check(t *testing.T, pattern string, fold bool, texts [][]byte) (matches int) {
	t.Helper()
	e, err := Compile(pattern, fold)
	if err != nil {
		return 0
	}
	for k, limit := range []int{maxTableBytes, 3000} {
		m := e.newMatcher(limit)
		m.literal.wide = m.literal.wide && k == 0 // the other way has to be right too
		for _, text := range texts {
			want := oracle(e, text)
			got := all(m, text)
			matches += len(want)
			if !equal(got, want) {
				t.Fatalf("pattern %q fold %v, table %d, text %.200q (%d bytes): got %v, want %v", pattern, fold, limit, text, len(text), clip(got), clip(want))
			}
		}
	}
	return matches
}

func equal(a, b [][2]int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func clip(found [][2]int) [][2]int { return found[:min(len(found), 5)] }

var (
	regexPieces = []string{
		"a", "b", "foo", "k", "S", "é", "ſ", "\uFFFD", `\xff`, "x", "0", " ", ".", ".*", ".+", "[ab]", "[^a]", `\w`, `\W`, `\d`, `\s`, `\S`, `\b`, `\B`, "^", "$", `\A`, `\z`,
		"(?i:foo)", "(?i:k)", "(?i:é)", "(?m:^)", "(?m:$)", "(?s:.)", "(", ")", "(?:", ")", "|", "*", "+", "?", "*?", "{2}", "{1,3}", "{0,2}", `\r`, `\x00`, `\pL`, `\p{Greek}`, `\PN`, "[é-ü]", `[^\x00-\x7f]`, `[\x{FFFD}]`, "error|panic", "foo|bar|x", `\Q.\E`,
	}
	textPieces = []string{"a", "b", "foo", "Foo", "k", "K", "\u212a", "s", "ſ", "é", "É", "\uFFFD", "\xff", "\xc3", "\xe2\x82", "x", "0", "9", " ", "_", "-", ".", "\r", "\x00", "α", "bar", "error", "panic", "\U0001F600", "\n", "\n", "\r\n", "\n\n"}
)

func pick(r *rand.Rand, pieces []string, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// TestAgainstRegexp: the same lines as package regexp, for every kind of
// pattern, text and table size.
func TestAgainstRegexp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	comparisons, matches := 0, 0
	for comparisons < 200_000 {
		var texts [][]byte
		for range 8 {
			texts = append(texts, []byte(pick(r, textPieces, 12)))
		}
		if r.IntN(40) == 0 {
			texts = append(texts, bytes.Repeat([]byte(pick(r, textPieces, 30)+"\n"), 400))
			texts = append(texts, append(bytes.Repeat([]byte("plain text\r\n"), 900+r.IntN(900)), pick(r, textPieces, 12)...))
		}
		if r.IntN(400) == 0 {
			texts = append(texts, []byte(strings.Repeat(pick(r, textPieces[:28], 20), 500)))
		}
		matches += check(t, pick(r, regexPieces, 5), r.IntN(4) == 0, texts)
		comparisons += 2 * len(texts)
	}
	if matches < 100_000 {
		t.Errorf("only %d lines matched", matches)
	}
}

// TestLongLines: a line that comes in parts gives the answer of the whole.
func TestLongLines(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 5000 {
		pattern, text := pick(r, regexPieces, 4), strings.ReplaceAll(pick(r, textPieces, 12), "\n", "")
		e, err := Compile(pattern, r.IntN(4) == 0)
		if err != nil {
			continue
		}
		open := func() io.Reader { return iotest.OneByteReader(strings.NewReader(text)) }
		for _, limit := range []int{maxTableBytes, 3000} {
			m := e.newMatcher(limit)
			at, got, err := m.MatchLong(open)
			if want := e.MatchLine([]byte(text)); got != want || err != nil {
				t.Fatalf("pattern %q, text %q: got %v, %v, want %v", pattern, text, got, err, want)
			}
			loc := e.re.FindStringIndex(text)
			if got && loc != nil && int(at) < loc[0] {
				t.Fatalf("pattern %q, text %q: at %d, the match is %v", pattern, text, at, loc)
			}
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add("foo|ba[rz]$", "foo\r\nbar\n", false)
	f.Add(`\bK\B`, "\u212a\n", true)
	f.Fuzz(func(t *testing.T, pattern, text string, fold bool) {
		if len(pattern) > 100 {
			return
		}
		check(t, pattern, fold, [][]byte{[]byte(text), []byte(strings.Repeat(text+"\n", 50))})
	})
}

// TestRequired: what is looked for before anything else.
func TestRequired(t *testing.T) {
	for _, c := range []struct {
		pattern string
		fold    bool
		want    string
		whole   bool
	}{
		{"hello", false, "hello", true},
		{"hello", true, "hello", true},
		{"task_force", true, "_force", false},
		{"hello.*yello", false, "hello", false}, {"hello.*world_x", false, "world_x", false}, {"(of)?.*world_x", false, "world_x", false},
		{"(hello|world)x*", false, "hello world", false},
		{"hello|world", false, "hello world", true},
		{"a+", false, "", false},
		{"(quux)+", false, "quux", false},
		{"(quux)*", false, "", false},
		{"(quux){2,3}", false, "quux", false},
		{"caf\u00e9", true, "caf", false},
		{"caf\u00e9", false, "caf\u00e9", true},
		{"quux\uFFFDcd", false, "quux", false},
		{"one|two|six|ten|axe", false, "", false},
		{`\p{Greek}{3}`, false, "non-ASCII", false},
		{`[a\p{Greek}]+`, false, "", false},
		{`(?i:[\x{17f}])`, false, "", false},
		{`\p{Greek} quux`, false, " quux", false},
		{strings.Repeat("long", 20), true, strings.Repeat("long", 16), false},
	} {
		e, err := Compile(c.pattern, c.fold)
		if err != nil {
			t.Fatal(err)
		}
		got, whole := "", false
		if e.literal != nil {
			whole = e.literal.whole
			for _, p := range e.literal.pieces {
				got += " " + p.text
				if p.high {
					got += "non-ASCII"
				}
			}
		}
		if strings.TrimPrefix(got, " ") != c.want || whole != c.whole {
			t.Errorf("%q fold %v: got %q %v, want %q %v", c.pattern, c.fold, got, whole, c.want, c.whole)
		}
	}
}

// TestComesBack: text in which looking for the literal was of no use does not
// decide about all that follows.
func TestComesBack(t *testing.T) {
	e, err := Compile("quux[0-9]", false)
	if err != nil {
		t.Fatal(err)
	}
	m := e.NewMatcher()
	all(m, bytes.Repeat([]byte("quux\n"), 1000))
	if m.literal.useful() {
		t.Fatal("it goes on although every line holds the text")
	}
	all(m, bytes.Repeat([]byte("plain text\n"), 100_000))
	if !m.literal.useful() {
		t.Error("it never comes back")
	}
}

// TestGivesUp: a pattern with more states than text per state is left to
// package regexp; the answer stays the same.
func TestGivesUp(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	text := make([]byte, 1<<16)
	for i := range text {
		text[i] = "ab\n"[r.IntN(3)%3]
		if text[i] == '\n' && r.IntN(50) > 0 {
			text[i] = 'a'
		}
	}
	e, err := Compile("(a|b)*a(a|b){14}c", false)
	if err != nil {
		t.Fatal(err)
	}
	m := e.newMatcher(20_000)
	m.literal.literal = nil
	if got := all(m, text); len(got) != 0 {
		t.Errorf("got %v", clip(got))
	}
	if m.automaton != nil {
		t.Error("the automaton goes on for ever")
	}
}
