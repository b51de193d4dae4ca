package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"

	"septet/session"
)

// liveLine shows on a terminal what a running call is doing, on one line that
// is gone when the result is printed. Elsewhere it shows nothing.
type liveLine struct {
	w       io.Writer
	columns int // of the terminal; 0 shows nothing
	dirty   bool
}

func newLiveLine(w io.Writer) *liveLine {
	return &liveLine{w: w, columns: columnsOf(w)}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

func (l *liveLine) show(m message) {
	if l.columns == 0 || m.Method != "notifications/progress" {
		return
	}
	var p struct {
		Progress float64 `json:"progress"`
		Message  string  `json:"message"`
		Meta     struct {
			Progress session.Progress `json:"septet/progress"`
		} `json:"_meta"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return
	}
	line := p.Message
	if line == "" {
		line = lastLine(p.Meta.Progress.Chunk)
	}
	l.dirty = true
	fmt.Fprintf(l.w, "\r\x1b[K%s", fit(fmt.Sprintf("%.0f  %s", p.Progress, line), l.columns))
}

// clear takes the line away.
func (l *liveLine) clear() {
	if l.dirty {
		fmt.Fprint(l.w, "\r\x1b[K")
	}
}

func lastLine(text string) string {
	text = strings.TrimRight(text, "\n")
	return text[strings.LastIndex(text, "\n")+1:]
}

// fit cuts a line to one row of the terminal, by characters. The last column
// stays free: some terminals begin a new row when it is filled.
func fit(line string, columns int) string {
	runes, width := []rune(line), max(columns-1, 1)
	if len(runes) > width {
		runes = append(runes[:width-1], '…')
	}
	return string(runes)
}
