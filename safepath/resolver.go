package safepath

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Config is what a Resolver is made from.
type Config struct {
	WorkingDirectory string   // required; absolute; relative paths start here
	Roots            []Root   // required; at least one
	Protect          []string // optional; more protected names or patterns, at any depth, or below a root when they begin with "/"
	State            string   // optional; absolute; closed to every access
	Spill            string   // optional; absolute, inside State: readable after all
}

// Root is an authorised directory.
type Root struct {
	Path     string // absolute
	Writable bool
}

// Resolver turns raw paths into CheckedPaths. It is safe for concurrent use.
type Resolver struct {
	volume  Volume
	workdir string // canonical
	roots   []*heldRoot
	protect []pattern
	state   *heldRoot // nil when there is none
	held    heldDirs
	sweeps  sweepTimes
}

// NewResolver prepares the roots. A missing root is no error: it is retried on
// each use and answers RootUnavailable until then.
func NewResolver(v Volume, c Config) (*Resolver, error) {
	protect, err := newPatterns(c.Protect)
	if err != nil {
		return nil, err
	}
	if len(c.Roots) == 0 {
		return nil, errors.New("no root is configured")
	}
	roots := c.Roots
	if c.Spill != "" {
		roots = append(slices.Clip(roots), Root{Path: c.Spill})
	}
	for _, p := range append([]string{c.WorkingDirectory}, rootPaths(roots, c.State)...) {
		if root, _ := splitRoot(toSlash(p)); root == "" {
			return nil, fmt.Errorf("%q is not an absolute path", p)
		}
	}
	r := &Resolver{volume: v, protect: protect}
	if c.State != "" {
		r.state = &heldRoot{given: toSlash(c.State)}
	}
	for i, root := range roots {
		h := &heldRoot{given: toSlash(root.Path), writable: root.Writable, spill: i == len(c.Roots)}
		h.state(v)
		r.roots = append(r.roots, h)
	}
	r.holdProtected()
	workdir, err := canonicalPath(v, toSlash(c.WorkingDirectory))
	if err != nil {
		return nil, fmt.Errorf("working directory %q: %w", c.WorkingDirectory, err)
	}
	r.workdir = workdir.full()
	return r, nil
}

// holdProtected notes the protected directories of the writable roots before
// anybody can rename them.
func (r *Resolver) holdProtected() {
	roots := r.rootStates()
	for _, root := range roots {
		if root.dir != nil && root.writable {
			r.newGuard(root, roots, true).look(root.dir, root.canon)
		}
	}
}

func rootPaths(roots []Root, state string) []string {
	var paths []string
	for _, root := range roots {
		paths = append(paths, root.Path)
	}
	if state != "" {
		paths = append(paths, state)
	}
	return paths
}

// Close releases the held roots. No CheckedPath of r may be used after it.
func (r *Resolver) Close() error {
	r.held.close()
	var errs []error
	if r.state != nil {
		errs = append(errs, r.state.close())
	}
	for _, root := range r.roots {
		errs = append(errs, root.close())
	}
	return errors.Join(errs...)
}

// WorkingDirectory is the canonical name of the directory that relative paths
// start from, "/" separated: the same however it was spelled. It names the
// workspace to people and in records; it is no way to open anything.
func (r *Resolver) WorkingDirectory() string { return r.workdir }

// Resolve checks raw for access and intent. Errors are *Error.
func (r *Resolver) Resolve(raw string, access Access, intent Intent) (*CheckedPath, error) {
	q, err := r.newRequest(raw, access, intent)
	if err != nil {
		return nil, err
	}
	if p, ok := r.attemptDirectly(q); ok {
		return p, nil
	}
	p, err := r.attempt(q)
	for i := 1; i < MaxAttempts && errors.Is(err, errChanged); i++ {
		p, err = r.attempt(q)
	}
	if errors.Is(err, errChanged) {
		return nil, pathChanged(Escape(raw))
	}
	return p, wrap(err, Escape(raw), "resolve")
}

func pathChanged(shown string) error {
	return fail(PathChanged, shown+": another program is changing the names in this path", "call again")
}

// attemptDirectly takes the path as it is written for canonical, which is true
// of most: the walk follows no link, so when it arrives there was none. It
// saves a system call for each component. Whatever else comes of it is left to
// an attempt that canonicalises.
func (r *Resolver) attemptDirectly(q request) (*CheckedPath, bool) {
	if q.dots {
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
	target, err := canonicalise(r.volume, q.root, q.clean)
	if err != nil || !q.dots {
		return target, err
	}
	physical, err := canonicalise(r.volume, q.root, q.parts)
	if err != nil {
		return canonical{}, err
	}
	if physical.full() == target.full() {
		return target, nil
	}
	if _, ok := deepestRoot(roots, target.full()); !ok {
		return canonical{}, r.outside(q, roots)
	}
	return canonical{}, fail(AmbiguousPath, fmt.Sprintf(`%s goes through a link and back with "..": its text and the file system lead to different places`, Escape(q.raw)), `give the path without ".."`)
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
	return fail(OutsideRoots, Escape(q.raw)+" is outside the authorised directories", "choose a path inside "+strings.Join(allowed, " or "))
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
		return fail(NotDirectory, at+" is not a directory", "")
	case !errors.Is(target.stop, fs.ErrNotExist):
		return wrap(target.stop, at, "resolve")
	case target.dangling:
		return fail(NotFound, fmt.Sprintf("%s: a symbolic link leads to %s, which does not exist", Escape(q.raw), at), "")
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
