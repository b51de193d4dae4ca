package edit

import (
	"fmt"
	"slices"
	"strings"

	"septet/backend"
	"septet/toolset"
)

// maxNamedLines is how many places of a text that occurs too often are named:
// enough to see which one was meant.
const maxNamedLines = 5

// edited is a text after an edit.
type edited struct {
	content      string
	replacements int
	firstLine    int // 1-based, in the new content
	lastLine     int
	crlf         bool // oldText and newText were taken with CRLF line ends
}

// apply replaces exactly what the input says. Bytes outside the replaced spans
// stay as they are. Errors are *toolset.Error.
func apply(path, content string, in Input) (edited, error) {
	e := edited{}
	old, text := in.OldText, in.NewText
	spans := occurrences(content, old)
	if len(spans) == 0 && onlyCRLF(content) {
		e.crlf = true
		old, text = withCRLF(old), withCRLF(text)
		spans = occurrences(content, old)
	}
	switch {
	case len(spans) == 0:
		return edited{}, noMatch(path, content, in.OldText)
	case old == text:
		return edited{}, toolset.Errorf(toolset.NoChange, "oldText and newText differ only in line ends, and %s has CRLF; it was not changed", path)
	case len(spans) > 1 && !in.ReplaceAll:
		return edited{}, manyMatches(path, content, spans)
	}
	if in.ReplaceAll {
		spans = apart(spans, len(old))
	}
	if size := len(content) + len(spans)*(len(text)-len(old)); size > backend.MaxTextBytes {
		return edited{}, toolset.Errorf(toolset.TooLarge, "%s would become %d bytes; at most %d can be written", path, size, backend.MaxTextBytes)
	}
	e.splice(content, spans, len(old), text)
	return e, nil
}

// splice puts text in the place of the spans: byte offsets, each length long.
func (e *edited) splice(content string, spans []int, length int, text string) {
	var b strings.Builder
	b.Grow(len(content) + len(spans)*max(0, len(text)-length))
	at, end := 0, 0
	for _, start := range spans {
		b.WriteString(content[at:start])
		b.WriteString(text)
		at, end = start+length, b.Len()
	}
	b.WriteString(content[at:])
	e.content, e.replacements = b.String(), len(spans)
	e.firstLine = min(lineAt(e.content, spans[0]), lineCount(e.content))
	if text != "" {
		end-- // the last byte of the text itself
	}
	e.lastLine = max(e.firstLine, min(lineAt(e.content, end), lineCount(e.content)))
}

// occurrences are the byte offsets of old in content that do not overlap; when
// there is one only, a second that overlaps it is given too, because it is just
// as unclear which is meant. An empty old occurs once in an empty text.
func occurrences(content, old string) []int {
	if old == "" {
		return []int{0}
	}
	var at []int
	for i := 0; ; {
		n := strings.Index(content[i:], old)
		if n < 0 {
			break
		}
		at = append(at, i+n)
		i += n + len(old)
	}
	if len(at) == 1 {
		if n := strings.Index(content[at[0]+1:], old); n >= 0 {
			at = append(at, at[0]+1+n)
		}
	}
	return at
}

// apart drops a span that overlaps the one before.
func apart(spans []int, length int) []int {
	if len(spans) == 2 && spans[1] < spans[0]+length {
		return spans[:1]
	}
	return spans
}

// lineAt is the 1-based line of a byte offset.
func lineAt(content string, offset int) int {
	return 1 + strings.Count(content[:offset], "\n")
}

// lineCount is at least 1.
func lineCount(content string) int {
	n := strings.Count(content, "\n")
	if !strings.HasSuffix(content, "\n") {
		n++
	}
	return max(1, n)
}

// onlyCRLF says whether a text has line ends and all of them are CRLF.
func onlyCRLF(s string) bool {
	n := strings.Count(s, "\r\n")
	return n > 0 && n == strings.Count(s, "\n")
}

func withCRLF(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

func manyMatches(path, content string, spans []int) error {
	var lines []string
	for _, at := range spans[:min(len(spans), maxNamedLines)] {
		lines = append(lines, fmt.Sprint(lineAt(content, at)))
	}
	lines = slices.Compact(lines)
	if len(spans) > maxNamedLines {
		lines = append(lines, "...")
	}
	return toolset.Errorf(toolset.ManyMatches, "oldText occurs %d times in %s: lines %s", len(spans), path, strings.Join(lines, ", ")).
		WithHint("add lines around it to oldText so that it occurs once, or pass replaceAll=true to replace them all")
}
