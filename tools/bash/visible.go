package bash

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"septet/backend"
)

// MaxVisibleBytes bounds the output in one answer: about 8,000 tokens, which a
// model can take in without losing what it was doing. The rest is in a file.
const MaxVisibleBytes = 3 * backend.MaxInlineBytes

func length(c backend.Captured) int { return len(c.Head) + len(c.Tail) }

// budgets divides the visible bytes. Stderr is served first, up to a third,
// because the reason of a failure is there; what one does not use is the
// other's.
func budgets(stdout, stderr int) (forStdout, forStderr int) {
	forStderr = max(MaxVisibleBytes/3, MaxVisibleBytes-stdout)
	return MaxVisibleBytes - min(stderr, forStderr), forStderr
}

// newStream shows a stream within budget bytes: its beginning, a line that
// says what is missing, and its end.
func newStream(c backend.Captured, budget int) Stream {
	s := Stream{Text: c.Head + c.Tail, Bytes: c.Bytes, Omitted: c.OmittedBytes, Binary: c.Binary}
	if c.OmittedBytes == 0 && length(c) <= budget {
		return s
	}
	head, tail := ends(c, budget)
	shown := int64(len(head) + len(tail))
	lines := c.OmittedLines + int64(strings.Count(c.Head, "\n")+strings.Count(c.Tail, "\n")-strings.Count(head, "\n")-strings.Count(tail, "\n"))
	s.Omitted += int64(length(c)) - shown
	s.SpillPath = c.SpillPath
	if head != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	s.Text = head + gap(s, lines) + tail
	return s
}

// ends cuts the text to budget bytes, half at each end, at lines where there
// is one near.
func ends(c backend.Captured, budget int) (head, tail string) {
	head, tail = c.Head, c.Tail
	if c.OmittedBytes == 0 { // the text is whole: both ends are cut from it
		head, tail = head+tail, head+tail
	}
	return cutHead(head, budget/2), cutTail(tail, budget/2)
}

func cutHead(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	if i := strings.LastIndexByte(text[:n], '\n'); i >= n/2 {
		return text[:i+1]
	}
	return text[:n]
}

func cutTail(text string, n int) string {
	if len(text) <= n {
		return text
	}
	at := len(text) - n
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 && i < n/2 {
		return text[at+i+1:]
	}
	return text[at:]
}

// gap is the line in the place of what is omitted. Bytes that memory never
// kept count as the command wrote them, the others as they would be shown.
func gap(s Stream, lines int64) string {
	where := "the full output could not be kept"
	switch {
	case s.SpillPath != "" && s.Bytes > backend.MaxSpillBytes:
		where = fmt.Sprintf("its first %d MiB: %s", backend.MaxSpillBytes>>20, s.SpillPath)
	case s.SpillPath != "":
		where = "full output: " + s.SpillPath
	}
	return fmt.Sprintf("[... %d bytes, %d lines omitted; %s ...]\n", s.Omitted, lines, where)
}
