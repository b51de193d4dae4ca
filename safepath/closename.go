package safepath

import (
	"fmt"
	"slices"
	"strings"
)

// notFound says what is missing, and which names in the same directory were
// probably meant.
func (p *CheckedPath) notFound() error {
	first := p.base
	if len(p.missing) > 0 {
		first = p.missing[0]
	}
	err := fail(NotFound, p.display+" does not exist", "")
	var close []string
	for _, name := range closeNames(p.parent, first) {
		rest := append(slices.Clone(p.missing), p.base)
		rest[0] = name
		full := p.path
		for _, part := range rest {
			full = joinPath(full, part)
		}
		close = append(close, fmt.Sprintf("%q", p.resolver.display(full)))
	}
	switch {
	case len(close) > 0:
		err.Hint = "there is " + strings.Join(close, ", ")
	case len(p.missing) > 0:
		err.Hint = fmt.Sprintf("%s does not exist either; list with path=%q shows what does", p.resolver.display(joinPath(p.path, first)), p.resolver.display(p.path))
	default:
		err.Hint = fmt.Sprintf("list with path=%q shows the names there", p.resolver.display(p.path))
	}
	return err
}

// closeNames are the names that differ only in case, composition or the kind of
// blank; when there are none, those that are one mistake of the fingers away. It
// leaves a huge directory unread: a suggestion is not worth it.
func closeNames(dir Dir, name string) []string {
	if st, err := dir.Stat(); err != nil || st.Size > MaxReadDirBytes {
		return nil
	}
	entries, err := dir.ReadNames()
	if err != nil {
		return nil
	}
	want := foldLoosely(name)
	var same, mistyped []string
	for _, e := range entries {
		switch have := foldLoosely(e.Name); {
		case have == want:
			same = append(same, e.Name)
		case oneMistake([]rune(want), []rune(have)):
			mistyped = append(mistyped, e.Name)
		}
	}
	if len(same) == 0 {
		same = mistyped
	}
	slices.Sort(same)
	return same[:min(len(same), MaxCloseNames)]
}

// minMistypedLetters: "b.txt" is another file than "a.txt", and so is "v11" than
// "v10"; in a longer beginning one letter is more likely a mistake.
const minMistypedLetters = 3

// oneMistake says whether b is a with one letter more, less or replaced, or two
// neighbours swapped. It takes one pass, for directories have many names.
func oneMistake(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || letters(a) < minMistypedLetters {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return slices.Equal(a[i:], b[i+1:])
	}
	if i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:]) {
		return true
	}
	return !digit(a[i]) && !digit(b[i]) && slices.Equal(a[i+1:], b[i+1:])
}

// letters counts those before the ending of a name.
func letters(name []rune) int {
	if dot := slices.Index(name, '.'); dot > 0 {
		name = name[:dot]
	}
	return len(name)
}

// digit: "chapter2" is another name than "chapter1", not a mistake.
func digit(r rune) bool { return '0' <= r && r <= '9' }
