package safepath

import (
	"errors"
	"strings"

	"golang.org/x/sys/windows"
)

// splitRoot splits an absolute path; root is "" for a relative one.
func splitRoot(p string) (root, rest string) {
	if !hasDrive(p) || len(p) < 3 || p[2] != '/' {
		return "", p
	}
	return strings.ToUpper(p[:1]) + ":/", p[3:]
}

func samePath(a, b string) bool { return strings.EqualFold(a, b) }

// toSlash makes both separators one. A backslash can therefore not begin an
// escape in a path that is given back: names that need one cannot be
// addressed here.
func toSlash(p string) string { return strings.ReplaceAll(p, `\`, "/") }

func refuseName(raw string) (fact string) { return windowsRefusal(raw) }

func isNoSpace(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}
