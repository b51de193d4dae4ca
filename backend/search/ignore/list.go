package ignore

import (
	"bytes"
	"strings"
)

// MaxFileBytes bounds an ignore file. git has no such bound; a larger one is
// no list that a person wrote, and it is taken as absent.
const MaxFileBytes = 4 << 20

// Verdict is what the rules say about a name.
type Verdict uint8

const (
	Silent   Verdict = iota // no pattern matches
	Hidden                  // the last pattern that matches hides it
	Included                // the last pattern that matches is negated
)

// List is the compiled content of one ignore file. It is immutable. The nil
// List is silent.
type List struct {
	patterns []pattern      // in the order of the file
	names    map[string]int // literal base names: the last pattern with that name, plus one
	others   []int          // patterns that are not in names, last first
}

// pattern is one line of an ignore file.
type pattern struct {
	negated       bool
	directoryOnly bool
	baseName      bool     // matched with the last component, at any depth
	literal       string   // what a match begins with
	wild          wildcard // what follows; no tokens when the literal is all
}

// Parse compiles an ignore file. There are no errors: a line that makes no
// sense matches nothing, as in git.
func Parse(content []byte) *List {
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	l := &List{}
	for line := range bytes.SplitSeq(content, []byte("\n")) {
		l.add(string(line))
	}
	if len(l.patterns) == 0 {
		return nil
	}
	l.index()
	return l
}

func (l *List) add(line string) {
	if line == "" || line[0] == '#' {
		return
	}
	line = strings.TrimSuffix(line, "\r")
	if nul := strings.IndexByte(line, 0); nul >= 0 {
		line = line[:nul]
	}
	if p, ok := parseLine(trimBlanks(line)); ok {
		l.patterns = append(l.patterns, p)
	}
}

// trimBlanks removes trailing spaces that no backslash quotes.
func trimBlanks(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
			if i == len(line) {
				return line
			}
		}
		end = i + 1
	}
	return line[:end]
}

func parseLine(line string) (pattern, bool) {
	var p pattern
	line, p.negated = strings.CutPrefix(line, "!")
	plain := strings.IndexAny(line, `*?[\`)
	if plain < 0 {
		plain = len(line)
	}
	line, p.directoryOnly = strings.CutSuffix(line, "/")
	plain = min(plain, len(line))
	p.baseName = !strings.Contains(line, "/")
	if line, anchored := strings.CutPrefix(line, "/"); anchored {
		return p.with(line, max(plain-1, 0)), line != ""
	}
	return p.with(line, plain), line != ""
}

// with splits the text into the part without special characters and the rest.
func (p pattern) with(text string, plain int) pattern {
	p.literal = text[:plain]
	p.wild = compile(text[plain:])
	return p
}

func (l *List) index() {
	l.names = make(map[string]int)
	for i, p := range l.patterns {
		if p.indexed() {
			l.names[p.literal] = i + 1
		}
	}
	for i := len(l.patterns) - 1; i >= 0; i-- {
		if !l.patterns[i].indexed() {
			l.others = append(l.others, i)
		}
	}
}

// indexed patterns are looked up by the base name.
func (p *pattern) indexed() bool {
	return p.baseName && !p.directoryOnly && len(p.wild.tokens) == 0
}

// Match looks for the last pattern that matches. path is relative to the
// directory of the list; its base name begins at base.
func (l *List) Match(path string, base int, directory bool) Verdict {
	if l == nil {
		return Silent
	}
	last := l.names[path[base:]] - 1
	for _, i := range l.others {
		if i < last {
			break
		}
		if l.patterns[i].matches(path, base, directory) {
			last = i
			break
		}
	}
	switch {
	case last < 0:
		return Silent
	case l.patterns[last].negated:
		return Included
	default:
		return Hidden
	}
}

func (p *pattern) matches(path string, base int, directory bool) bool {
	if p.directoryOnly && !directory {
		return false
	}
	if p.baseName {
		path = path[base:]
	}
	rest, ok := strings.CutPrefix(path, p.literal)
	if !ok {
		return false
	}
	if len(p.wild.tokens) == 0 {
		return rest == ""
	}
	return p.wild.match(rest)
}
