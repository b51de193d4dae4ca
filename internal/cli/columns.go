package cli

import (
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"septet/internal/cli/machine"
)

const (
	// usualColumns is the width of a terminal that nobody made wider, and of
	// one that does not tell.
	usualColumns = 80
	// minProseColumns is the narrowest column in which text is still easier to
	// read broken at words than by the terminal.
	minProseColumns = 20
)

// columnsOf is the width of a terminal; 0 for what is none, where lines stay
// whole: a script takes a line for a fact.
func columnsOf(w io.Writer) int {
	if !isTerminal(w) {
		return 0
	}
	if n := machine.Columns(w.(*os.File)); n > 0 {
		return n
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return usualColumns
}

// prose breaks text at blanks so that it fits columns; lines after the first
// are indented, the first is where the caller puts it, as far in. With no
// columns, and in too few, it returns text as it is.
func prose(text string, columns, indent int) string {
	width := columns - indent
	if width < minProseColumns {
		return text
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, brokenAt(line, width)...)
	}
	return strings.Join(lines, "\n"+strings.Repeat(" ", indent))
}

// brokenAt breaks one line at blanks. A word that is wider stays whole: it is
// a path or a command, which a person wants to copy.
func brokenAt(line string, width int) []string {
	var lines []string
	for utf8.RuneCountInString(line) > width {
		cut := blankWithin(line, width)
		if cut < 0 {
			break
		}
		lines = append(lines, strings.TrimRight(line[:cut], " "))
		line = strings.TrimLeft(line[cut:], " ")
	}
	return append(lines, line)
}

// blankWithin is the offset of the last blank after a word of line that has at
// most width characters before it, else of the first one; -1 when there is
// none.
func blankWithin(line string, width int) int {
	cut, column, begun := -1, 0, false
	for offset, c := range line {
		if c == ' ' && begun {
			if column > width && cut >= 0 {
				return cut
			}
			cut = offset
		}
		begun = begun || c != ' '
		column++
	}
	return cut
}
