package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	// maxFrameColumns and maxFrameRows are how much of a frame the
	// demonstration shows: whole calls and their answers, the beginning of the
	// list of tools. With the seven columns before them they fit
	// usualColumns.
	maxFrameColumns = usualColumns - 7
	maxFrameRows    = 4
)

// screen prints the demonstration, in colour on a terminal.
type screen struct {
	w      io.Writer
	colour bool
	// visible shows control characters of files as escapes. It is for every
	// terminal, also one without colour.
	visible bool
	columns int // where prose is broken; 0 for nowhere
	frames  int
	titles  int
	err     error // the first failed write
}

func newScreen(w io.Writer) *screen { return &screen{w: w, colour: coloured(w), columns: columnsOf(w)} }

// coloured: on a terminal, unless the person asked for none (no-color.org).
func coloured(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }

// The few colours of the demonstration, as parameters of SGR.
const (
	bold  = "1"
	dim   = "2"
	red   = "31"
	green = "32"
	blue  = "34"
	cyan  = "36"
)

func (s *screen) paint(colour, text string) string {
	if !s.colour || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

func (s *screen) line(text string) {
	if _, err := fmt.Fprintln(s.w, text); s.err == nil {
		s.err = err
	}
}

// title begins a step and says why it is worth seeing.
func (s *screen) title(text, why string) {
	s.titles++
	s.line("")
	s.line(s.paint(bold, fmt.Sprintf("%d. %s", s.titles, text)))
	s.line("   " + prose(why, s.columns, len("   ")))
}

// frame shows one frame that crossed the pipe.
func (s *screen) frame(sent bool, line []byte) {
	s.frames++
	arrow := s.paint(green, "<--")
	if sent {
		arrow = s.paint(blue, "-->")
	}
	for _, row := range rows(strings.TrimSpace(string(line))) {
		s.line("   " + arrow + " " + s.paint(dim, row))
		arrow = "   "
	}
}

// rows breaks a frame for the screen; a long one is cut and its size is said.
func rows(frame string) []string {
	var list []string
	runes := []rune(frame)
	for len(runes) > maxFrameColumns && len(list) < maxFrameRows {
		list = append(list, string(runes[:maxFrameColumns]))
		runes = runes[maxFrameColumns:]
	}
	if len(list) < maxFrameRows {
		return append(list, string(runes))
	}
	return append(list, fmt.Sprintf("... (%d bytes in all)", len(frame)))
}

// result shows what the model reads.
func (s *screen) result(text string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		s.line("       " + prose(line, s.columns, len("       ")))
	}
}

// tool shows a tool and what it does.
func (s *screen) tool(name, does string) {
	s.line("       " + fmt.Sprintf("%-5s ", name) + prose(does, s.columns, len("       write ")))
}

// change shows one line of a hunk.
func (s *screen) change(line string) {
	colour := dim
	switch {
	case strings.HasPrefix(line, "+"):
		colour = green
	case strings.HasPrefix(line, "-"):
		colour = red
	}
	s.line("       " + s.paint(colour, line))
}

func (s *screen) say(text string) { s.line("   " + text) }
