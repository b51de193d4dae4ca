package session

// EffectKind is what an effect does to its object.
type EffectKind string

const (
	EffectRead    EffectKind = "read"
	EffectWrite   EffectKind = "write"
	EffectCreate  EffectKind = "create"
	EffectDelete  EffectKind = "delete"
	EffectExecute EffectKind = "execute"
	EffectUnknown EffectKind = "unknown"
)

// Effect is one thing a call would do.
type Effect struct {
	Kind    EffectKind `json:"kind"`
	Path    string     `json:"path,omitempty"`    // read, write, create, delete
	Program string     `json:"program,omitempty"` // execute
	Args    []string   `json:"args,omitempty"`    // execute
	Reason  string     `json:"reason,omitempty"`  // unknown
}

// Reads is the effect of a call that only reads what the path names.
func (s *SessionContext) Reads(path string, i Intent) ([]Effect, error) {
	p, err := s.Resolve(path, Read, i)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return []Effect{{Kind: EffectRead, Path: p.String()}}, nil
}
