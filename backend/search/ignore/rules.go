// Package ignore decides which names a search does not show, exactly as git
// decides it: .gitignore files at every level, a repository's info/exclude and
// the user's global excludes; and over them .ignore files, for searches alone.
//
// A Rules belongs to one directory. It is immutable, so that directories can
// be searched side by side.
package ignore

// Rules holds what applies to the names in one directory.
type Rules struct {
	directory string   // relative to the highest directory with rules; "" or with a slash at its end
	over      []scoped // .ignore files, deepest first: any of them overrules all the others
	tree      []scoped // .gitignore files up to the repository's top, deepest first
	exclude   scoped   // the repository's info/exclude
	global    *List    // the user's excludes; patterns are relative to the repository's top
	top       int      // bytes of directory that lie above the repository's top
}

// scoped is a list and the place of its directory.
type scoped struct {
	list *List
	base int // bytes of a path that lie above the list's directory
}

// Files are the ignore files of one directory; nil where there is none.
type Files struct {
	GitIgnore  []byte
	Ignore     []byte
	Repository bool   // the directory is the top of a repository
	Exclude    []byte // that repository's info/exclude
}

// New returns the rules of the highest directory. global holds the user's
// excludes; it may be nil.
func New(global *List, f Files) *Rules {
	r := &Rules{global: global}
	return r.with(f)
}

// Enter returns the rules of the directory name in r's directory.
func (r *Rules) Enter(name string, f Files) *Rules {
	in := *r
	in.directory = r.directory + name + "/"
	return in.with(f)
}

// with adds the files of r's own directory. A repository starts anew: rules of
// an outer one say nothing about what git shows in it.
func (r *Rules) with(f Files) *Rules {
	base := len(r.directory)
	if f.Repository {
		r.tree, r.top = nil, base
		r.exclude = scoped{Parse(f.Exclude), base}
	}
	r.tree = prepend(r.tree, f.GitIgnore, base)
	r.over = prepend(r.over, f.Ignore, base)
	return r
}

func prepend(lists []scoped, content []byte, base int) []scoped {
	l := Parse(content)
	if l == nil {
		return lists
	}
	return append([]scoped{{l, base}}, lists...)
}

// Hides reports whether name, in the directory of r, is hidden. Whatever lies
// in a hidden directory is hidden with it and is not asked about.
func (r *Rules) Hides(name string, directory bool) bool {
	if len(r.over)+len(r.tree) == 0 && r.exclude.list == nil && r.global == nil {
		return false
	}
	path := r.directory + name
	for _, lists := range [][]scoped{r.over, r.tree} {
		for _, s := range lists {
			if v := s.match(path, len(r.directory), directory); v != Silent {
				return v == Hidden
			}
		}
	}
	if v := r.exclude.match(path, len(r.directory), directory); v != Silent {
		return v == Hidden
	}
	return scoped{r.global, r.top}.match(path, len(r.directory), directory) == Hidden
}

func (s scoped) match(path string, base int, directory bool) Verdict {
	if s.list == nil {
		return Silent
	}
	return s.list.Match(path[s.base:], base-s.base, directory)
}
