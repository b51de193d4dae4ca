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
	head, tail, omitted := ends(c, budget)
	lines := c.OmittedLines + int64(strings.Count(c.Head, "\n")+strings.Count(c.Tail, "\n")-strings.Count(head, "\n")-strings.Count(tail, "\n"))
	s.Omitted = omitted
	s.SpillPath = c.SpillPath
	if head != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	s.Text = head + gap(s, lines) + tail
	return s
}

// ends cuts the text to budget bytes, half at each end, at lines where there
// is one near, and counts what is between as the command wrote it.
func ends(c backend.Captured, budget int) (head, tail string, omitted int64) {
	if c.OmittedBytes == 0 { // the text is whole: both ends are cut from it
		last, end := cutHead(c.Head, c.HeadFrom, budget/2)
		first, begin := cutTail(c.Head, c.HeadFrom, budget/2)
		return c.Head[:last], c.Head[first:], int64(begin - end)
	}
	last, end := cutHead(c.Head, c.HeadFrom, budget/2)
	first, begin := cutTail(c.Tail, c.TailFrom, budget/2)
	_, all := c.HeadFrom.Before(len(c.Head))
	return c.Head[:last], c.Tail[first:], int64(all-end) + c.OmittedBytes + int64(begin)
}

// cutHead is where text, n bytes of it at most, ends, and where this is in what
// the command wrote.
func cutHead(text string, from backend.Origin, n int) (at, raw int) {
	if len(text) <= n {
		return from.Before(len(text))
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	if i := strings.LastIndexByte(text[:n], '\n'); i >= n/2 {
		n = i + 1
	}
	return from.Before(n)
}

// cutTail is where the last n bytes of text begin, or a little later, and
// where this is in what the command wrote.
func cutTail(text string, from backend.Origin, n int) (at, raw int) {
	if len(text) <= n {
		return 0, 0
	}
	for at = len(text) - n; at < len(text) && !utf8.RuneStart(text[at]); {
		at++
	}
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 && i < n/2 {
		at += i + 1
	}
	return from.After(at)
}

// gap is the line in the place of what is omitted, counted as the command
// wrote it: what the file has more than the text.
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
