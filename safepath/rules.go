package safepath

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

func (r *Resolver) lexicallyInside(q request, roots []rootState) bool {
	full := q.root + strings.Join(q.clean, "/")
	return slices.ContainsFunc(roots, func(root rootState) bool {
		_, canon := below(root.canon, full)
		_, given := below(root.given, full)
		return canon || given
	})
}

func (r *Resolver) outside(q request, roots []rootState) error {
	var allowed []string
	for _, root := range roots {
		if !root.spill {
			allowed = append(allowed, Escape(root.canon))
		}
	}
	return fail(OutsideRoots, echo(q.raw)+" is outside the authorised directories", "choose a path inside "+strings.Join(allowed, " or "))
}

// checkRules applies what is decided by name alone.
func (r *Resolver) checkRules(q request, root, state rootState, full string) error {
	shown := r.display(full)
	if state.heldRoot != nil && !root.spill {
		if _, ok := below(state.canon, full); ok {
			return stateError(shown)
		}
	}
	if q.access != Write {
		return nil
	}
	if samePath(root.canon, full) && q.intent == File {
		return fail(InvalidPath, shown+" is a root directory, not a file", "name a file inside it")
	}
	depth := depthOf(root.canon)
	if by, ok := r.protectedName(allParts(full), depth); ok {
		return protectedError(shown, by)
	}
	asked := q.root + strings.Join(q.clean, "/")
	if _, ok := below(root.canon, asked); ok {
		if by, ok := r.protectedName(q.clean, depth); ok {
			return protectedError(shown, by)
		}
	}
	if !root.writable {
		return readOnlyError(shown)
	}
	return nil
}

func allParts(abs string) []string {
	_, rest := splitRoot(abs)
	return components(rest)
}

func depthOf(abs string) int { return len(allParts(abs)) }

// stateState is the state directory, which may be made after the start; the
// zero value when there is none.
func (r *Resolver) stateState() rootState {
	if r.state == nil {
		return rootState{}
	}
	return r.state.state(r.volume)
}

// checkStop answers for a path that canonicalisation could not follow to its
// end, when that is not simply a missing file.
func (r *Resolver) checkStop(q request, target canonical) error {
	if target.stop == nil {
		return nil
	}
	at := r.display(joinPath(target.path, target.rest[0]))
	switch {
	case errors.Is(target.stop, errNotDirectory):
		return fail(NotDirectory, at+" is not a directory", fmt.Sprintf("list with path=%q shows what is beside it", r.display(target.path)))
	case !errors.Is(target.stop, fs.ErrNotExist):
		return wrap(target.stop, at, "resolve")
	case target.dangling:
		return fail(NotFound, fmt.Sprintf("%s: a symbolic link leads to %s, which does not exist", echo(q.raw), at), fmt.Sprintf("list with path=%q shows the names there; a write goes to %s itself", r.display(target.path), at))
	}
	return nil
}

func (r *Resolver) rootTarget(q request, root rootState) (*CheckedPath, error) {
	st, err := root.dir.Stat()
	if err != nil {
		return nil, err
	}
	if st.Links == 0 {
		return nil, root.unavailable(fs.ErrNotExist)
	}
	w := walk{root: root, dir: root.dir, dirPath: root.canon, stat: st, shown: r.display(root.canon)}
	p := r.checked(q, &w)
	return p, p.checkKind(q)
}
