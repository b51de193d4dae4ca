package toolset

import (
	"fmt"
	"slices"
	"strings"

	"septet/session"
)

// Selection says which of the registered tools a process may use.
type Selection struct {
	Mode  session.Mode // optional; "" is session.ModeDefault
	Tools []string     // optional; nil selects every tool the mode allows
}

// Narrow returns the selection that is left when a host asks for less. Asking
// for more is an error: a handshake cannot widen the command line.
func (s Selection) Narrow(to Selection) (Selection, error) {
	out := s
	if to.Mode != "" {
		if rank(to.Mode) < 0 {
			return s, fmt.Errorf("unknown mode %q", to.Mode)
		}
		if rank(to.Mode) < rank(s.mode()) {
			return s, fmt.Errorf("mode %q is wider than %q, which this process was started with", to.Mode, s.mode())
		}
		out.Mode = to.Mode
	}
	if to.Tools != nil {
		for _, name := range to.Tools {
			if s.Tools != nil && !slices.Contains(s.Tools, name) {
				return s, fmt.Errorf("tool %q is not among those this process was started with: %s", name, strings.Join(s.Tools, ", "))
			}
		}
		out.Tools = slices.Clone(to.Tools)
	}
	return out, nil
}

// Equal reports whether both select the same tools in the same mode.
func (s Selection) Equal(o Selection) bool {
	return s.mode() == o.mode() && (s.Tools == nil) == (o.Tools == nil) &&
		slices.Equal(slices.Sorted(slices.Values(s.Tools)), slices.Sorted(slices.Values(o.Tools)))
}

func (s Selection) mode() session.Mode {
	if s.Mode == "" {
		return session.ModeDefault
	}
	return s.Mode
}

// rank orders modes from wide to narrow; -1 is unknown.
func rank(m session.Mode) int { return slices.Index(session.Modes, m) }

// allows reports whether the mode permits a tool of this risk at all.
func (s Selection) allows(r Risk) bool {
	return r == RiskRead || s.mode() != session.ModeReadOnly
}
