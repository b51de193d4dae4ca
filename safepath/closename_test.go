package safepath_test

import (
	"errors"
	"testing"

	"septet/safepath"
)

// TestMistypedNames: a name with one mistake of the fingers in it is answered
// with the name that is there.
func TestMistypedNames(t *testing.T) {
	w := newWorld(t, "f greet.sh=1", "f Bücher.md=1", "f src/main.go=1", "f a.txt=1", "f .env=1", "f v10=1")
	for raw, hint := range map[string]string{
		"gret.sh":     `there is "greet.sh"`, // one letter is missing
		"greeet.sh":   `there is "greet.sh"`, // one is too many
		"great.sh":    `there is "greet.sh"`, // one is another
		"geret.sh":    `there is "greet.sh"`, // two are swapped
		"greets.h":    `there is "greet.sh"`, // also across the dot
		"GRET.sh":     `there is "greet.sh"`,
		"bucherr.md":  `list with path="." shows the names there`, // more than one mistake
		"büher.md":    `there is "Bücher.md"`,                     // letters, not bytes
		"scr/main.go": `there is "src/main.go"`,
		"src/man.go":  `there is "src/main.go"`,
		"b.txt":       `list with path="." shows the names there`, // another name, not a mistake
		".emv":        `there is ".env"`,
		"v11":         `list with path="." shows the names there`,
	} {
		_, err := w.resolve(raw, safepath.Read, safepath.File)
		wantCode(t, err, safepath.NotFound)
		var e *safepath.Error
		if errors.As(err, &e) && e.Hint != hint {
			t.Errorf("%s: hint %q, want %q", raw, e.Hint, hint)
		}
	}
}
