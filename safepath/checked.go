package safepath

// CheckedPath is a path that Resolve has accepted. It is opaque: only a
// Resolver makes one and only a file system, process or search backend uses
// one. The zero value, one of another volume and one checked for reading that
// is used for writing are refused.
//
// It holds an open directory: close it. It is for one use and one goroutine,
// and it must not be kept while a person is asked something.
type CheckedPath struct {
	volume   Volume
	resolver *Resolver
	parent   Dir      // the deepest directory that exists; for a directory target, its parent, or the root itself
	missing  []string // directories still to be made between parent and base
	base     string   // "" when the target is a root itself
	stat     Stat     // zero Kind when the target does not exist
	access   Access
	intent   Intent
	display  string
	closed   bool
}

// String returns the path as shown to people and models: relative to the
// working directory's root, absolute elsewhere, with unsafe names escaped.
func (p *CheckedPath) String() string { return p.display }

// Close releases the held directory. Closing twice is harmless.
func (p *CheckedPath) Close() error {
	if p == nil || p.closed || p.parent == nil {
		return nil
	}
	p.closed = true
	return p.parent.Close()
}
