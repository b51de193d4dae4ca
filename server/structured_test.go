package server_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"septet/backend"
	"septet/backend/local"
	"septet/backend/search"
	"septet/safepath"
	"septet/server"
	"septet/session"
	"septet/tools"
	"septet/toolset"
)

// realTools finalizes the program's own tools for a directory of this machine.
func realTools(t *testing.T, workspace string) func(toolset.Selection) (*toolset.FinalizedToolset, error) {
	var r toolset.Registry
	tools.Register(&r, tools.Config{})
	return func(s toolset.Selection) (*toolset.FinalizedToolset, error) {
		sc, err := session.New(session.Config{
			Paths:       safepath.Config{WorkingDirectory: workspace, Roots: []safepath.Root{{Path: workspace, Writable: true}}},
			Environment: []string{"PATH=" + os.Getenv("PATH")},
		}, backend.Operations{Files: local.Files(), Processes: local.Processes(local.ProcessConfig{}), Search: search.New(search.Config{})})
		if err != nil {
			return nil, err
		}
		return r.Finalize(sc, s)
	}
}

// TestStructuredContentIsAsAdvertised calls every tool, in ways that fill
// different members, and checks the structured content against the schema that
// the same server lists.
func TestStructuredContentIsAsAdvertised(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Structured, c.Finalize = true, realTools(t, t.TempDir()) })
	h.initialize(server.Revision20251125)
	schemas := h.outputSchemas()
	called := map[string]bool{}
	for _, c := range []struct{ tool, arguments string }{
		{"write", `{"path":"a.txt","content":"one\ntwo\nthree\n"}`},
		{"write", `{"path":"a.txt","content":"one\ntwo\nfour\n"}`},
		{"write", `{"path":"a.txt","content":"one\ntwo\nfour\n"}`},
		{"edit", `{"path":"a.txt","oldText":"two","newText":"TWO"}`},
		{"edit", `{"path":"b/new.txt","oldText":"","newText":"x\n"}`},
		{"edit", `{"path":"a.txt","oldText":"o","newText":"0","replaceAll":true}`},
		{"read", `{"path":"a.txt"}`},
		{"read", `{"path":"a.txt","offset":1,"limit":1,"lineNumbers":true}`},
		{"grep", `{"pattern":"f","context":1}`},
		{"grep", `{"pattern":"f","mode":"files_with_matches"}`},
		{"grep", `{"pattern":"f","mode":"count"}`},
		{"grep", `{"pattern":"nowhere"}`},
		{"glob", `{"pattern":"**/*.txt"}`},
		{"glob", `{"pattern":"*.none"}`},
		{"glob", `{"pattern":"**/*.txt","maxResults":1}`},
		{"list", `{}`},
		{"list", `{"path":"b","limit":1}`},
		{"bash", `{"command":"echo out; echo err >&2; exit 3"}`},
		{"bash", `{"command":"kill -9 $$"}`},
		{"bash", `{"command":"true"}`},
	} {
		a := h.ask(toolCall("1", c.tool, c.arguments, ""))
		o := a.outcome(t)
		if o.IsError || o.StructuredContent == nil {
			t.Errorf("%s %s: %s", c.tool, c.arguments, a.raw)
			continue
		}
		var content any
		if err := json.Unmarshal(o.StructuredContent, &content); err != nil {
			t.Fatal(err)
		}
		if err := schemas[c.tool].check("", content); err != nil {
			t.Errorf("%s %s: %v in %s", c.tool, c.arguments, err, o.StructuredContent)
		}
		called[c.tool] = true
	}
	for name := range schemas {
		if !called[name] {
			t.Errorf("%s was not called", name)
		}
	}
}

func (h *host) outputSchemas() map[string]schema {
	h.t.Helper()
	var list struct {
		Tools []struct {
			Name         string
			OutputSchema schema
		}
	}
	if err := json.Unmarshal(h.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).Result, &list); err != nil {
		h.t.Fatal(err)
	}
	schemas := map[string]schema{}
	for _, tool := range list.Tools {
		schemas[tool.Name] = tool.OutputSchema
	}
	return schemas
}

// schema is as much of JSON Schema as the program's own schemas use.
type schema struct {
	Type       string
	Properties map[string]schema
	Required   []string
	Items      *schema
	Enum       []any
}

// check reports the first place where value is not as the schema says. Objects
// are closed.
func (s schema) check(at string, value any) error {
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, value) {
		return fmt.Errorf("%s: %v is none of %v", at, value, s.Enum)
	}
	switch v := value.(type) {
	case map[string]any:
		return s.checkObject(at, v)
	case []any:
		if s.Type != "array" {
			return fmt.Errorf("%s: an array, want %s", at, s.Type)
		}
		for i, element := range v {
			if err := s.Items.check(fmt.Sprintf("%s[%d]", at, i), element); err != nil {
				return err
			}
		}
		return nil
	case string:
		return s.checkType(at, "string")
	case bool:
		return s.checkType(at, "boolean")
	case float64:
		return s.checkType(at, "integer")
	}
	return fmt.Errorf("%s: %v, want %s", at, value, s.Type)
}

func (s schema) checkType(at, is string) error {
	if s.Type != is {
		return fmt.Errorf("%s: %s, want %s", at, is, s.Type)
	}
	return nil
}

func (s schema) checkObject(at string, object map[string]any) error {
	if err := s.checkType(at, "object"); err != nil {
		return err
	}
	for _, name := range s.Required {
		if _, given := object[name]; !given {
			return fmt.Errorf("%s.%s is missing", at, name)
		}
	}
	for name, value := range object {
		property, known := s.Properties[name]
		if !known {
			return fmt.Errorf("%s.%s is not in the schema", at, name)
		}
		if err := property.check(at+"."+name, value); err != nil {
			return err
		}
	}
	return nil
}
