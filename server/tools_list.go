package server

import (
	"context"
	"encoding/json"

	"septet/server/jsonrpc"
	"septet/toolset"
)

// toolsList lists the frozen set, in its fixed order, on one page.
func (s *server) toolsList(_ context.Context, q *request) (any, *jsonrpc.Error) {
	if bad := checkCursor(q); bad != nil {
		return nil, bad
	}
	definitions := s.peer.set.Definitions()
	tools := make([]tool, len(definitions))
	for i, d := range definitions {
		tools[i] = s.shapeTool(d, q.era)
	}
	return struct {
		stamp
		cacheable
		Tools []tool `json:"tools"`
	}{s.stampFor(q.era), cacheableFor(q.era), tools}, nil
}

// tool is a definition in the shape of the caller's revision.
type tool struct {
	Name         string               `json:"name"`
	Title        string               `json:"title,omitempty"` // since 2025-06-18
	Description  string               `json:"description"`
	InputSchema  json.RawMessage      `json:"inputSchema"`
	OutputSchema json.RawMessage      `json:"outputSchema,omitempty"` // since 2025-06-18
	Annotations  *toolset.Annotations `json:"annotations,omitempty"`  // since 2025-03-26
}

func (s *server) shapeTool(d toolset.Definition, e era) tool {
	t := tool{Name: d.Name, Description: d.Description, InputSchema: d.InputSchema}
	if e.since(Revision20250326) {
		t.Annotations = &d.Annotations
	}
	if e.since(Revision20250618) {
		t.Title = d.Title
		if s.config.Structured {
			t.OutputSchema = d.OutputSchema
		}
	}
	return t
}
