package shell

import (
	"context"
	"errors"
	"slices"

	"septet/session"
	"septet/toolset"
)

// Analysis is what is known of a command.
type Analysis struct {
	Class   session.ShellClass
	Effects []session.Effect // in the order of the command; for Ask, up to what was not recognised
	Reason  string           // Ask only: "id: detail"
}

// Analyse says what the command would do when bash is given it in dir, a path
// that the workspace can look at. It looks at the disk and changes nothing. A
// context that ends gives Ask, and so does a bug of the parser: a command that
// cannot be analysed can still be run by somebody who was asked.
func Analyse(ctx context.Context, ws Workspace, dir, command string) (a Analysis) {
	defer func() {
		if value := recover(); value != nil {
			a = asked(nil, refuse(analysisBug, "%v", value))
		}
	}()
	file, err := parse(command)
	if err != nil {
		return asked(nil, err)
	}
	l := &line{workspace: ws}
	if err := l.start(dir); err != nil {
		return asked(l.effects, err)
	}
	if err := l.file(ctx, file); err != nil {
		return asked(l.effects, err)
	}
	return Analysis{Class: session.ClassOf(l.effects), Effects: l.effects}
}

// asked is the result for a command that is not recognised.
func asked(effects []session.Effect, err error) Analysis {
	reason := reasonOf(err)
	effects = append(slices.Clip(effects), session.Effect{Kind: session.EffectUnknown, Reason: reason})
	return Analysis{Class: session.ShellAsk, Effects: effects, Reason: reason}
}

func reasonOf(err error) string {
	var r *refusal
	if errors.As(err, &r) {
		return r.Error()
	}
	e := toolset.AsError(err)
	return string(e.Code) + ": " + e.Fact
}
