package search

import (
	"slices"
	"strings"

	"septet/safepath"
)

// listing is the content of one directory, sorted by name, with the names that
// belong to version control taken out.
type listing struct {
	entries    []safepath.Entry
	gitIgnore  bool
	ignore     bool
	repository bool // there is a .git of some kind
}

// readListing reads a directory.
func readListing(d folder, buf []byte) (listing, error) {
	names, err := d.ReadNames(buf)
	if err != nil {
		return listing{}, err
	}
	l := listing{entries: names[:0]}
	for _, n := range names {
		switch n.Name {
		case ".git":
			l.repository = true
			continue
		case ".hg", ".svn", ".jj":
			continue
		case ".gitignore":
			l.gitIgnore = true
		case ".ignore":
			l.ignore = true
		}
		if n.Kind == safepath.KindUnknown {
			n.Kind = d.Kind(n.Name)
		}
		l.entries = append(l.entries, n)
	}
	slices.SortFunc(l.entries, func(a, b safepath.Entry) int { return strings.Compare(a.Name, b.Name) })
	return l, nil
}

// has reports whether the directory holds the name.
func (l *listing) has(name string) bool {
	_, ok := slices.BinarySearchFunc(l.entries, name, func(e safepath.Entry, name string) int { return strings.Compare(e.Name, name) })
	return ok
}
