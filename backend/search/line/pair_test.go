package line

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestPair: the first place, as comparing byte by byte finds it, for every
// length, distance and place, with the text at the end of what may be read.
func TestPair(t *testing.T) {
	if !wide() {
		t.Skip("the processor cannot look for pairs")
	}
	r := rand.New(rand.NewPCG(9, 10))
	letters := []byte("abAB@`[{\x00\x80\xe1\xc1")
	space := guarded(t, 4096)
	for range 100_000 {
		text := space[len(space)-1-r.IntN(200):]
		common := letters[r.IntN(len(letters))]
		for i := range text {
			text[i] = common
			if r.IntN(20) == 0 {
				text[i] = letters[r.IntN(len(letters))]
			}
		}
		p := pair{gap: r.IntN(40), first: someLetter(r), second: someLetter(r)}
		want := -1
		for i := 0; want < 0 && i+p.gap < len(text); i++ {
			if p.first.is(text[i]) && p.second.is(text[i+p.gap]) {
				want = i
			}
		}
		if got := p.index(text); got != want {
			t.Fatalf("%+v in %q: got %d, want %d", p, text, got, want)
		}
	}
}

func someLetter(r *rand.Rand) letter {
	return []letter{{'a', 0}, {'A', 0}, {'a', 0x20}, {'b', 0x20}, {'@', 0}, {0, 0}, {0x80, 0}, {0xc1, 0}}[r.IntN(8)]
}

func TestIndexHigh(t *testing.T) {
	for length := range 100 {
		for at := range length + 1 {
			text := bytes.Repeat([]byte{0x7f}, length)
			want := -1
			if at < length {
				text[at], want = 0x80, at
			}
			if got := indexHigh(text); got != want {
				t.Fatalf("length %d: got %d, want %d", length, got, want)
			}
		}
	}
}
