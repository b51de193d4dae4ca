package read

import (
	"fmt"
	"strings"
)

// Output is what read returns. Lines are 1-based; both are 0 for an empty file.
type Output struct {
	Path       string `json:"path"`
	Content    string `json:"content"` // exactly as in the file
	FirstLine  int64  `json:"firstLine"`
	LastLine   int64  `json:"lastLine"`
	TotalLines *int64 `json:"totalLines,omitempty"` // of files up to MaxCountedBytes
	Truncated  bool   `json:"truncated"`            // the file goes on after Content

	lineNumbers bool
	cut         bool // Content is the beginning of one line that is too long
}

// Text is the content, and a last line that says how to go on where the file
// does.
func (o Output) Text() string {
	if o.LastLine == 0 {
		return "[empty file]"
	}
	if !o.Truncated && !o.lineNumbers {
		return o.Content
	}
	var b strings.Builder
	o.writeContent(&b)
	if o.Truncated && !strings.HasSuffix(o.Content, "\n") {
		b.WriteByte('\n')
	}
	if o.cut {
		fmt.Fprintf(&b, "[line %d is longer; cut after %d bytes]\n", o.LastLine, len(o.Content))
	}
	if o.Truncated {
		b.WriteString(o.footer())
	}
	return b.String()
}

func (o Output) writeContent(b *strings.Builder) {
	if !o.lineNumbers {
		b.WriteString(o.Content)
		return
	}
	n := o.FirstLine
	for line := range strings.Lines(o.Content) {
		fmt.Fprintf(b, "%d: %s", n, line)
		n++
	}
}

func (o Output) footer() string {
	of := ""
	if o.TotalLines != nil {
		of = fmt.Sprintf(" of %d", *o.TotalLines)
		if o.LastLine == *o.TotalLines {
			return fmt.Sprintf("[lines %d-%d%s]", o.FirstLine, o.LastLine, of)
		}
	}
	return fmt.Sprintf("[lines %d-%d%s; continue with offset=%d]", o.FirstLine, o.LastLine, of, o.LastLine)
}
