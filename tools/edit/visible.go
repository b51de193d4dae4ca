package edit

import (
	"fmt"
	"strings"
	"unicode"
)

const (
	// maxShownRunes bounds one shown line: more tells nothing about a difference.
	maxShownRunes = 160
	// leadRunes is how much of a long line is shown before a difference.
	leadRunes = 40
)

// visible shows one line around the byte offset from. Blanks at its ends and
// in runs are made visible; single blanks between words stay as they are.
func visible(line string, from int) string {
	runes := []rune(line[:min(from, len(line))])
	start := 0
	if total := len(runes) + len([]rune(line[min(from, len(line)):])); total > maxShownRunes {
		start = max(0, len(runes)-leadRunes)
	}
	all := []rune(line)
	end := min(len(all), start+maxShownRunes)
	var b strings.Builder
	if start > 0 {
		b.WriteString("...")
	}
	for i := start; i < end; i++ {
		b.WriteString(visibleRune(all, i))
	}
	if end < len(all) {
		b.WriteString("...")
	}
	return b.String()
}

func visibleRune(line []rune, i int) string {
	switch r := line[i]; {
	case r == ' ' && loneBlank(line, i):
		return " "
	case r == ' ':
		return "·"
	case r == '\t':
		return "→"
	case r == '\r':
		return "␍"
	case r != ' ' && (unicode.IsSpace(r) || !unicode.IsPrint(r)):
		return fmt.Sprintf(`\u{%x}`, r)
	default:
		return string(r)
	}
}

// loneBlank says whether a blank stands alone between two words.
func loneBlank(line []rune, i int) bool {
	return i > 0 && i+1 < len(line) && !unicode.IsSpace(line[i-1]) && !unicode.IsSpace(line[i+1])
}

// blankless drops all blanks and invisible characters.
func blankless(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
}

// lookAlikes are what editors and web pages put in the place of plain
// characters.
var lookAlikes = strings.NewReplacer(
	"‘", "'", "’", "'", "‚", "'", "′", "'", "`", "'",
	"“", `"`, "”", `"`, "„", `"`, "″", `"`, "«", `"`, "»", `"`,
	"‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "−", "-",
	"…", "...", "×", "x",
)

// folded is blankless with plain characters for their look-alikes.
func folded(s string) string { return lookAlikes.Replace(blankless(s)) }
