package line

import "golang.org/x/sys/cpu"

// wideBytes is how many places one step of indexWide looks at.
const wideBytes = 32

// wide reports whether the processor has what indexWide needs.
func wide() bool { return cpu.X86.HasAVX2 }

// indexWide returns the first i for which text[i] is the first letter and
// text[i+gap] the second, or -1. There must be at least wideBytes such places.
//
// It is the one function here that is not Go. With bytes.IndexByte for the
// rarest byte, a search that ignores case takes three times as long over text in
// memory, one for a rare word eight times, one for common letters twelve times.
//
//go:noescape
func indexWide(text []byte, gap int, first, second letter) int
