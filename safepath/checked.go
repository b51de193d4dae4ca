package safepath

import (
	"fmt"
	"strings"
)

// CheckedPath is a path that Resolve has accepted. It is opaque: only a
// Resolver makes one and only a file system, process or search backend uses
// one. The zero value, one of another volume and one checked for reading that
// is used for writing are refused.
//
// It holds an open directory: close it. It is for one use and one goroutine,
// and it must not be kept while a person is asked something.
type CheckedPath struct {
	resolver *Resolver
	root     rootState
	parent   Dir      // the deepest directory that exists; for a directory target, its parent, or the root itself
	path     string   // canonical path of parent when it was opened
	missing  []string // directories still to be made between parent and base
	base     string   // "" when the target is a root itself
	stat     Stat     // zero Kind when the target does not exist
	access   Access
	intent   Intent
	display  string
	closed   bool
}

func (r *Resolver) checked(q request, w *walk) *CheckedPath {
	return &CheckedPath{
		resolver: r, root: w.root, parent: w.dir, path: w.dirPath, missing: w.missing, base: w.base,
		stat: w.stat, access: q.access, intent: q.intent, display: w.shown,
	}
}

// String returns the path as shown to people and models: relative to the
// working directory when it is inside, absolute elsewhere, with unsafe names
// escaped. Resolve takes it back.
func (p *CheckedPath) String() string { return p.display }

// Close releases the held directory. Closing twice is harmless.
func (p *CheckedPath) Close() error {
	if p == nil || p.closed || p.parent == nil {
		return nil
	}
	p.closed = true
	if p.parent == p.root.dir {
		return nil
	}
	return p.parent.Close()
}

// display is the form in which a canonical path is shown.
func (r *Resolver) display(full string) string {
	parts, ok := below(r.workdir, full)
	if !ok {
		root, _ := splitRoot(full)
		return root + escapeParts(allParts(full))
	}
	if len(parts) == 0 {
		return "."
	}
	shown := escapeParts(parts)
	if strings.HasPrefix(shown, "~/") {
		return "./" + shown
	}
	return shown
}

func escapeParts(parts []string) string {
	shown := make([]string, len(parts))
	for i, part := range parts {
		shown[i] = Escape(part)
	}
	return strings.Join(shown, "/")
}

// checkKind compares what was found with what the call expects.
func (p *CheckedPath) checkKind(q request) error {
	kind := p.stat.Kind
	switch {
	case kind == KindUnknown && q.access == Write && q.intent == File:
		if q.wantsDir {
			return fail(InvalidPath, echo(q.raw)+" names a directory, not a file", "leave the slash at the end out")
		}
		return nil
	case kind == KindUnknown:
		return p.notFound()
	case q.intent == File && kind != KindFile:
		return fail(NotRegularFile, fmt.Sprintf("%s is %s, not a regular file", p.display, kind), kindHint(kind, p.display))
	case q.intent == File && q.wantsDir:
		return fail(NotRegularFile, fmt.Sprintf("%s names a directory, but it is a file", echo(q.raw)), "leave the slash at the end out")
	case (q.intent == Directory || q.wantsDir) && kind != KindDirectory:
		return fail(NotDirectory, fmt.Sprintf("%s is %s, not a directory", p.display, kind), "name the directory that holds it")
	case kind == KindOther:
		return fail(NotRegularFile, fmt.Sprintf("%s is %s", p.display, kind), kindHint(kind, p.display))
	}
	return nil
}

func kindHint(kind Kind, shown string) string {
	if kind == KindDirectory {
		return fmt.Sprintf("list with path=%q shows what is in it", shown)
	}
	return "choose another path; bash can look at it, e.g. with stat"
}
