package session

// Mode is how much a session may do without the host asking anybody.
type Mode string

const (
	ModeDefault     Mode = "default"
	ModeAcceptEdits Mode = "accept-edits"
	ModeReadOnly    Mode = "read-only"
)

// Modes lists the modes from the widest to the narrowest.
var Modes = []Mode{ModeAcceptEdits, ModeDefault, ModeReadOnly}

// Profile is the permission profile of a session. It is enforced: no
// approval widens it.
type Profile struct {
	Mode Mode // "" is ModeDefault
}

// ReadOnly reports whether nothing may be changed.
func (p Profile) ReadOnly() bool { return p.Mode == ModeReadOnly }
