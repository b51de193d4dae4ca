package safepath

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// attemptDirectly takes the path as it is written for canonical, which is true
// of most: the walk follows no link, so when it arrives there was none. It
// saves a system call for each component. Whatever else comes of it is left to
// an attempt that canonicalises, and so is a name that may be an escaped one.
func (r *Resolver) attemptDirectly(q request) (*CheckedPath, bool) {
	if q.dots || strings.Contains(q.raw, `\`) {
		return nil, false
	}
	roots := r.rootStates()
	full := q.root + strings.Join(q.clean, "/")
	root, ok := deepestRoot(roots, full)
	if !ok || root.check(r.volume) != nil {
		return nil, false
	}
	p, err := r.arrive(q, roots, root, canonical{path: full})
	return p, err == nil
}

// attempt resolves once; errChanged asks for another one.
func (r *Resolver) attempt(q request) (*CheckedPath, error) {
	roots := r.rootStates()
	if q.climbs && !r.lexicallyInside(q, roots) {
		return nil, r.outside(q, roots)
	}
	target, err := r.locate(q, roots)
	if err != nil {
		return nil, err
	}
	root, ok := deepestRoot(roots, target.full())
	if !ok {
		return nil, r.outside(q, roots)
	}
	if err := root.check(r.volume); err != nil {
		return nil, err
	}
	return r.arrive(q, roots, root, target)
}

// arrive applies the rules to a canonical path and walks it.
func (r *Resolver) arrive(q request, roots []rootState, root rootState, target canonical) (*CheckedPath, error) {
	full := target.full()
	state := r.stateState()
	if err := r.checkRules(q, root, state, full); err != nil {
		return nil, err
	}
	if err := r.checkStop(q, target); err != nil {
		return nil, err
	}
	parts, _ := below(root.canon, full)
	if len(parts) == 0 {
		return r.rootTarget(q, root)
	}
	w := walk{root: root, guard: r.newGuard(root, roots, q.access == Write), parts: parts, exists: len(parts) - len(target.rest), shown: r.display(full)}
	if err := w.run(); err != nil {
		return nil, err
	}
	p := r.checked(q, &w)
	if err := p.checkKind(q); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// locate canonicalises the path, and refuses one that a kernel and its text
// take to different files.
func (r *Resolver) locate(q request, roots []rootState) (canonical, error) {
	target, err := canonicalise(r.volume, q.root, q.clean, q.storedClean)
	if err != nil || !q.dots {
		return target, err
	}
	physical, err := canonicalise(r.volume, q.root, q.parts, q.stored)
	if err != nil {
		return canonical{}, err
	}
	if physical.full() == target.full() {
		return target, nil
	}
	if _, ok := deepestRoot(roots, target.full()); !ok {
		return canonical{}, r.outside(q, roots)
	}
	return canonical{}, fail(AmbiguousPath, fmt.Sprintf(`%s goes through a link and back with "..": its text and the file system lead to different places`, echo(q.raw)), `give the path without ".."`)
}

func (r *Resolver) rootStates() []rootState {
	states := make([]rootState, len(r.roots))
	for i, root := range r.roots {
		states[i] = root.state(r.volume)
	}
	return states
}

func deepestRoot(roots []rootState, abs string) (rootState, bool) {
	var inside []rootState
	for _, root := range roots {
		if _, ok := below(root.canon, abs); ok {
			inside = append(inside, root)
		}
	}
	if len(inside) == 0 {
		return rootState{}, false
	}
	return slices.MaxFunc(inside, func(a, b rootState) int { return cmp.Compare(len(a.canon), len(b.canon)) }), true
}
