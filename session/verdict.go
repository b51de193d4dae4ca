package session

import (
	"slices"
	"strings"
)

// Verdict is what a mode says about a call, for the host to act on. It is not
// enforcement: roots, protected places and the read-only profile hold whatever
// the verdict is and whoever approves.
type Verdict string

const (
	Allow Verdict = "allow"
	Ask   Verdict = "ask"
	Deny  Verdict = "deny" // the call would be refused, in every mode
)

// Decision is a verdict and the stable name of the rule that made it, by which
// a wrong rule can be traced to the calls it let through.
type Decision struct {
	Verdict Verdict `json:"verdict"`
	Rule    string  `json:"rule"`
}

// ShellClass is what a shell command was recognised as.
type ShellClass string

const (
	ShellReadOnly       ShellClass = "readonly"
	ShellWorkspaceWrite ShellClass = "workspace-write"
	ShellAsk            ShellClass = "ask"
)

// ClassOf derives the class of a shell command from its effects: unknown in
// any part makes it Ask, a change in any part makes it a write.
func ClassOf(effects []Effect) ShellClass {
	class := ShellReadOnly
	for _, e := range effects {
		switch e.Kind {
		case EffectRead, EffectExecute:
		case EffectWrite, EffectCreate, EffectDelete:
			class = ShellWorkspaceWrite
		default:
			return ShellAsk
		}
	}
	return class
}

// Decide gives the verdict of a profile on a call's effects. Effects that
// execute or are unknown are those of a shell command. A call that declares no
// effect at all is not known to be harmless.
func Decide(p Profile, effects []Effect) Decision {
	if len(effects) == 0 {
		return Decision{Ask, "ask:undeclared"}
	}
	if slices.ContainsFunc(effects, ofShell) {
		return decideShell(p, effects)
	}
	mode := p.Mode
	if mode == "" {
		mode = ModeDefault
	}
	rule := "mode:" + string(mode)
	switch {
	case ClassOf(effects) == ShellReadOnly:
		return Decision{Allow, rule + ":read"}
	case mode == ModeAcceptEdits:
		return Decision{Allow, rule + ":write"}
	case mode == ModeReadOnly:
		return Decision{Deny, rule + ":write"}
	}
	return Decision{Ask, rule + ":write"}
}

func ofShell(e Effect) bool {
	return e.Kind != EffectRead && e.Kind != EffectWrite && e.Kind != EffectCreate && e.Kind != EffectDelete
}

func decideShell(p Profile, effects []Effect) Decision {
	class := ClassOf(effects)
	d := Decision{Ask, shellRule(class, effects)}
	switch {
	case p.ReadOnly():
		d = Decision{Deny, "mode:read-only:execute"}
	case class == ShellReadOnly, class == ShellWorkspaceWrite && p.Mode == ModeAcceptEdits:
		d.Verdict = Allow
	}
	return d
}

// shellRule names the rows that recognised a command, "readonly:cat+head", or
// the identifier of the reason it was not, "ask:expansion".
func shellRule(class ShellClass, effects []Effect) string {
	var names []string
	for _, e := range effects {
		switch {
		case e.Kind == EffectUnknown && class == ShellAsk:
			id, _, _ := strings.Cut(e.Reason, ":")
			return string(class) + ":" + id
		case e.Kind == EffectExecute && !slices.Contains(names, e.Program):
			names = append(names, e.Program)
		}
	}
	return string(class) + ":" + strings.Join(names, "+")
}
