package server

import (
	"context"
	"strconv"

	"septet/server/jsonrpc"
	"septet/session"
	"septet/toolset"
)

// prepareChangesList reads a query for stored changes. Without a session it is
// about this connection's; "" is every session of the workspace.
func (s *server) prepareChangesList(q *request) *jsonrpc.Error {
	name, cursor := s.sessionName(), ""
	query := session.RecordQuery{}
	limit := session.DefaultRecords
	if bad := members(q, map[string]any{
		"session": &name, "turn": &query.Turn, "path": &query.Path, "limit": &limit, "cursor": &cursor,
	}); bad != nil {
		return bad
	}
	if limit < 1 || limit > session.MaxRecords {
		return badParams("limit must be from 1 to %d", session.MaxRecords)
	}
	if cursor != "" {
		before, err := strconv.ParseInt(cursor, 10, 64)
		if err != nil || before < 1 {
			return badParams("cursor %q was not issued by this server", clip(cursor, maxMessageBytes))
		}
		query.Before = before
	}
	query.Session, query.Limit = name, limit
	q.work = func(ctx context.Context) (any, *jsonrpc.Error) { return s.changesList(ctx, q, query) }
	return nil
}

func (s *server) changesList(ctx context.Context, q *request, query session.RecordQuery) (any, *jsonrpc.Error) {
	page, err := s.config.History.List(ctx, query)
	if err != nil {
		return nil, historyError(err)
	}
	result := struct {
		stamp
		Changes    []toolset.Record `json:"changes"`
		NextCursor string           `json:"nextCursor,omitempty"`
	}{stamp: s.stampFor(q.era), Changes: make([]toolset.Record, len(page.Records))}
	for i, r := range page.Records {
		result.Changes[i] = toolset.NewRecord(r)
	}
	if page.Next != 0 {
		result.NextCursor = strconv.FormatInt(page.Next, 10)
	}
	return fitting(q, result)
}
