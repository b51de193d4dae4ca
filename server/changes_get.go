package server

import (
	"context"

	"septet/server/jsonrpc"
	"septet/toolset"
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
	return fitting(q, struct {
		stamp
		Change toolset.Record `json:"change"`
	}{s.stampFor(q.era), toolset.NewRecord(found).WithHunks(found.Hunks)})
}
