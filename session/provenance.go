package session

import (
	"context"

	"septet/backend"
)

// Provenance says which call a file change belongs to.
type Provenance = backend.Provenance

// WithProvenance returns a context that carries p to the record of whatever
// the call changes.
func WithProvenance(ctx context.Context, p Provenance) context.Context {
	return backend.WithProvenance(ctx, p)
}
