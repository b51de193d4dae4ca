package cli

import (
	"fmt"
	"strconv"
	"strings"

	"septet/backend"
	"septet/session"
)

// patch prints the diff of a change in the format of diff -u.
func (s *screen) patch(r session.Record) {
	before, after := "a/"+r.Path, "b/"+r.Path
	if r.Kind == backend.Created {
		before = "/dev/null"
	}
	if r.Kind == backend.Deleted {
		after = "/dev/null"
	}
	s.line(s.paint(bold, "--- "+before))
	s.line(s.paint(bold, "+++ "+after))
	for _, h := range r.Hunks {
		s.line(s.paint(cyan, fmt.Sprintf("@@ -%s +%s @@", lineRange(h.OldStart, h.OldLines), lineRange(h.NewStart, h.NewLines))))
		for _, line := range h.Lines {
			s.line(s.patchLine(line))
		}
	}
}

// lineRange writes the place of a hunk; a count of one is left out, as diff
// does.
func lineRange(start, lines int) string {
	if lines == 1 {
		return strconv.Itoa(start)
	}
	return fmt.Sprintf("%d,%d", start, lines)
}

// patchLine colours a line of a diff. On a terminal, control characters of the
// file are shown and not sent: an escape sequence in a file could retitle the
// window or hide what the diff says.
func (s *screen) patchLine(line string) string {
	if s.visible {
		line = visible(line)
	}
	switch line[:1] {
	case "+":
		return s.paint(green, line)
	case "-":
		return s.paint(red, line)
	case `\`:
		return s.paint(dim, line)
	}
	return line
}

// visible writes control characters, but for tabs, as escapes.
func visible(line string) string {
	if strings.IndexFunc(line, isControl) < 0 {
		return line
	}
	var b strings.Builder
	for _, c := range line {
		if isControl(c) {
			quoted := strconv.QuoteRuneToASCII(c)
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func isControl(c rune) bool { return c != '\t' && (c < ' ' || c >= 0x7f && c < 0xa0) }
