package backend

import "context"

// Provenance says which call a file change belongs to. The server puts it on
// the call's context; the record of the change takes it from there.
type Provenance struct {
	Session string
	Turn    string // "" outside a named turn
	CallID  string
	Tool    string
}

type provenanceKey struct{}

// WithProvenance returns a context that carries p.
func WithProvenance(ctx context.Context, p Provenance) context.Context {
	return context.WithValue(ctx, provenanceKey{}, p)
}

// ProvenanceOf returns the provenance ctx carries, or the zero value.
func ProvenanceOf(ctx context.Context) Provenance {
	p, _ := ctx.Value(provenanceKey{}).(Provenance)
	return p
}
