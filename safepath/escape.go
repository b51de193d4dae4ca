package safepath

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape returns name in a form that is safe to show: control characters,
// invisible and text-direction characters as \uXXXX, bytes that are not UTF-8
// as \xXX. A raw line feed would forge a line of a listing, a direction mark
// would show another name than the one that is opened. A name that needs none
// of it is returned as it is; Unescape undoes it.
func Escape(name string) string {
	if !needsEscape(name) {
		return name
	}
	var b strings.Builder
	for len(name) > 0 {
		r, size := utf8.DecodeRuneInString(name)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, name[0])
		case r == '\\':
			b.WriteString(`\\`)
		case !unsafeRune(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		name = name[size:]
	}
	return b.String()
}

// echo shows a path as a caller gave it. One that is safe is repeated as it
// is: it may be what Escape made, and twice escaped it would lead nowhere.
func echo(raw string) string {
	if utf8.ValidString(raw) && !strings.ContainsFunc(raw, unsafeRune) {
		return raw
	}
	return Escape(raw)
}

// needsEscape is true also for a name that reads like an escape: shown as it
// is, it would stand for another name.
func needsEscape(name string) bool {
	if !utf8.ValidString(name) || strings.ContainsFunc(name, unsafeRune) {
		return true
	}
	if !strings.Contains(name, `\`) {
		return false
	}
	plain, ok := Unescape(name)
	return ok && plain != name
}

// Unescape returns the name that Escape has made s from; false when s is not
// an escaped name.
func Unescape(s string) (string, bool) {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			b.WriteString(s)
			return b.String(), true
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		size, ok := decodeEscape(&b, s)
		if !ok {
			return "", false
		}
		s = s[size:]
	}
}

// decodeEscape decodes what follows a backslash and returns its length.
func decodeEscape(b *strings.Builder, s string) (int, bool) {
	if s == "" {
		return 0, false
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	if s[0] == '\\' {
		b.WriteByte('\\')
		return 1, true
	}
	if digits == 0 || len(s) < 1+digits {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:1+digits], 16, 32)
	if err != nil || n == 0 || n == '/' {
		return 0, false
	}
	if s[0] == 'x' {
		b.WriteByte(byte(n))
		return 1 + digits, true
	}
	if !utf8.ValidRune(rune(n)) {
		return 0, false
	}
	b.WriteRune(rune(n))
	return 1 + digits, true
}

// unsafeRune leaves the two joiners alone: words of several scripts and many
// emoji need them.
func unsafeRune(r rune) bool {
	if r < 0x20 || r == 0x7f {
		return true
	}
	if r < 0x7f {
		return false
	}
	if r == 0x200c || r == 0x200d {
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029
}
