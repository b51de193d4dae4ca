//go:build unix

package safepath

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
