package safepath

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
)

var errTooManyLinks = errors.New("too many symbolic links")

// errNotDirectory marks a path that goes on below something that is not a
// directory.
var errNotDirectory = errors.New("not a directory")

// canonical is a path with its links resolved, as far as it exists.
type canonical struct {
	path     string   // absolute, free of links, existing
	rest     []string // what is not there below it
	stop     error    // why it ends at path, when rest is not empty
	dangling bool     // rest begins in the text of a link
}

// full is where the path leads, existing or not.
func (c canonical) full() string {
	full := c.path
	for _, name := range c.rest {
		full = joinPath(full, name)
	}
	return full
}

// canonicaliser walks a path by name. What it finds is only a guess about a
// tree that others may be changing; the walk by handle confirms it.
type canonicaliser struct {
	volume   Volume
	path     string
	pending  []string
	stored   int // how many of pending, after the text of links, are names as stored and not as shown
	fromLink int // how many of pending are the text of links
	links    int
}

// canonicalise resolves parts below start, which must itself be canonical. The
// first stored of parts are names as they are on disk; the others may be
// escaped.
func canonicalise(v Volume, start string, parts []string, stored int) (canonical, error) {
	c := canonicaliser{volume: v, path: start, pending: parts, stored: stored}
	for len(c.pending) > 0 {
		name := c.pending[0]
		c.pending = c.pending[1:]
		inLink := c.fromLink > 0
		asStored := inLink || c.stored > 0
		if inLink {
			c.fromLink--
		} else if asStored {
			c.stored--
		}
		if name == ".." {
			c.path = parentPath(c.path)
			continue
		}
		name, st, err := c.lookup(name, asStored)
		if err == nil && st.Kind == KindSymlink {
			if err = c.follow(name); err == nil {
				continue
			}
		}
		if errors.Is(err, errTooManyLinks) || errors.Is(err, errChanged) {
			return canonical{}, err
		}
		if err == nil && st.Kind != KindDirectory && len(c.pending) > 0 {
			err = errNotDirectory
		}
		if err == nil {
			c.path = joinPath(c.path, name)
			continue
		}
		rest, undone := cancelDots(name, c.pending)
		if !undone {
			rest = append(rest[:1], newNames(rest[1:])...)
			return canonical{path: c.path, rest: rest, stop: err, dangling: inLink}, nil
		}
		c.pending, c.fromLink, c.stored = rest, min(c.fromLink, len(rest)), min(c.stored, len(rest))
	}
	return canonical{path: c.path}, nil
}

// lookup finds name in the current directory: as the name it is the escaped
// form of, or as it is. What a listing shows for one file must never lead to
// another, so what Escape shows comes first, then the name as it is, and last
// any other way to escape.
func (c *canonicaliser) lookup(name string, asStored bool) (string, Stat, error) {
	plain, escaped := "", false
	if !asStored && strings.Contains(name, `\`) {
		plain, escaped = plainName(name)
	}
	exact := escaped && Escape(plain) == name
	if exact {
		if st, err := c.volume.Lstat(joinPath(c.path, plain)); err == nil {
			return plain, st, nil
		}
	}
	st, err := c.volume.Lstat(joinPath(c.path, name))
	if errors.Is(err, syscall.ELOOP) {
		return name, st, errChanged // c.path was free of links when it was walked
	}
	if !escaped || !errors.Is(err, fs.ErrNotExist) {
		return name, st, err
	}
	plainStat, plainErr := c.volume.Lstat(joinPath(c.path, plain))
	if plainErr == nil || exact {
		return plain, plainStat, plainErr
	}
	return name, st, err
}

// plainName returns the component that name is an escaped form of. One that
// would be another path, as "..", is none.
func plainName(name string) (string, bool) {
	plain, ok := Unescape(name)
	if !ok || plain == name || plain == "" || plain == "." || plain == ".." || strings.ContainsAny(plain, "/\x00") {
		return "", false
	}
	return plain, true
}

// newNames are the names of what is to be made: one that is exactly what
// Escape shows is taken for that.
func newNames(shown []string) []string {
	names := make([]string, len(shown))
	for i, name := range shown {
		names[i] = name
		if plain, ok := plainName(name); ok && Escape(plain) == name {
			names[i] = plain
		}
	}
	return names
}

// follow puts the text of the link name in front of what is pending.
func (c *canonicaliser) follow(name string) error {
	if c.links++; c.links > MaxLinks {
		return errTooManyLinks
	}
	target, err := c.volume.Readlink(joinPath(c.path, name))
	if errors.Is(err, syscall.EINVAL) {
		return errChanged // it was a link a moment ago
	}
	if err != nil {
		return err
	}
	if refuseName(target) != "" {
		return fs.ErrPermission
	}
	root, rest := splitRoot(toSlash(target))
	if root != "" {
		c.path = root
	}
	parts := components(rest)
	c.fromLink += len(parts)
	c.pending = append(parts, c.pending...)
	return nil
}

// cancelDots removes from name and what follows every component that a later
// ".." takes back. It reports whether name itself is one of them: a path that
// goes through a missing name and back can only mean what its text says.
func cancelDots(name string, pending []string) (rest []string, undone bool) {
	rest = append(make([]string, 0, 1+len(pending)), name)
	own := 1 // leading components of rest that are not ".."
	for _, part := range pending {
		if part == ".." && own > 0 {
			rest = rest[:len(rest)-1]
			own--
			undone = undone || own == 0
			continue
		}
		rest = append(rest, part)
		if part != ".." {
			own++
		}
	}
	return rest, undone
}
