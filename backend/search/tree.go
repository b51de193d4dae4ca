package search

import (
	"slices"
	"strings"
	"sync/atomic"

	"septet/backend"
	"septet/backend/search/glob"
	"septet/backend/search/ignore"
	"septet/safepath"
)

// tree is what a search walks: the directory it begins at, with the rules of
// visibility and the filter of names.
type tree struct {
	at     *place
	filter filter
}

// directory is an open directory of the tree.
type directory struct {
	handle folder
	name   string
	path   string // as stored, from the place; "" is the place itself
	shown  string // the same, escaped
	depth  int
	state  glob.State
	rules  *ignore.Rules // of the parent until the content is read; nil when ignored names are wanted
	users  atomic.Int32  // the last one closes the handle
}

func (d *directory) hold() { d.users.Add(1) }

func (d *directory) release() {
	if d.users.Add(-1) == 0 {
		d.handle.Close()
	}
}

// item is a name in a directory that the search has to do with.
type item struct {
	name   string
	wanted bool       // to be read or reported
	enter  bool       // a directory to go into
	state  glob.State // in that directory
}

// root is the directory the search begins at.
func (t *tree) root() *directory {
	d := &directory{handle: t.at.folder, state: t.filter.start(t.at.below), rules: t.at.rules}
	d.hold() // the place closes the handle itself
	return d
}

// content is what a directory holds for the search.
type content struct {
	items   []item // in order
	names   int64  // looked at
	ignored int64  // hidden by the rules
}

// outcome is what the content adds to the counts.
func (c *content) outcome() outcome {
	return outcome{summary: backend.SearchSummary{Ignored: c.ignored}, names: c.names}
}

// content reads a directory. s is only used meanwhile.
func (t *tree) content(d *directory, s *scratch) (content, error) {
	l, err := readListing(d.handle, s)
	if err != nil {
		return content{}, err
	}
	c := content{names: int64(len(l.entries))}
	if t.filter.pattern == nil {
		c.items = make([]item, 0, len(l.entries))
	}
	if d.rules != nil && d.path != "" {
		d.rules = d.rules.Enter(d.name, t.files(d, &l))
	}
	state := t.filter.here(d.state, &l)
	for _, e := range l.entries {
		it := t.item(d, state, e)
		if !it.wanted && !it.enter {
			continue
		}
		if d.rules != nil && d.rules.Hides(e.Name, e.Kind == safepath.KindDirectory) {
			c.ignored++
			continue
		}
		c.items = append(c.items, it)
	}
	slices.SortFunc(c.items, func(a, b item) int { return strings.Compare(a.name, b.name) })
	return c, nil
}

func (t *tree) item(d *directory, state glob.State, e safepath.Entry) item {
	it := item{name: e.Name, wanted: t.filter.wants(state, e)}
	if e.Kind == safepath.KindDirectory {
		it.state, it.enter = t.filter.below(state, e.Name)
	}
	return it
}

// files reads the ignore files that the listing shows.
func (t *tree) files(d *directory, l *listing) ignore.Files {
	var f ignore.Files
	if l.gitIgnore {
		f.GitIgnore = readIn(d.handle, ".gitignore")
	}
	if l.ignore {
		f.Ignore = readIn(d.handle, ".ignore")
	}
	if l.repository {
		f.Exclude, f.Repository = t.at.outside.exclude(d.path)
	}
	return f
}

// enter opens a directory of d. The caller is its first user.
func (t *tree) enter(d *directory, it item) (*directory, error) {
	if d.depth == MaxDepth {
		return nil, errTooDeep
	}
	handle, err := d.handle.enter(it.name)
	if err != nil {
		return nil, err
	}
	in := &directory{
		handle: handle, name: it.name, depth: d.depth + 1, state: it.state, rules: d.rules,
		path: below(d.path, it.name), shown: d.showing(it.name),
	}
	in.hold()
	return in, nil
}

// showing is the display form of the path of a name in d, from the place.
func (d *directory) showing(name string) string {
	return below(d.shown, safepath.Escape(name))
}

// below is the path of a name in a directory.
func below(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
