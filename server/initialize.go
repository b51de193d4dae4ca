package server

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"septet/server/jsonrpc"
	"septet/session"
	"septet/toolset"
)

// peer is what is known of the other side, and what was frozen for it.
type peer struct {
	agreed    Revision // by the handshake; "" before it
	metModern bool     // a modern request was served
	set       *toolset.FinalizedToolset
	selection toolset.Selection // what set was made from
	session   string            // the name of the session
}

// readOnly reports whether the session may change nothing.
func (p peer) readOnly() bool { return p.selection.Mode == session.ModeReadOnly }

// initialize is the handshake of the legacy revisions.
func (s *server) initialize(_ context.Context, q *request) (any, *jsonrpc.Error) {
	var asked string
	if !decodes(q.params["protocolVersion"], &asked) {
		return nil, badParams("protocolVersion must be a string")
	}
	wish, bad := parseWish(q.meta)
	if bad != nil {
		return nil, bad
	}
	if bad := s.grant(wish); bad != nil {
		return nil, bad
	}
	revision := Revision(asked)
	if !slices.Contains(legacyRevisions, revision) {
		revision = legacyRevisions[len(legacyRevisions)-1]
	}
	s.peer.agreed = revision
	s.applyRules()
	return initializeResult{
		ProtocolVersion: revision,
		Capabilities:    capabilitiesFor(revision),
		ServerInfo:      s.infoFor(revision),
	}, nil
}

type initializeResult struct {
	ProtocolVersion Revision       `json:"protocolVersion"`
	Capabilities    capabilities   `json:"capabilities"`
	ServerInfo      implementation `json:"serverInfo"`
}

// metModern notes that the pipe has a modern client.
func (s *server) metModern() {
	if !s.peer.metModern {
		s.peer.metModern = true
		s.applyRules()
	}
}

// applyRules tells the stream what the agreed revision changes about frames.
func (s *server) applyRules() {
	agreed := s.peer.agreed
	s.stream.SetRules(jsonrpc.Rules{
		Batches:       agreed == Revision20250326, // the one revision that had them
		OmitUnknownID: agreed >= Revision20251125 || agreed == "" && s.peer.metModern,
	})
}

// wish is what a host asks of the session in its handshake.
type wish struct {
	given     bool
	id        string
	selection toolset.Selection
}

// parseWish reads params._meta["septet/session"].
func parseWish(meta jsonrpc.Object) (wish, *jsonrpc.Error) {
	raw, given := meta["septet/session"]
	if !given {
		return wish{}, nil
	}
	members, err := jsonrpc.ParseObject(raw)
	if err != nil {
		return wish{}, badParams(`params._meta["septet/session"]: %v`, err)
	}
	w := wish{given: true}
	for name, value := range members {
		if err := w.set(name, value); err != nil {
			return wish{}, badParams(`params._meta["septet/session"].%s: %v`, name, err)
		}
	}
	return w, nil
}

func (w *wish) set(name string, value json.RawMessage) error {
	switch name {
	case "id":
		if !decodes(value, &w.id) || !session.ValidName(w.id) {
			return errors.New("must be a string of 1 to 64 letters, digits, dots, hyphens and underscores")
		}
		return nil
	case "mode":
		if !decodes(value, (*string)(&w.selection.Mode)) {
			return errors.New("must be a string")
		}
		return nil
	case "tools":
		return json.Unmarshal(value, &w.selection.Tools)
	}
	return errors.New("unknown; known are id, mode, tools")
}

// grant makes the toolset that a host asks for, or finds that it is the one
// that exists.
func (s *server) grant(w wish) *jsonrpc.Error {
	if w.id != "" && s.config.SessionNamed && w.id != s.config.Session {
		return badParams("session %q was chosen when the program was started", s.config.Session)
	}
	selection, err := s.config.Selection.Narrow(w.selection)
	if err != nil {
		return badParams("%v", err)
	}
	if s.peer.set == nil {
		return s.finalize(selection, w.id)
	}
	if w.selection.Mode == "" { // what is not named asks for nothing
		selection.Mode = s.peer.selection.Mode
	}
	if w.selection.Tools == nil {
		selection.Tools = s.peer.selection.Tools
	}
	if w.given && (!selection.Equal(s.peer.selection) || w.id != "" && w.id != s.peer.session) {
		return &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "the session is frozen: its tools, mode and id were settled before"}
	}
	return nil
}

// ensureToolset makes the toolset for a client that needs it without having
// asked for a particular one.
func (s *server) ensureToolset() *jsonrpc.Error {
	if s.peer.set != nil {
		return nil
	}
	return s.finalize(s.config.Selection, "")
}

// finalize freezes the toolset for the life of the process.
func (s *server) finalize(selection toolset.Selection, id string) *jsonrpc.Error {
	set, err := s.config.Finalize(selection)
	switch {
	case err != nil && selection.Equal(s.config.Selection): // not the host's mistake
		s.log.Error().Err(err).Msg("the toolset cannot be made")
		return &jsonrpc.Error{Code: jsonrpc.InternalError, Message: err.Error()}
	case err != nil:
		return badParams("%v", err)
	}
	if id == "" {
		id = s.config.Session
	}
	s.peer.set, s.peer.selection, s.peer.session = set, selection, id
	s.log.Info().Str("session", id).Str("mode", string(modeOf(selection))).Int("tools", len(set.Definitions())).Msg("session begins")
	return nil
}

func modeOf(s toolset.Selection) session.Mode {
	if s.Mode == "" {
		return session.ModeDefault
	}
	return s.Mode
}
