package safepath

import (
	"errors"
	"fmt"
	"slices"
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
		return nil, pathChanged(echo(raw))
	}
	return p, wrap(err, echo(raw), "resolve")
}

func pathChanged(shown string) error {
	return fail(PathChanged, shown+": another program is changing the names in this path", "call again")
}
