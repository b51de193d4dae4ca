package server

import (
	"context"

	"septet/server/jsonrpc"
	"septet/session"
	"septet/toolset"
)

// prepareChangesUndo reads what to undo and keeps calls away from here on: one
// that arrives after this frame waits, though it may be spawned before it.
func (s *server) prepareChangesUndo(q *request) *jsonrpc.Error {
	undo := session.UndoRequest{Session: s.sessionName()}
	if bad := members(q, map[string]any{
		"changeIds": &undo.ChangeIDs, "turn": &undo.Turn, "last": &undo.Last, "dryRun": &undo.DryRun,
	}); bad != nil {
		return bad
	}
	ways := 0
	for _, given := range []bool{len(undo.ChangeIDs) > 0, undo.Turn != "", undo.Last != 0} {
		if given {
			ways++
		}
	}
	if ways != 1 || undo.Last < 0 {
		return badParams("give one of changeIds, turn and last")
	}
	if s.readOnly() && !undo.DryRun {
		return historyError(toolset.Errorf(toolset.NotAllowed, "undo changes files, and the session is read-only"))
	}
	end, alone := s.turns.WorkAlone()
	if !alone {
		return historyError(toolset.Errorf(toolset.TurnActive, "calls of the session are running").
			WithHint("undo when they have ended, or cancel them with $/cancel"))
	}
	q.work = func(ctx context.Context) (any, *jsonrpc.Error) {
		defer end()
		return s.changesUndo(ctx, q, undo)
	}
	return nil
}

// readOnly reports whether the session may change nothing.
func (s *server) readOnly() bool {
	selection := s.peer.selection
	if s.peer.set == nil {
		selection = s.config.Selection
	}
	return session.Profile{Mode: selection.Mode}.ReadOnly()
}

func (s *server) changesUndo(ctx context.Context, q *request, undo session.UndoRequest) (any, *jsonrpc.Error) {
	ctx = session.WithProvenance(ctx, session.Provenance{Session: undo.Session, CallID: s.callID(q)})
	done, err := s.config.History.Undo(ctx, undo)
	if err != nil {
		return nil, historyError(err)
	}
	result := struct {
		stamp
		Undone    []string   `json:"undone"`
		Recorded  []string   `json:"recorded"`
		Conflicts []conflict `json:"conflicts"`
		DryRun    bool       `json:"dryRun,omitempty"`
	}{stamp: s.stampFor(q.era), Undone: orEmpty(done.Undone), Recorded: orEmpty(done.Recorded), Conflicts: []conflict{}, DryRun: undo.DryRun}
	for _, c := range done.Conflicts {
		result.Conflicts = append(result.Conflicts, conflictOf(c))
	}
	return fitting(q, result)
}

// conflict is a file that is not as its change left it. The digests are null
// where there is no file.
type conflict struct {
	ChangeID string  `json:"changeId"`
	Path     string  `json:"path"`
	Expected *string `json:"expected"`
	Found    *string `json:"found"`
	Reason   string  `json:"reason"`
}

func conflictOf(c session.Conflict) conflict {
	shaped := conflict{ChangeID: c.ChangeID, Path: c.Path, Reason: toValid(c.Reason)}
	if c.Expected != "" {
		shaped.Expected = &c.Expected
	}
	if c.Found != "" {
		shaped.Found = &c.Found
	}
	return shaped
}

// orEmpty keeps null out of an answer that promises a list.
func orEmpty(ids []string) []string {
	if ids == nil {
		return []string{}
	}
	return ids
}
