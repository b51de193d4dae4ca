package server

import (
	"context"
	"encoding/json"
	"strconv"

	"septet/server/jsonrpc"
	"septet/session"
	"septet/toolset"
)

// cursorBase is what the position in a cursor is written in; a cursor is not
// for reading.
const cursorBase = 36

// changesList lists stored changes, newest first.
func (s *server) changesList(ctx context.Context, q *request) (any, *jsonrpc.Error) {
	query, bad := parseQuery(q)
	if bad != nil {
		return nil, bad
	}
	var page session.RecordPage
	if s.config.History != nil {
		var err error
		if page, err = s.config.History.List(ctx, query); err != nil {
			return nil, ownError(err)
		}
	}
	changes := make([]toolset.Record, len(page.Records))
	for i, r := range page.Records {
		changes[i] = toolset.NewRecord(r)
	}
	next := ""
	if page.Next != 0 {
		next = strconv.FormatInt(page.Next, cursorBase)
	}
	return struct {
		stamp
		Changes    []toolset.Record `json:"changes"`
		NextCursor string           `json:"nextCursor,omitempty"`
	}{s.stampFor(q.era), changes, next}, nil
}

func parseQuery(q *request) (session.RecordQuery, *jsonrpc.Error) {
	var query session.RecordQuery
	var cursor string
	if bad := q.decode(map[string]any{
		"session": &query.Session, "turn": &query.Turn, "path": &query.Path, "limit": &query.Limit, "cursor": &cursor,
	}); bad != nil {
		return query, bad
	}
	if _, given := q.params["limit"]; given && (query.Limit < 1 || query.Limit > maxListed) {
		return query, badParams("limit must be from 1 to %d, got %d", maxListed, query.Limit)
	}
	if cursor != "" {
		before, err := strconv.ParseInt(cursor, cursorBase, 64)
		if err != nil || before <= 0 {
			return query, badParams("cursor %s was not issued by this server", clip(cursor, maxMessageBytes))
		}
		query.Before = before
	}
	return query, nil
}

// changesGet returns one stored change with its hunks.
func (s *server) changesGet(ctx context.Context, q *request) (any, *jsonrpc.Error) {
	var id string
	if bad := q.decode(map[string]any{"changeId": &id}); bad != nil {
		return nil, bad
	}
	if id == "" {
		return nil, badParams("changeId must be a string")
	}
	if s.config.History == nil {
		return nil, ownError(toolset.Errorf(toolset.NotFound, "no change %s: this process keeps no journal", clip(id, maxMessageBytes)))
	}
	r, err := s.config.History.Get(ctx, id)
	if err != nil {
		return nil, ownError(err)
	}
	return struct {
		stamp
		Change toolset.Record `json:"change"`
	}{s.stampFor(q.era), toolset.NewRecord(r).WithHunks(r.Hunks)}, nil
}

// undo is what prepareUndo found on the reading goroutine.
type undo struct {
	request session.UndoRequest
	session string // whose undo it is
	done    func() // lets calls go on
}

// prepareUndo checks what is to be undone and that this session may write, and
// keeps calls away from here on: one whose frame comes right after this waits,
// even if its goroutine starts first.
func (s *server) prepareUndo(q *request) *jsonrpc.Error {
	u := undo{session: s.peer.session}
	r := &u.request
	if bad := q.decode(map[string]any{"changeIds": &r.ChangeIDs, "turn": &r.Turn, "last": &r.Last, "dryRun": &r.DryRun}); bad != nil {
		return bad
	}
	named := 0
	for _, name := range []string{"changeIds", "turn", "last"} {
		if _, given := q.params[name]; given {
			named++
		}
	}
	switch {
	case named != 1:
		return badParams("exactly one of changeIds, turn and last must be given")
	case len(r.ChangeIDs) == 0 && r.Turn == "" && r.Last < 1:
		return badParams("changeIds must not be empty, turn must not be blank and last must be at least 1")
	case s.peer.readOnly() && !r.DryRun:
		return ownError(toolset.Errorf(toolset.NotAllowed, "a read-only session changes nothing, and undoes nothing"))
	}
	if r.ChangeIDs == nil {
		r.Session = s.peer.session
	}
	q.undo = &u
	return s.excludeCalls(&u)
}

func (s *server) excludeCalls(u *undo) *jsonrpc.Error {
	if s.config.History == nil {
		return ownError(toolset.Errorf(toolset.NotUndoable, "nothing can be undone: this process keeps no journal"))
	}
	done, alone := s.turns.Exclusive()
	if !alone {
		return ownError(toolset.Errorf(toolset.TurnActive, "calls of this session run; undo when they have ended, or cancel them"))
	}
	u.done = done
	return nil
}

// changesUndo takes changes back. No call may run beside it: it would see, or
// write, files that are half restored.
func (s *server) changesUndo(ctx context.Context, q *request) (any, *jsonrpc.Error) {
	defer q.undo.done()
	ctx = session.WithProvenance(ctx, session.Provenance{Session: q.undo.session, CallID: s.callID(q), Tool: "undo"})
	result, err := s.config.History.Undo(ctx, q.undo.request)
	if err != nil {
		return nil, ownError(err).WithData(struct {
			failure
			Undone   []string `json:"undone"`
			Recorded []string `json:"recorded"`
		}{failureOf(err), orEmpty(result.Undone), orEmpty(result.Recorded)})
	}
	return s.undoResult(q, result), nil
}

// conflict is a file that is not as its change left it. A digest is null where
// there is no file.
type conflict struct {
	ChangeID string  `json:"changeId"`
	Path     string  `json:"path"`
	Expected *string `json:"expected"`
	Found    *string `json:"found"`
	Reason   string  `json:"reason,omitempty"`
}

func (s *server) undoResult(q *request, r session.UndoResult) any {
	conflicts := make([]conflict, len(r.Conflicts))
	for i, c := range r.Conflicts {
		conflicts[i] = conflict{c.ChangeID, c.Path, orNull(c.Expected), orNull(c.Found), c.Reason}
	}
	return struct {
		stamp
		Undone    []string   `json:"undone"`
		Recorded  []string   `json:"recorded"`
		Conflicts []conflict `json:"conflicts"`
		DryRun    bool       `json:"dryRun,omitempty"`
	}{s.stampFor(q.era), orEmpty(r.Undone), orEmpty(r.Recorded), conflicts, q.undo.request.DryRun}
}

// decode fills the targets from the parameters of one of our own methods,
// strictly: other names are refused, null is absent.
func (q *request) decode(targets map[string]any) *jsonrpc.Error {
	for name, raw := range q.params {
		target, known := targets[name]
		switch {
		case name == "_meta" || string(raw) == "null":
			continue
		case !known:
			return badParams("unknown parameter %q", clip(name, maxMessageBytes))
		}
		if err := json.Unmarshal(raw, target); err != nil {
			return badParams("%s: %v", name, err)
		}
	}
	return nil
}

func orEmpty(list []string) []string { return append([]string{}, list...) }

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
