package backend

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestDiffLines(t *testing.T) {
	for _, tt := range []struct {
		name, before, after string
		want                []Hunk
		added, removed      int
	}{
		{name: "equal", before: "a\nb\n", after: "a\nb\n"},
		{
			name: "created", after: "a\nb\n", added: 2,
			want: []Hunk{{NewStart: 1, NewLines: 2, Lines: []string{"+a", "+b"}}},
		},
		{
			name: "emptied", before: "a\nb", removed: 2,
			want: []Hunk{{OldStart: 1, OldLines: 2, Lines: []string{"-a", "-b", noNewline}}},
		},
		{
			name: "three lines of context", before: "1\n2\n3\n4\n5\n6\n7\n8\n9\n", after: "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", added: 1, removed: 1,
			want: []Hunk{{OldStart: 2, OldLines: 7, NewStart: 2, NewLines: 7, Lines: []string{" 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"}}},
		},
		{
			name: "the final line feed is a difference", before: "a\nb", after: "a\nb\n", added: 1, removed: 1,
			want: []Hunk{{OldStart: 1, OldLines: 2, NewStart: 1, NewLines: 2, Lines: []string{" a", "-b", noNewline, "+b"}}},
		},
		{
			name: "carriage returns stay", before: "a\r\n", after: "a\n", added: 1, removed: 1,
			want: []Hunk{{OldStart: 1, OldLines: 1, NewStart: 1, NewLines: 1, Lines: []string{"-a\r", "+a"}}},
		},
		{
			name: "far apart", before: "x\n" + strings.Repeat("-\n", 7) + "y\n", after: "X\n" + strings.Repeat("-\n", 7) + "Y\n", added: 2, removed: 2,
			want: []Hunk{
				{OldStart: 1, OldLines: 4, NewStart: 1, NewLines: 4, Lines: []string{"-x", "+X", " -", " -", " -"}},
				{OldStart: 6, OldLines: 4, NewStart: 6, NewLines: 4, Lines: []string{" -", " -", " -", "-y", "+Y"}},
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hunks, added, removed := DiffLines(tt.before, tt.after)
			if !reflect.DeepEqual(hunks, tt.want) || added != tt.added || removed != tt.removed {
				t.Errorf("got +%d -%d %+v\nwant +%d -%d %+v", added, removed, hunks, tt.added, tt.removed, tt.want)
			}
		})
	}
}

// TestHunksRebuild applies the hunks of random changes and gets the new text.
func TestHunksRebuild(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		before := randomText(random, random.IntN(300))
		after := mutate(random, before)
		hunks, added, removed := DiffLines(before, after)
		if got := applyHunks(t, before, hunks); got != after {
			t.Fatalf("hunks of %q -> %q give %q", before, after, got)
		}
		if !removalsFirst(hunks) {
			t.Fatalf("hunks of %q -> %q remove after they add: %v", before, after, hunks)
		}
		if a, r := countMarks(hunks); a != added || r != removed {
			t.Fatalf("counts +%d -%d, hunks hold +%d -%d", added, removed, a, r)
		}
	}
}

// TestScatteredChangesStaySmall: 400 changed lines in 8,000 are 400 changes,
// not one block from the first to the last.
func TestScatteredChangesStaySmall(t *testing.T) {
	var before, after strings.Builder
	for i := range 8000 {
		fmt.Fprintf(&before, "line %d\n", i)
		if i%20 == 7 {
			fmt.Fprintf(&after, "changed %d\n", i)
		} else {
			fmt.Fprintf(&after, "line %d\n", i)
		}
	}
	_, added, removed := DiffLines(before.String(), after.String())
	if added != 400 || removed != 400 {
		t.Errorf("got +%d -%d, want +400 -400", added, removed)
	}
}

func randomText(random *rand.Rand, lines int) string {
	var b strings.Builder
	for range lines {
		fmt.Fprintf(&b, "%d", random.IntN(max(1, lines/2)))
		b.WriteString([]string{"\n", "\n", "\r\n", "\n\n"}[random.IntN(4)])
	}
	return b.String()[:max(0, b.Len()-random.IntN(2))]
}

func mutate(random *rand.Rand, text string) string {
	lines := splitLines(text)
	for range random.IntN(40) {
		at := random.IntN(len(lines) + 1)
		switch n := min(len(lines)-at, random.IntN(4)); random.IntN(3) {
		case 0:
			lines = slices.Delete(slices.Clone(lines), at, at+n)
		case 1:
			lines = slices.Insert(slices.Clone(lines), at, fmt.Sprintf("new %d\n", random.IntN(9)))
		default:
			lines = slices.Concat(lines[at:], lines[:at])
		}
	}
	return strings.Join(lines, "")
}

func applyHunks(t *testing.T, before string, hunks []Hunk) string {
	t.Helper()
	old := splitLines(before)
	var out strings.Builder
	at := 0
	for _, h := range hunks {
		start := max(h.OldStart-1, 0)
		out.WriteString(strings.Join(old[at:start], ""))
		for i, line := range h.Lines {
			text := line[1:] + "\n"
			if i+1 < len(h.Lines) && h.Lines[i+1] == noNewline {
				text = line[1:]
			}
			switch line[0] {
			case '+', ' ':
				out.WriteString(text)
			}
		}
		at = start + h.OldLines
	}
	out.WriteString(strings.Join(old[at:], ""))
	return out.String()
}

// removalsFirst says whether each change is its removals, then its additions.
func removalsFirst(hunks []Hunk) bool {
	for _, h := range hunks {
		last := byte(' ')
		for _, line := range h.Lines {
			if line == noNewline {
				continue
			}
			if last == '+' && line[0] == '-' {
				return false
			}
			last = line[0]
		}
	}
	return true
}

func countMarks(hunks []Hunk) (added, removed int) {
	for _, h := range hunks {
		for _, line := range h.Lines {
			switch line[0] {
			case '+':
				added++
			case '-':
				removed++
			}
		}
	}
	return added, removed
}
