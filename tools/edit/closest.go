package edit

import (
	"strings"
)

const (
	// maxVotes bounds the places that one line of oldText speaks for: a line
	// that is everywhere, such as a brace, says nothing.
	maxVotes = 50
	// minAlike is the share of a line's pairs of letters that must be found in
	// another for the two to be called close.
	minAlike = 0.6
)

// closest finds the lines of content that are most like oldText: where most of
// its lines stand in their order, blanks and look-alike characters aside; else
// the one line that shares most with its longest. It takes time proportional
// to the texts.
func closest(content, old string) (place, bool) {
	lines, wanted := linesOf(content), linesOf(old)
	at, found := byEqualLines(lines, wanted)
	if !found {
		at, found = byLikeLine(lines, wanted)
	}
	if !found {
		return place{}, false
	}
	first := max(0, at)
	end := max(first+1, min(len(lines), at+len(wanted)))
	return place{first: first, lines: lines[first:end], old: wanted[min(first-at, len(wanted)-1):]}, true
}

// linesOf splits without the line feeds; a last line feed ends the last line.
func linesOf(s string) []string {
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// byEqualLines lets each line of wanted vote for the starts that would put it
// on its equal, the rarer and longer the louder.
func byEqualLines(lines, wanted []string) (start int, found bool) {
	places := map[string][]int{}
	for _, line := range wanted {
		places[folded(line)] = nil
	}
	delete(places, "")
	for i, line := range lines {
		key := folded(line)
		if at, ok := places[key]; ok && len(at) < maxVotes {
			places[key] = append(at, i)
		}
	}
	votes, best := map[int]float64{}, 0.0
	for i, line := range wanted {
		key := folded(line)
		at := places[key]
		for _, j := range at {
			votes[j-i] += float64(len(key)) / float64(len(at))
			if v := votes[j-i]; v > best || v == best && j-i < start {
				start, best = j-i, v
			}
		}
	}
	return start, best > 0
}

// byLikeLine finds the line most like the longest of wanted.
func byLikeLine(lines, wanted []string) (start int, found bool) {
	longest, text := 0, ""
	for i, line := range wanted {
		if f := folded(line); len(f) > len(text) {
			longest, text = i, f
		}
	}
	if len(text) < 2 {
		return 0, false
	}
	best := 0.0
	pairs := newPairs(strings.ToLower(text))
	for j, line := range lines {
		if share := pairs.share(strings.ToLower(folded(line))); share >= minAlike && share > best {
			start, best = j-longest, share
		}
	}
	return start, best > 0
}

// pairs counts the pairs of neighbouring bytes of a text.
type pairs struct {
	left  [1 << 16]int32 // by pair: how many share has not met yet
	total int
}

func newPairs(s string) *pairs {
	p := &pairs{total: len(s) - 1}
	for i := range p.total {
		p.left[pairAt(s, i)]++
	}
	return p
}

func pairAt(s string, i int) uint16 { return uint16(s[i])<<8 | uint16(s[i+1]) }

// share is how much of the pairs is in s, a little less when s is longer.
func (p *pairs) share(s string) float64 {
	var met []uint16
	for i := range max(0, len(s)-1) {
		if pair := pairAt(s, i); p.left[pair] > 0 {
			p.left[pair]--
			met = append(met, pair)
		}
	}
	for _, pair := range met {
		p.left[pair]++
	}
	longer := max(0, len(s)-1-p.total)
	return float64(len(met)) / (float64(p.total) + 0.05*float64(min(longer, p.total)))
}
