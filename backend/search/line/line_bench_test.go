package line

import (
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkNext shows bytes per second for each way a line is found.
func BenchmarkNext(b *testing.B) {
	var text bytes.Buffer
	for i := 0; text.Len() < 64<<10; i++ {
		fmt.Fprintf(&text, "\tif err := walk(ctx, dir, %d); err != nil { // nothing to see in line %d\n", i*7919, i)
	}
	for _, c := range []struct {
		name, pattern string
		fold          bool
	}{
		{"literal", "needle_x", false}, {"common", "this", false}, {"folded", "quickly", true}, {"alternation", "foobar|quxxy|zebra", false},
		{"class", `[A-Z][a-z]+[0-9]{3}`, false}, {"unicode", `\p{Greek}+`, false}, {"anchored", `^func\s+\w+`, false}, {"word", `\bdirs\b`, false}, {"dense", `line \d+`, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			e, err := Compile(c.pattern, c.fold)
			if err != nil {
				b.Fatal(err)
			}
			m := e.NewMatcher()
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				all(m, text.Bytes())
			}
		})
	}
}
