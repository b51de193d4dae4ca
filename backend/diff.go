package backend

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

const (
	// contextLines is how many unchanged lines surround a change in a hunk:
	// what diff -u and every review tool show.
	contextLines = 3
	// exactLines is how many lines two texts may have together for the shortest
	// edit to be looked for directly. The search gives up after 100 differences,
	// so longer texts are first cut at lines that both hold exactly once.
	exactLines = 100
	// noNewline stands after a last line without a line feed, as in diff -u.
	noNewline = `\ No newline at end of file`
)

// DiffLines compares two texts line by line. The counts are those of the
// hunks, and the hunks turn before into after exactly.
func DiffLines(before, after string) (hunks []Hunk, added, removed int) {
	d := lineDiff{old: splitLines(before), new: splitLines(after)}
	d.compare(0, len(d.old), 0, len(d.new))
	for _, s := range d.spans {
		removed += s.End - s.Start
		added += s.ReplEnd - s.ReplStart
	}
	return d.hunks(), added, removed
}

// splitLines cuts after every line feed; the last line may lack one.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// span says that old lines Start to End became new lines ReplStart to ReplEnd;
// all are zero-based, ends exclusive.
type span = lcs.Diff

// lineDiff gathers the differences of two texts in order.
type lineDiff struct {
	old, new []string
	spans    []span
}

// compare adds the differences between old[a:aEnd] and new[b:bEnd].
func (d *lineDiff) compare(a, aEnd, b, bEnd int) {
	for a < aEnd && b < bEnd && d.old[a] == d.new[b] {
		a, b = a+1, b+1
	}
	for a < aEnd && b < bEnd && d.old[aEnd-1] == d.new[bEnd-1] {
		aEnd, bEnd = aEnd-1, bEnd-1
	}
	if aEnd-a+bEnd-b > exactLines {
		if anchors := d.anchors(a, aEnd, b, bEnd); len(anchors) > 0 {
			d.compareBetween(anchors, a, aEnd, b, bEnd)
			return
		}
	}
	for _, s := range lcs.DiffLines(d.old[a:aEnd], d.new[b:bEnd]) {
		d.spans = append(d.spans, span{Start: a + s.Start, End: a + s.End, ReplStart: b + s.ReplStart, ReplEnd: b + s.ReplEnd})
	}
}

// compareBetween compares what lies around the anchors.
func (d *lineDiff) compareBetween(anchors []anchor, a, aEnd, b, bEnd int) {
	for _, at := range anchors {
		d.compare(a, at.old, b, at.new)
		a, b = at.old+1, at.new+1
	}
	d.compare(a, aEnd, b, bEnd)
}

// anchor is a line that occurs exactly once in either text; zero-based.
type anchor struct{ old, new int }

// anchors returns the longest series of such lines that keeps its order in
// both texts.
func (d *lineDiff) anchors(a, aEnd, b, bEnd int) []anchor {
	type places struct{ oldCount, newCount, new int }
	seen := make(map[string]places, aEnd-a)
	for _, line := range d.old[a:aEnd] {
		p := seen[line]
		p.oldCount++
		seen[line] = p
	}
	for i, line := range d.new[b:bEnd] {
		if p, ok := seen[line]; ok {
			p.newCount, p.new = p.newCount+1, b+i
			seen[line] = p
		}
	}
	var unique []anchor
	for i, line := range d.old[a:aEnd] {
		if p := seen[line]; p.oldCount == 1 && p.newCount == 1 {
			unique = append(unique, anchor{old: a + i, new: p.new})
		}
	}
	return longestRising(unique)
}

// longestRising picks the longest part of s, which rises in old, that rises in
// new as well (patience sorting).
func longestRising(s []anchor) []anchor {
	var tops []int              // tops[k]: index of the smallest end of a series of k+1
	back := make([]int, len(s)) // index of the one before in its series, or -1
	for i, at := range s {
		k, _ := slices.BinarySearchFunc(tops, at.new, func(top, n int) int { return s[top].new - n })
		back[i] = -1
		if k > 0 {
			back[i] = tops[k-1]
		}
		tops = append(tops[:k], append([]int{i}, tops[min(k+1, len(tops)):]...)...)
	}
	if len(tops) == 0 {
		return nil
	}
	rising := make([]anchor, len(tops))
	at := tops[len(tops)-1]
	for k := len(tops) - 1; k >= 0; k-- {
		rising[k] = s[at]
		at = back[at]
	}
	return rising
}

// hunks groups the differences that share context.
func (d *lineDiff) hunks() []Hunk {
	var hunks []Hunk
	for i := 0; i < len(d.spans); {
		j := i + 1
		for j < len(d.spans) && d.spans[j].Start-d.spans[j-1].End <= 2*contextLines {
			j++
		}
		hunks = append(hunks, d.hunk(d.spans[i:j]))
		i = j
	}
	return hunks
}

// hunk shows neighbouring differences with their context.
func (d *lineDiff) hunk(spans []span) Hunk {
	first, last := spans[0], spans[len(spans)-1]
	lead := min(first.Start, contextLines)
	end := min(last.End+contextLines, len(d.old))
	h := Hunk{
		OldStart: first.Start - lead + 1, OldLines: end - (first.Start - lead),
		NewStart: first.ReplStart - lead + 1, NewLines: last.ReplEnd + (end - last.End) - (first.ReplStart - lead),
	}
	at := first.Start - lead
	for _, s := range spans {
		h.show(" ", d.old[at:s.Start])
		h.show("-", d.old[s.Start:s.End])
		h.show("+", d.new[s.ReplStart:s.ReplEnd])
		at = s.End
	}
	h.show(" ", d.old[at:end])
	if h.OldLines == 0 {
		h.OldStart = 0
	}
	if h.NewLines == 0 {
		h.NewStart = 0
	}
	return h
}

// show appends lines behind their mark.
func (h *Hunk) show(mark string, lines []string) {
	for _, line := range lines {
		text, whole := strings.CutSuffix(line, "\n")
		h.Lines = append(h.Lines, mark+text)
		if !whole {
			h.Lines = append(h.Lines, noNewline)
		}
	}
}
