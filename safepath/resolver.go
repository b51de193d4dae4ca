package safepath

// Config is what a Resolver is made from.
type Config struct {
	WorkingDirectory string   // required; absolute; relative paths start here
	Roots            []Root   // required; at least one
	Protect          []string // optional; more protected names or patterns, at any depth
	State            string   // optional; absolute; closed to every access
	Spill            string   // optional; absolute, inside State: readable after all
}

// Root is an authorised directory.
type Root struct {
	Path     string // absolute
	Writable bool
}

// Resolver turns raw paths into CheckedPaths. It is safe for concurrent use.
type Resolver struct{}

// NewResolver prepares the roots. A missing root is no error: it is retried on
// each use and answers RootUnavailable until then.
func NewResolver(v Volume, c Config) (*Resolver, error) { panic("not yet") }

// Resolve checks raw for access and intent. Errors are *Error.
func (r *Resolver) Resolve(raw string, access Access, intent Intent) (*CheckedPath, error) {
	panic("not yet")
}

// Close releases the held roots. No CheckedPath of r may be used after it.
func (r *Resolver) Close() error { panic("not yet") }
