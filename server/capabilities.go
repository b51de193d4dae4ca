package server

import (
	"context"

	"septet/server/jsonrpc"
)

// hostExtension is what our methods beyond the protocol are announced as.
const hostExtension = "septet/host"

// capabilities are what the server can do. Changes of the list of tools are
// not among them: the set is frozen.
type capabilities struct {
	Tools        struct{}       `json:"tools"`
	Experimental map[string]any `json:"experimental,omitempty"`
	Extensions   map[string]any `json:"extensions,omitempty"`
}

// capabilitiesFor announces the extension where a client of that revision
// looks for it; legacy clients have no agreed place, so it stands in both.
func capabilitiesFor(r Revision) capabilities {
	extension := map[string]any{hostExtension: map[string]any{"version": 1}}
	c := capabilities{Extensions: extension}
	if r < Revision20260728 {
		c.Experimental = extension
	}
	return c
}

func missingHost() *jsonrpc.Error {
	return (&jsonrpc.Error{Code: codeMissingCapability, Message: "this method needs the client capability extensions[\"" + hostExtension + "\"]"}).
		WithData(map[string]any{"requiredCapabilities": map[string]any{"extensions": map[string]any{hostExtension: struct{}{}}}})
}

// implementation names the program.
type implementation struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"` // since 2025-06-18
	Version     string `json:"version"`
	Description string `json:"description,omitempty"` // since 2025-11-25
}

func (s *server) infoFor(r Revision) implementation {
	info := implementation{Name: "septet", Version: s.config.Version}
	if r >= Revision20250618 {
		info.Title = "septet"
	}
	if r >= Revision20251125 {
		info.Description = "Seven tools for a coding agent: read, write, edit, grep, glob, list, bash"
	}
	return info
}

// stamp is what every result of a modern request carries, and no other.
type stamp struct {
	ResultType string         `json:"resultType,omitempty"`
	Meta       map[string]any `json:"_meta,omitempty"`
}

// stampFor begins a result. Meta is nil for a legacy one.
func (s *server) stampFor(e era) stamp {
	if !e.modern() {
		return stamp{}
	}
	return stamp{ResultType: "complete", Meta: map[string]any{metaServerInfo: s.infoFor(e.revision)}}
}

// cacheable is what a modern result adds that a client may keep.
type cacheable struct {
	TTLMs      int    `json:"ttlMs,omitempty"`
	CacheScope string `json:"cacheScope,omitempty"`
}

func cacheableFor(e era) cacheable {
	if !e.modern() {
		return cacheable{}
	}
	return cacheable{TTLMs: listLifetimeMs, CacheScope: "public"}
}

// discover is what a modern client asks first, if it asks.
func (s *server) discover(_ context.Context, q *request) (any, *jsonrpc.Error) {
	return struct {
		stamp
		cacheable
		SupportedVersions []Revision   `json:"supportedVersions"`
		Capabilities      capabilities `json:"capabilities"`
	}{s.stampFor(q.era), cacheableFor(q.era), modernRevisions, capabilitiesFor(q.era.revision)}, nil
}

// ping is answered in every state.
func ping(context.Context, *request) (any, *jsonrpc.Error) { return struct{}{}, nil }

// emptyList answers lists of what there is none of: some hosts take an error
// for a dead server.
func emptyList(name string) func(context.Context, *request) (any, *jsonrpc.Error) {
	return func(_ context.Context, q *request) (any, *jsonrpc.Error) {
		if bad := checkCursor(q); bad != nil {
			return nil, bad
		}
		return map[string]any{name: []any{}}, nil
	}
}

// checkCursor refuses every cursor: no list has a second page, so none of them
// is ours.
func checkCursor(q *request) *jsonrpc.Error {
	if raw, given := q.params["cursor"]; given && string(raw) != "null" {
		return badParams("cursor %s was not issued by this server", clip(string(raw), maxMessageBytes))
	}
	return nil
}
