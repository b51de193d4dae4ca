package server

import (
	"context"

	"septet/server/jsonrpc"
)

func (s *server) prepareChangesGet(q *request) *jsonrpc.Error {
	var id string
	if bad := members(q, map[string]any{"changeId": &id}); bad != nil {
		return bad
	}
	if id == "" {
		return badParams("changeId must be a string")
	}
	q.work = func(ctx context.Context) (any, *jsonrpc.Error) { return s.changesGet(ctx, q, id) }
	return nil
}

// changesGet answers one change with its hunks, the same as its call answered.
func (s *server) changesGet(ctx context.Context, q *request, id string) (any, *jsonrpc.Error) {
	found, err := s.config.History.Get(ctx, id)
	if err != nil {
		return nil, historyError(err)
	}
	r := recordOf(found)
	if found.Hunks == nil {
		found.Hunks = []hunk{} // a created empty file, or an expired diff
	}
	r.Hunks = &found.Hunks
	return fitting(q, struct {
		stamp
		Change record `json:"change"`
	}{s.stampFor(q.era), r})
}
