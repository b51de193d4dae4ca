//go:build !amd64

package line

import "math"

// wideBytes keeps indexWide from being called: no text is as long.
const wideBytes = math.MaxInt

func wide() bool { return false }

func indexWide([]byte, int, letter, letter) int { panic("unreachable") }
