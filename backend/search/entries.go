package search

import (
	"slices"

	"septet/safepath"
)

// scratch is what a worker reads directories with, one after the other.
type scratch struct {
	records []byte
	entries []safepath.Entry
}

func newScratch() *scratch { return &scratch{records: make([]byte, blockBytes)} }

// listing is the content of one directory, in no order, with the names that
// belong to version control taken out.
type listing struct {
	entries    []safepath.Entry
	gitIgnore  bool
	ignore     bool
	repository bool // there is a .git of some kind
}

// readListing reads a directory. The listing is good until s is used again; the
// names stay.
func readListing(d folder, s *scratch) (listing, error) {
	names, err := d.ReadNames(s.records, s.entries[:0])
	if err != nil {
		return listing{}, err
	}
	s.entries = names
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
	return l, nil
}

// has reports whether the directory holds the name.
func (l *listing) has(name string) bool {
	return slices.ContainsFunc(l.entries, func(e safepath.Entry) bool { return e.Name == name })
}
