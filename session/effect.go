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
