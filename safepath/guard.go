package safepath

import (
	"strings"
	"sync"
)

// guard knows directories that a walk must not enter, by identity: a rename, a
// bind mount or another spelling gives them a name that no list of names
// holds. It is made for one walk.
type guard struct {
	resolver  *Resolver
	write     bool
	state     FileID // zero when there is none
	statePath string
	readOnly  map[FileID]bool
	seen      map[FileID]bool // protected directories beside the path walked
	absent    []string        // canonical paths that protected links lead to, where nothing is yet
}

func (r *Resolver) newGuard(root rootState, roots []rootState, write bool) *guard {
	g := &guard{resolver: r, write: write}
	if state := r.stateState(); !root.spill && state.dir != nil {
		g.state, g.statePath = state.id, state.canon
	}
	if !write {
		return g
	}
	g.readOnly, g.seen = map[FileID]bool{}, map[FileID]bool{}
	for _, other := range roots {
		if other.dir != nil && !other.writable && other.id != root.id {
			g.readOnly[other.id] = true
		}
	}
	return g
}

// mayLeap reports whether no directory on the way needs a look: for a read that
// is the state directory only, and while it is in its own place no other name
// leads to it.
func (g *guard) mayLeap() bool {
	if g.write {
		return false
	}
	if g.state == (FileID{}) {
		return true
	}
	st, err := g.resolver.volume.Lstat(g.statePath)
	return err == nil && st.ID == g.state
}

// check refuses the object with this identity.
func (g *guard) check(id FileID, shown string) error {
	switch {
	case g.state == id && g.state != FileID{}:
		return stateError(shown)
	case !g.write:
		return nil
	case g.readOnly[id]:
		return readOnlyError(shown)
	case g.seen[id] || g.resolver.held.has(id):
		return protectedError(shown, "it is a protected directory under another name")
	}
	return nil
}

// checkNew refuses to make what a protected link leads to: it has no identity
// yet, so a link that dangles is known by the path of its target.
func (g *guard) checkNew(abs, shown string) error {
	for _, target := range g.absent {
		if _, ok := below(target, abs); ok {
			return protectedError(shown, "a protected link leads there")
		}
	}
	return nil
}

// look notes the protected directories in dir, whose path is abs.
func (g *guard) look(dir Dir, abs string) {
	if !g.write {
		return
	}
	if st, err := dir.Lookup(".git"); err == nil {
		g.note(dir, ".git", abs, st)
		g.noteGitFile(dir, abs, st)
	}
	st, err := dir.Lookup(".agents")
	if err == nil && st.Kind == KindSymlink {
		g.notePath(joinPath(abs, ".agents/skills"))
	}
	if err != nil || st.Kind != KindDirectory {
		return
	}
	agents, err := dir.OpenDir(".agents")
	if err != nil {
		return
	}
	defer agents.Close()
	if st, err := agents.Lookup("skills"); err == nil {
		g.note(agents, "skills", joinPath(abs, ".agents"), st)
	}
}

// note remembers the object name in dir; of a link, what it leads to.
func (g *guard) note(dir Dir, name, abs string, st Stat) {
	switch st.Kind {
	case KindSymlink:
		g.notePath(joinPath(abs, name))
	case KindDirectory:
		g.seen[st.ID] = true
		g.resolver.held.hold(dir, name, st.ID)
	default:
		g.seen[st.ID] = true
	}
}

// notePath remembers what abs leads to through links, there or not.
func (g *guard) notePath(abs string) {
	c, err := canonicalPath(g.resolver.volume, abs)
	if err != nil {
		return
	}
	if c.stop != nil {
		g.absent = append(g.absent, c.full())
		return
	}
	if st, err := g.resolver.volume.Lstat(c.path); err == nil {
		g.seen[st.ID] = true
	}
}

// noteGitFile follows a .git that is a file: git runs the hooks and the
// configuration of the directory it names.
func (g *guard) noteGitFile(dir Dir, abs string, st Stat) {
	if st.Kind != KindFile || st.Size > MaxPathBytes {
		return
	}
	h, err := dir.OpenFile(".git")
	if err != nil {
		return
	}
	defer h.Close()
	buf := make([]byte, MaxPathBytes)
	n, _ := h.Read(buf)
	target, ok := strings.CutPrefix(strings.TrimSpace(string(buf[:n])), "gitdir: ")
	if !ok || target == "" {
		return
	}
	if root, _ := splitRoot(toSlash(target)); root == "" {
		target = joinPath(abs, target)
	}
	g.notePath(toSlash(target))
}

// heldDirs keeps protected directories open. While one is open its inode
// number cannot be given to another directory, so the number is proof.
type heldDirs struct {
	mu    sync.Mutex
	dirs  map[FileID]Dir
	order []FileID
}

func (h *heldDirs) has(id FileID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.dirs[id]
	return ok
}

// hold opens name in dir unless it is held; the oldest is let go when there
// are too many.
func (h *heldDirs) hold(dir Dir, name string, id FileID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.dirs[id]; ok {
		return
	}
	d, err := dir.OpenDir(name)
	if err != nil {
		return
	}
	st, err := d.Stat()
	if err != nil || st.ID != id {
		d.Close()
		return
	}
	if len(h.order) == MaxHeldProtected {
		h.dirs[h.order[0]].Close()
		delete(h.dirs, h.order[0])
		h.order = h.order[1:]
	}
	if h.dirs == nil {
		h.dirs = map[FileID]Dir{}
	}
	h.dirs[id] = d
	h.order = append(h.order, id)
}

func (h *heldDirs) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, d := range h.dirs {
		d.Close()
	}
	h.dirs, h.order = nil, nil
}
