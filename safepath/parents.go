package safepath

import (
	"errors"
	"io/fs"
)

// madeDir is a directory that a write made, by its parent's handle.
type madeDir struct {
	parent Dir
	name   string
	owned  bool // close closes parent
}

type madeDirs []madeDir

// undo removes what was made, deepest first. One that is not empty by now
// belongs to somebody else too and stays.
func (m madeDirs) undo() {
	for i := len(m) - 1; i >= 0; i-- {
		m[i].parent.Rmdir(m[i].name)
	}
}

func (m madeDirs) close() {
	for _, d := range m {
		if d.owned {
			d.parent.Close()
		}
	}
}

// makeParents makes the missing parents one by one, each from the handle of
// the one above, and opens each again without following a link: a name that
// was swapped meanwhile leads nowhere else.
func (p *CheckedPath) makeParents() (madeDirs, error) {
	var made madeDirs
	for len(p.missing) > 0 {
		name := p.missing[0]
		err := p.parent.Mkdir(name, 0o777)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return made, wrap(err, p.display, "make the parents of")
		}
		if err == nil {
			made = append(made, madeDir{parent: p.parent, name: name})
		}
		above, changed := p.parent, err == nil
		if err := p.enter(name); err != nil {
			return made, wrap(err, p.display, "open the parents of")
		}
		if changed {
			made[len(made)-1].owned = above != p.root.dir
		} else {
			p.releaseDir(above)
		}
	}
	return made, nil
}

// advance enters those of the missing parents that exist by now.
func (p *CheckedPath) advance() error {
	for len(p.missing) > 0 {
		above := p.parent
		err := p.enter(p.missing[0])
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return wrap(err, p.display, "open")
		}
		p.releaseDir(above)
	}
	return nil
}

// enter makes the first of the missing parents the parent; the caller closes
// the one above. Its name passed the rules when the path was checked; its
// identity is looked at now, for a protected directory could have been renamed
// to it.
func (p *CheckedPath) enter(name string) error {
	next, err := p.parent.OpenDir(name)
	if isNotDirectory(err) {
		return pathChanged(p.display)
	}
	if err != nil {
		return err
	}
	if err := p.admit(next); err != nil {
		next.Close()
		return err
	}
	p.parent, p.path, p.missing = next, joinPath(p.path, name), p.missing[1:]
	return nil
}

func (p *CheckedPath) admit(next Dir) error {
	st, err := next.Stat()
	if err != nil {
		return err
	}
	g := p.resolver.newGuard(p.root, p.resolver.rootStates(), p.access == Write)
	g.look(p.parent, p.path)
	return g.check(st.ID, p.display)
}

// releaseDir closes d unless it is the root's, which is shared.
func (p *CheckedPath) releaseDir(d Dir) {
	if d != p.root.dir {
		d.Close()
	}
}
