package search

import (
	"slices"
	"strings"

	"septet/safepath"
)

// entry is a name in a directory that a search may be interested in.
type entry struct {
	name string
	kind safepath.Kind
}

// listing is the content of one directory, sorted by name, with the names that
// belong to version control taken out.
type listing struct {
	entries    []entry
	gitIgnore  bool
	ignore     bool
	repository bool // there is a .git of some kind
}

// readListing reads a directory.
func readListing(d folder) (listing, error) {
	names, err := d.ReadNames()
	if err != nil {
		return listing{}, err
	}
	l := listing{entries: make([]entry, 0, len(names))}
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
		kind := n.Kind
		if kind == safepath.KindUnknown {
			kind = d.Kind(n.Name)
		}
		l.entries = append(l.entries, entry{n.Name, kind})
	}
	slices.SortFunc(l.entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return l, nil
}

// has reports whether the directory holds the name.
func (l *listing) has(name string) bool {
	_, ok := slices.BinarySearchFunc(l.entries, name, func(e entry, name string) int { return strings.Compare(e.name, name) })
	return ok
}
