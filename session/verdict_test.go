package session_test

import (
	"testing"

	"septet/session"
)

func TestDecide(t *testing.T) {
	read := session.Effect{Kind: session.EffectRead, Path: "a"}
	write := session.Effect{Kind: session.EffectWrite, Path: "a"}
	create := session.Effect{Kind: session.EffectCreate, Path: "a"}
	remove := session.Effect{Kind: session.EffectDelete, Path: "a"}
	cat := session.Effect{Kind: session.EffectExecute, Program: "cat"}
	head := session.Effect{Kind: session.EffectExecute, Program: "head"}
	unknown := session.Effect{Kind: session.EffectUnknown, Reason: "flag: sort: -o is not on the list"}
	odd := session.Effect{Kind: "send", Path: "a"}
	rows := []struct {
		name    string
		mode    session.Mode
		effects []session.Effect
		want    session.Decision
	}{
		{"read by default", "", []session.Effect{read}, session.Decision{Verdict: session.Allow, Rule: "mode:default:read"}},
		{"read", session.ModeReadOnly, []session.Effect{read}, session.Decision{Verdict: session.Allow, Rule: "mode:read-only:read"}},
		{"write by default", session.ModeDefault, []session.Effect{write}, session.Decision{Verdict: session.Ask, Rule: "mode:default:write"}},
		{"create in accept-edits", session.ModeAcceptEdits, []session.Effect{create}, session.Decision{Verdict: session.Allow, Rule: "mode:accept-edits:write"}},
		{"delete by default", session.ModeDefault, []session.Effect{remove}, session.Decision{Verdict: session.Ask, Rule: "mode:default:write"}},
		{"write in read-only", session.ModeReadOnly, []session.Effect{read, write}, session.Decision{Verdict: session.Deny, Rule: "mode:read-only:write"}},
		{"reading command", session.ModeDefault, []session.Effect{cat, read, head, cat}, session.Decision{Verdict: session.Allow, Rule: "readonly:cat+head"}},
		{"writing command", session.ModeDefault, []session.Effect{cat, create}, session.Decision{Verdict: session.Ask, Rule: "workspace-write:cat"}},
		{"writing command in accept-edits", session.ModeAcceptEdits, []session.Effect{cat, head, create}, session.Decision{Verdict: session.Allow, Rule: "workspace-write:cat+head"}},
		{"unknown command", session.ModeAcceptEdits, []session.Effect{cat, read, unknown}, session.Decision{Verdict: session.Ask, Rule: "ask:flag"}},
		{"command in read-only", session.ModeReadOnly, []session.Effect{cat, read}, session.Decision{Verdict: session.Deny, Rule: "mode:read-only:execute"}},
		{"kind nobody knows", session.ModeAcceptEdits, []session.Effect{odd}, session.Decision{Verdict: session.Ask, Rule: "ask:"}},
		{"nothing declared", session.ModeAcceptEdits, nil, session.Decision{Verdict: session.Ask, Rule: "ask:undeclared"}},
	}
	for _, row := range rows {
		if got := session.Decide(session.Profile{Mode: row.mode}, row.effects); got != row.want {
			t.Errorf("%s: %+v, want %+v", row.name, got, row.want)
		}
	}
}
