package edit

import (
	"fmt"
	"regexp"
	"strings"

	"septet/toolset"
)

// maxShownLines bounds the lines of a place that are shown beside oldText:
// the first differences tell what went wrong, read shows the rest.
const maxShownLines = 3

// noMatch explains why oldText is not in content. What it finds is only told,
// never applied: a guess would edit the wrong place sooner or later.
func noMatch(path, content, old string) error {
	fact := "oldText is not in " + path
	if content == "" {
		return toolset.Errorf(toolset.NoMatch, "%s: the file is empty", fact).WithHint("use write to fill it")
	}
	if reason := misquoted(content, old); reason != "" {
		return toolset.Errorf(toolset.NoMatch, "%s: %s", fact, reason).
			WithHint("copy the text from the file as it is: read {%q:%q}", "path", path)
	}
	at, found := closest(content, old)
	if !found {
		return toolset.Errorf(toolset.NoMatch, "%s, nor anything like it", fact).
			WithHint("look for it with grep, or read {%q:%q}", "path", path)
	}
	return toolset.Errorf(toolset.NoMatch, "%s; closest: %s, %s", fact, at, at.difference()).
		WithHint("%s", at.hint(path))
}

var numberedLine = regexp.MustCompile(`(?m)^\s*\d+(: |\t|→|\|)`)

// misquoted finds two ways in which a text is spoiled on its way: the line
// numbers of a listing, and line feeds or tabs as two characters.
func misquoted(content, old string) string {
	lines := strings.Count(strings.TrimSuffix(old, "\n"), "\n") + 1
	bare := numberedLine.ReplaceAllString(old, "")
	if len(numberedLine.FindAllStringIndex(old, lines+1)) == lines && bare != "" && strings.Contains(content, bare) {
		return "it holds line numbers, which are no part of the file"
	}
	plain := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`).Replace(old)
	if plain != old && strings.Contains(content, plain) {
		return fmt.Sprintf(`it holds escapes such as \n as two characters; without them it is at line %d`,
			lineAt(content, strings.Index(content, plain)))
	}
	return ""
}

// place is where a text is closest to oldText.
type place struct {
	first int      // zero-based line
	lines []string // of the file, without line feeds
	old   []string // of oldText
}

func (p place) String() string {
	if len(p.lines) == 1 {
		return fmt.Sprintf("line %d", p.first+1)
	}
	return fmt.Sprintf("lines %d-%d", p.first+1, p.first+len(p.lines))
}

// difference says in what the place differs from oldText.
func (p place) difference() string {
	have, want := strings.Join(p.lines, "\n"), strings.Join(p.old, "\n")
	switch {
	case strings.Contains(blankless(have), blankless(want)):
		return "different in blanks or line ends only"
	case strings.Contains(folded(have), folded(want)):
		return "different in look-alike characters such as quotes or dashes"
	case strings.Contains(strings.ToLower(folded(have)), strings.ToLower(folded(want))):
		return "different in upper and lower case"
	}
	equal := 0
	for i := range min(len(p.lines), len(p.old)) {
		if p.lines[i] == p.old[i] {
			equal++
		}
	}
	return fmt.Sprintf("%d of %d lines equal", equal, len(p.old))
}

// hint shows the first lines that differ, with visible blanks, and the call
// that shows the place as it is.
func (p place) hint(path string) string {
	var b strings.Builder
	b.WriteString("the file's text beside oldText (· blank, → tab, ␍ carriage return):\n")
	shown := 0
	for i := 0; i < len(p.old) && shown < maxShownLines; i++ {
		have := ""
		if i < len(p.lines) {
			have = p.lines[i]
		}
		if have == p.old[i] {
			continue
		}
		from := firstDifference(have, p.old[i])
		label := fmt.Sprintf("line %d:", p.first+i+1)
		fmt.Fprintf(&b, "  %-*s %s\n  %-*s %s\n", len("oldText:"), label, visible(have, from), len(label), "oldText:", visible(p.old[i], from))
		shown++
	}
	fmt.Fprintf(&b, `then read {"path":%q,"offset":%d,"limit":%d} and copy it exactly`, path, p.first, max(1, min(len(p.lines), 2000)))
	return b.String()
}

// firstDifference is the byte offset at which two lines differ.
func firstDifference(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}
