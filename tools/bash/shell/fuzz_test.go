package shell_test

import (
	"os"
	"strings"
	"testing"

	"septet/session"
	"septet/tools/bash/shell"
)

// FuzzAnalyse: no panic, and nothing that the shell may expand is recognised.
// The test finds expansions by itself, without the parser.
func FuzzAnalyse(f *testing.F) {
	text, err := os.ReadFile("testdata/commands.tsv")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		command, _, _ := strings.Cut(line, "\t")
		f.Add(command)
	}
	for _, command := range []string{
		"cat <<'E'\n$x\nE\n", "cat <<E\nx\nE\n", "cat <<\"E F\"\n`x`\nE F\n", "ls # $x", "ls '$x' \"\\$x\" \\$x", `echo "a\`, "echo 'it'\\''s'", "cat <<-'E'\n\t$x\n\tE\nls",
	} {
		f.Add(command)
	}
	ws := newDisk(f)
	f.Fuzz(func(t *testing.T, command string) {
		a := shell.Analyse(t.Context(), ws, ".", command)
		if a.Class != session.ShellAsk && expands(command) {
			t.Errorf("%q is %s", command, a.Class)
		}
		if strings.HasPrefix(a.Reason, "internal:") {
			t.Errorf("%q: %s", command, a.Reason)
		}
	})
}

// TestExpands holds the finder of expansions against plain cases.
func TestExpands(t *testing.T) {
	for command, want := range map[string]bool{
		"ls": false, "ls $x": true, "ls \"$x\"": true, "ls '$x'": false, `ls \$x`: false, `ls "\$x"`: false, "ls `x`": true, "cat <(x)": true, "cat '<(x)'": false,
		"cat <<'E'\n$x\nE": false, "cat <<E\n$x\nE": true, "cat <<'E'\n$x\nE\nls $y": true, `ls \\$x`: true, `ls "\\$x"`: true, "ls '\\'$x": true, "ls # it's $x": true,
		"cat <<-'E'\n\t$x\n\tE\nls": false, "cat <<\"E\"\n`x`\nE\n": false,
	} {
		if got := expands(command); got != want {
			t.Errorf("%q: %v, want %v", command, got, want)
		}
	}
}

// expands reports whether command holds an unescaped $, backquote or <(
// outside single quotes and quoted here-documents.
func expands(command string) bool {
	s := scanner{rest: command, start: true}
	for s.rest != "" {
		if s.step() {
			return true
		}
	}
	return false
}

// scanner walks over a command and knows quotes and here-documents only.
type scanner struct {
	rest   string
	double bool
	start  bool     // a word may begin here
	ends   []string // of quoted here-documents that begin at the next line
}

func (s *scanner) step() (expands bool) {
	c, start := s.rest[0], s.start
	s.start = strings.IndexByte(" \t\n;&|()<>", c) >= 0
	switch {
	case c == '#' && start && !s.double:
		comment, _, _ := strings.Cut(s.rest, "\n")
		s.rest = s.rest[len(comment):]
		return strings.ContainsAny(comment, "$`") || strings.Contains(comment, "<(")
	case c == '\\':
		s.rest = s.rest[min(2, len(s.rest)):]
		return false
	case c == '$' || c == '`' || !s.double && strings.HasPrefix(s.rest, "<("):
		return true
	case c == '"':
		s.double = !s.double
	case c == '\'' && !s.double:
		_, s.rest, _ = strings.Cut(s.rest[1:], "'")
		return false
	case c == '\n' && !s.double:
		s.rest = s.rest[1:]
		s.skipBodies()
		return false
	case !s.double && strings.HasPrefix(s.rest, "<<") && !strings.HasPrefix(s.rest, "<<<"):
		s.hereDocument()
		return false
	}
	s.rest = s.rest[1:]
	return false
}

// hereDocument remembers a delimiter that holds a quote.
func (s *scanner) hereDocument() {
	s.rest = strings.TrimLeft(strings.TrimPrefix(s.rest[2:], "-"), " \t")
	end := strings.IndexAny(s.rest+"\n", " \t\n;&|<>")
	word := s.rest[:end]
	if plain := strings.NewReplacer("'", "", `"`, "", `\`, "").Replace(word); plain != word {
		s.ends = append(s.ends, plain)
		s.rest = s.rest[end:]
	}
}

func (s *scanner) skipBodies() {
	for _, end := range s.ends {
		for s.rest != "" {
			line, rest, _ := strings.Cut(s.rest, "\n")
			s.rest = rest
			if strings.TrimLeft(line, "\t") == end {
				break
			}
		}
	}
	s.ends = nil
}
