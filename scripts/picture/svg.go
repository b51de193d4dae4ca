//go:build linux

package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

// The size of a character and of the frame, in pixels.
const (
	charWidth  = 8.4
	lineHeight = 19
	margin     = 20
)

// styles are the parameters of SGR that the program uses.
var styles = map[string]string{
	"1": "font-weight:bold", "2": "opacity:.6", "31": "fill:#f47067", "32": "fill:#57ab5a", "34": "fill:#6cb6ff", "36": "fill:#39c5cf",
}

var sgr = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// other are the sequences that move the cursor or clear a line: what they
// would change is gone by the end.
var other = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-ln-z]`)

// svg draws lines of a terminal.
func svg(lines []string) string {
	width := 0
	for _, line := range lines {
		width = max(width, len([]rune(sgr.ReplaceAllString(line, ""))))
	}
	var b strings.Builder
	w, h := float64(width)*charWidth+2*margin, len(lines)*lineHeight+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14">`+"\n", w, h, w)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#22272e"/>`+"\n")
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="#adbac7" xml:space="preserve">%s</text>`+"\n", margin, margin+lineHeight*i+14, spans(line))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// spans turns the colours of a line into spans.
func spans(line string) string {
	line = strings.ReplaceAll(other.ReplaceAllString(line, ""), "\r", "")
	var b strings.Builder
	open := false
	for line != "" {
		at := sgr.FindStringSubmatchIndex(line)
		if at == nil {
			b.WriteString(html.EscapeString(line))
			break
		}
		b.WriteString(html.EscapeString(line[:at[0]]))
		if open {
			b.WriteString("</tspan>")
		}
		style := styles[line[at[2]:at[3]]]
		if open = style != ""; open {
			fmt.Fprintf(&b, `<tspan style="%s">`, style)
		}
		line = line[at[1]:]
	}
	if open {
		b.WriteString("</tspan>")
	}
	return b.String()
}
