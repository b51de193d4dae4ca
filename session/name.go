package session

import "regexp"

var name = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$`)

// ValidName reports whether a session may be called s: 1 to 64 letters,
// digits, dots, hyphens and underscores. The name becomes part of a path below
// the state directory, so "../x" must not be one.
func ValidName(s string) bool { return name.MatchString(s) }
