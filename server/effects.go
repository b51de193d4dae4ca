package server

import (
	"context"

	"septet/server/jsonrpc"
	"septet/toolset"
)

// effectsResult says what a call would do, for a host that decides whether to
// ask its user.
type effectsResult struct {
	stamp
	toolset.Preview
}

// effects executes nothing. A call that would fail is not an error here: it
// has the verdict deny and the reason it would fail for.
func (s *server) effects(ctx context.Context, q *request) (any, *jsonrpc.Error) {
	in := q.invocation
	preview, err := in.set.Preview(ctx, in.definition.Name, in.arguments)
	if err != nil {
		return nil, badParams("%v", err)
	}
	return effectsResult{stamp: s.stampFor(q.era), Preview: preview}, nil
}
