// Package toolset is the contract of a tool and the frozen set that a process
// may use.
//
// A Tool is typed; Register erases it into one entry from which its
// definition, its decoding and its dispatch come. Finalize freezes a selection
// of entries: what is advertised and what can be called cannot differ.
package toolset

import (
	"context"

	"septet/session"
)

// Tool is one tool. I is a flat struct of strings, integers and booleans; its
// tags make the schema and drive the decoding. Methods are called
// concurrently.
type Tool[I any, O Output] interface {
	// Spec is constant.
	Spec() Spec
	// Effects says what a call with this input would do. It may look at the
	// disk and changes nothing. An error is the one Call would give.
	Effects(context.Context, *session.SessionContext, I) ([]session.Effect, error)
	// Call does it. The context ends with a cause of package session or with
	// its deadline; nothing that Call started may use it afterwards. An *Error
	// with HasOutput is returned together with the output.
	Call(context.Context, *session.SessionContext, *session.CallContext, I) (O, error)
}

// Output is what a tool returns. Its JSON is the structured content; Text is
// what a model reads, complete by itself.
type Output interface{ Text() string }

// Spec names and describes a tool.
type Spec struct {
	ID          string // required; one lower-case word, a literal
	Title       string // required; for people
	Description string // required; for models, from an embedded file
	Risk        Risk   // required
	Idempotent  bool   // the same call twice leaves what one leaves
	Load        Load   // optional; what a call occupies while it runs
}

// Load is what a running call occupies. It bounds how many run at once.
type Load uint8

const (
	LoadLight   Load = iota // one file or directory
	LoadSearch              // every processor, for a walk of a tree
	LoadProcess             // processes of its own
)

// Risk is the worst a tool can do.
type Risk uint8

const (
	RiskRead Risk = iota + 1
	RiskWrite
	RiskExecute
)

func (r Risk) String() string {
	return [...]string{"", "read", "write", "execute"}[r]
}

// Annotations are the hints hosts decide approvals by. All four are always
// given: a missing one is read as the worst case.
type Annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

// Annotations derive from the risk alone, but for idempotence.
func (s Spec) Annotations() Annotations {
	return Annotations{
		ReadOnly:    s.Risk == RiskRead,
		Destructive: s.Risk != RiskRead,
		Idempotent:  s.Idempotent,
		OpenWorld:   s.Risk == RiskExecute,
	}
}
