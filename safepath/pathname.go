package safepath

import (
	"slices"
	"strings"
)

// Inside the package an absolute path is a volume's root ("/", on Windows
// "C:/") and components joined by "/".

// joinPath appends one component.
func joinPath(dir, name string) string {
	if strings.HasSuffix(dir, "/") {
		return dir + name
	}
	return dir + "/" + name
}

// parentPath removes the last component; the parent of a root is itself.
func parentPath(abs string) string {
	root, rest := splitRoot(abs)
	i := strings.LastIndexByte(rest, '/')
	if i < 0 {
		return root
	}
	return root + rest[:i]
}

// components returns the components below the root, "." and "" left out.
func components(rest string) []string {
	parts := strings.Split(rest, "/")
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" || s == "." })
}

// cleanParts resolves ".." by its text; above the root it stays there.
func cleanParts(parts []string) []string {
	clean := make([]string, 0, len(parts))
	for _, part := range parts {
		switch {
		case part != "..":
			clean = append(clean, part)
		case len(clean) > 0:
			clean = clean[:len(clean)-1]
		}
	}
	return clean
}

// below returns the components of abs below dir; false when abs is not dir or
// below it. It compares whole components: /a/bc is not below /a/b.
func below(dir, abs string) ([]string, bool) {
	if samePath(dir, abs) {
		return nil, true
	}
	prefix := dir
	if !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	if len(abs) < len(prefix) || !samePath(abs[:len(prefix)], prefix) {
		return nil, false
	}
	return components(abs[len(prefix):]), true
}
