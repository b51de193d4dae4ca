//go:build unix

package safepath

import (
	"errors"
	"syscall"
)

// splitRoot splits an absolute path; root is "" for a relative one.
func splitRoot(p string) (root, rest string) {
	if p == "" || p[0] != '/' {
		return "", p
	}
	return "/", p[1:]
}

func samePath(a, b string) bool { return a == b }

// toSlash and refuseName have work on Windows only.
func toSlash(p string) string { return p }

func refuseName(string) (fact string) { return "" }

func isNoSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
