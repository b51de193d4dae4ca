package server

import (
	"context"

	"septet/server/jsonrpc"
	"septet/session"
	"septet/toolset"
)

// effectsResult says what a call would do, for a host that decides whether to
// ask its user.
type effectsResult struct {
	stamp
	Effects []session.Effect `json:"effects"`
	session.Decision
	Reason string `json:"reason"` // for people; "" when the call may just run
}

// effects executes nothing. A call that would fail is not an error here: it
// has the verdict deny and the reason it would fail for.
func (s *server) effects(ctx context.Context, q *request) (any, *jsonrpc.Error) {
	in := q.invocation
	declared, decision, err := in.set.Decide(ctx, in.definition.Name, in.arguments)
	if decision.Verdict == session.Deny && err == nil {
		_, err = in.set.Effects(ctx, in.definition.Name, in.arguments) // why it is refused
	}
	if declared == nil {
		declared = []session.Effect{}
	}
	return effectsResult{stamp: s.stampFor(q.era), Effects: declared, Decision: decision, Reason: reasonOf(decision, declared, err)}, nil
}

func reasonOf(d session.Decision, effects []session.Effect, err error) string {
	if err != nil {
		return toolset.AsError(err).Text()
	}
	for _, e := range effects {
		if e.Kind == session.EffectUnknown {
			return e.Reason
		}
	}
	switch d.Verdict {
	case session.Ask:
		return "the mode asks before such a call"
	case session.Deny:
		return "the mode refuses such a call"
	}
	return ""
}
