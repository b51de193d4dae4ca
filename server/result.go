package server

import (
	"encoding/json"
	"strings"

	"septet/toolset"
)

// callResult is a ToolResult in the shape of the caller's revision.
type callResult struct {
	stamp
	Content           []textBlock     `json:"content"`
	StructuredContent json.RawMessage `json:"structuredContent,omitempty"` // since 2025-06-18
	IsError           bool            `json:"isError,omitempty"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// shapeResult puts what a model reads into content and what a host reads into
// _meta. Structured content repeats the text, so it is sent only when a person
// asked for it, and never with an error: clients check it against the schema.
func (s *server) shapeResult(e era, r toolset.ToolResult) callResult {
	shaped := callResult{
		stamp:   s.stampFor(e),
		Content: []textBlock{{Type: "text", Text: toValid(r.Text)}},
		IsError: r.Failure != nil,
	}
	if shaped.Meta == nil {
		shaped.Meta = map[string]any{}
	}
	shaped.Meta["septet/status"] = r.Status
	if r.Decision.Verdict != "" {
		shaped.Meta["septet/decision"] = r.Decision
	}
	if r.Failure != nil {
		shaped.Meta["septet/error"] = r.Failure
	}
	if len(r.Artifacts) > 0 {
		shaped.Meta["septet/artifacts"] = r.Artifacts
	}
	if s.config.Structured && r.Output != nil && e.since(Revision20250618) {
		shaped.StructuredContent = encode(r.Output)
	}
	return shaped
}

// toValid replaces what is not UTF-8, which no frame may hold.
func toValid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
