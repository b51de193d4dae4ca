//go:build linux

package bash_test

import (
	"testing"

	"septet/session"
)

// BenchmarkEffects is the cost of an answer once the repository was looked at:
// the goal is 200 us a command.
func BenchmarkEffects(b *testing.B) {
	for name, command := range map[string]string{
		"list":     "ls -la src",
		"pipeline": "cat src/a.go src/b.go | head -n 40",
		"git":      "git status",
		"write":    "mkdir -p a/b && touch a/b/c",
		"ask":      "curl http://x",
	} {
		b.Run(name, func(b *testing.B) {
			p := newPlace(b, session.ModeDefault)
			p.effects(b, command)
			for b.Loop() {
				p.effects(b, command)
			}
		})
	}
}
