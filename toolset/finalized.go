package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"septet/session"
)

// ErrUnknownTool is for a name that is not in the set, known to the program or
// not.
var ErrUnknownTool = errors.New("unknown tool")

// FinalizedToolset is the frozen set of tools of one session. Nothing can be
// added, removed or replaced. It is safe for concurrent use.
type FinalizedToolset struct {
	session *session.SessionContext
	entries []*entry
}

// Definitions lists the tools in their fixed order; the slice is a copy.
func (f *FinalizedToolset) Definitions() []Definition {
	list := make([]Definition, len(f.entries))
	for i, e := range f.entries {
		list[i] = e.definition
	}
	return list
}

// Definition returns the tool of that name; false when it is not in the set.
func (f *FinalizedToolset) Definition(name string) (Definition, bool) {
	e, err := f.find(name)
	if err != nil {
		return Definition{}, false
	}
	return e.definition, true
}

// Call runs a tool. The error is ErrUnknownTool or ErrNotObject; whatever the
// tool did, failed or panicked is in the result.
func (f *FinalizedToolset) Call(ctx context.Context, cc *session.CallContext, name string, arguments json.RawMessage) (ToolResult, error) {
	e, err := f.find(name)
	if err != nil {
		return ToolResult{}, err
	}
	return e.run(ctx, f.session, cc, arguments)
}

// Effects says what Call would do. The error is ErrUnknownTool, ErrNotObject
// or the one that the call would fail with.
func (f *FinalizedToolset) Effects(ctx context.Context, name string, arguments json.RawMessage) (effects []session.Effect, err error) {
	e, err := f.find(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if value := recover(); value != nil {
			effects, err = nil, Errorf(Internal, "the effects of %s failed with an internal error", name)
		}
	}()
	bound, err := e.bind(arguments)
	if err != nil {
		return nil, err
	}
	return bound.effects(ctx, f.session)
}

// Preview says what Call would do and the verdict of the session's mode on it.
// It changes nothing. The error is ErrUnknownTool or ErrNotObject.
func (f *FinalizedToolset) Preview(ctx context.Context, name string, arguments json.RawMessage) (Preview, error) {
	effects, err := f.Effects(ctx, name, arguments)
	if errors.Is(err, ErrUnknownTool) || errors.Is(err, ErrNotObject) {
		return Preview{}, err
	}
	return preview(f.session, effects, err), nil
}

func (f *FinalizedToolset) find(name string) (*entry, error) {
	for _, e := range f.entries {
		if e.definition.Name == name {
			return e, nil
		}
	}
	return nil, fmt.Errorf("%w: %s", ErrUnknownTool, name)
}
