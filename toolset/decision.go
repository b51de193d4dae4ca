package toolset

import (
	"errors"
	"slices"

	"septet/safepath"
	"septet/session"
)

// Preview is a call before it is made.
type Preview struct {
	Effects []session.Effect `json:"effects"` // never nil; empty when the call would fail before it does anything
	session.Decision
	Reason string `json:"reason"` // for people: why it asks or would fail, or what a recognised command is; else ""
}

func preview(sc *session.SessionContext, effects []session.Effect, err error) Preview {
	p := Preview{Effects: append([]session.Effect{}, effects...), Decision: decide(sc, effects, err)}
	p.Reason = reason(p, err)
	return p
}

func reason(p Preview, err error) string {
	if err != nil {
		return AsError(err).Text()
	}
	for _, e := range p.Effects {
		if e.Kind == session.EffectUnknown {
			return e.Reason
		}
	}
	switch p.Verdict {
	case session.Ask:
		return "the mode asks before such a call"
	case session.Deny:
		return "the mode refuses such a call"
	}
	return recognised(p.Effects)
}

// recognised is what a person is told of a command that may run: that a list
// knows it, and that nothing holds it.
func recognised(effects []session.Effect) string {
	executes := func(e session.Effect) bool { return e.Kind == session.EffectExecute }
	switch {
	case !slices.ContainsFunc(effects, executes):
		return ""
	case session.ClassOf(effects) == session.ShellReadOnly:
		return "recognised as read-only by a closed list; it runs with your full rights"
	}
	return "recognised by a closed list as a change of the workspace; it runs with your full rights"
}

// decide gives the verdict on a call from the effects it declares, or from the
// error that kept it from declaring any.
func decide(sc *session.SessionContext, effects []session.Effect, err error) session.Decision {
	if err != nil {
		return refused(err)
	}
	return session.Decide(sc.Profile(), effects)
}

// refused is the decision on a call that fails before it does anything. No
// mode and no approval changes that, so it is Deny; the rule tells a refusal,
// "outside_roots" or "protected:.git", from a mistake, "error:not_found".
func refused(err error) session.Decision {
	var path *safepath.Error
	rule := "error:" + string(AsError(err).Code)
	switch {
	case !errors.As(err, &path) || !refusedByPath(err):
	case path.Code == safepath.ProtectedPath && path.By != "":
		rule = "protected:" + path.By
	default:
		rule = string(path.Code)
	}
	return session.Decision{Verdict: session.Deny, Rule: rule}
}

// NotBegun is the result of a call that never reached its tool, with the
// decision that it was not to run.
func NotBegun(e *Error) ToolResult {
	result := Failed(e)
	result.Decision = refused(e)
	return result
}

// refusedByPath reports whether the roots or a protected place refuse a call.
func refusedByPath(err error) bool {
	return statusOf(AsError(err).Code) == StatusDenied
}

// notAllowed is the result of a call that nobody was asked about and that is
// not to run without. err is why it declared no effects, or nil.
func notAllowed(tool string, d session.Decision, err error) ToolResult {
	if err != nil {
		return Failed(AsError(err))
	}
	return Failed(Errorf(NotAllowed, "%s was not run: the verdict at this moment is %s (%s)", tool, d.Verdict, d.Rule).
		WithHint("ask the user, then repeat the call without septet/auto"))
}
