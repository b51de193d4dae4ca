package safepath

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// foldName returns a form in which two names are equal when some file system
// could take them for the same: case, composition, characters that HFS+
// ignores, trailing dots and blanks and stream names that Windows drops. It is
// applied on every system, for a disk may be shared with another.
func foldName(name string) string {
	if isASCII(name) {
		return trimName(strings.ToLower(name))
	}
	name = strings.Map(dropIgnorable, name)
	name = cases.Fold().String(norm.NFC.String(name))
	return trimName(norm.NFC.String(name))
}

func trimName(name string) string {
	if i := strings.IndexByte(name, ':'); i > 0 {
		name = name[:i]
	}
	return strings.TrimRight(name, " .")
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func dropIgnorable(r rune) rune {
	if unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
		return -1
	}
	return r
}

// foldLoosely is foldName for suggestions: every blank is a space, because a
// model types a space for the narrow one that is in the name.
func foldLoosely(name string) string {
	return foldName(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, name))
}
