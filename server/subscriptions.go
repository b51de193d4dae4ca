package server

import (
	"context"
	"encoding/json"

	"septet/server/jsonrpc"
)

// prepareListen refuses what would never be answered.
func prepareListen(q *request) *jsonrpc.Error {
	if q.call.Batched() {
		return &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "subscriptions/listen cannot be part of a batch"}
	}
	if raw, given := q.params["notifications"]; given {
		if _, err := jsonrpc.ParseObject(raw); err != nil {
			return badParams("notifications: %v", err)
		}
	}
	return nil
}

// listen holds a subscription open. Nothing is ever sent on it: the set of
// tools is frozen, and there is nothing else to subscribe to.
func (s *server) listen(ctx context.Context, q *request) (any, *jsonrpc.Error) {
	id := map[string]any{metaSubscriptionID: q.call.ID}
	s.stream.Announce(q.call, "notifications/subscriptions/acknowledged",
		encode(map[string]any{"_meta": id, "notifications": struct{}{}}))
	select {
	case <-ctx.Done():
	case <-s.ending:
	}
	result := s.stampFor(q.era)
	result.Meta[metaSubscriptionID] = json.RawMessage(q.call.ID)
	return result, nil
}
