package tools_test

import (
	"encoding/json"
	"testing"

	"septet/tools"
	"septet/toolset"
)

// forbiddenKeys make some clients refuse the whole list of tools: they resolve
// no references, know one dialect, or take no alternatives at the root.
var forbiddenKeys = []string{"$ref", "$defs", "$schema", "$id", "oneOf", "anyOf", "allOf", "not", "if"}

func TestSchemasAreWhatEveryClientTakes(t *testing.T) {
	var r toolset.Registry
	tools.Register(&r, tools.Config{})
	set, err := r.Finalize(nil, toolset.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range set.Definitions() {
		for which, raw := range map[string]json.RawMessage{"input": d.InputSchema, "output": d.OutputSchema} {
			var schema map[string]any
			if err := json.Unmarshal(raw, &schema); err != nil {
				t.Fatalf("%s %s: %v", d.Name, which, err)
			}
			if schema["type"] != "object" || schema["additionalProperties"] != false {
				t.Errorf("%s %s: not a closed object: %s", d.Name, which, raw)
			}
			checkSchema(t, d.Name+" "+which, schema, which == "input")
		}
	}
}

func checkSchema(t *testing.T, at string, schema map[string]any, described bool) {
	t.Helper()
	for _, key := range forbiddenKeys {
		if _, found := schema[key]; found {
			t.Errorf("%s: has %s", at, key)
		}
	}
	if _, ok := schema["type"].(string); !ok {
		t.Errorf("%s: type is %v, want one name", at, schema["type"])
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, p := range properties {
		property, ok := p.(map[string]any)
		if !ok {
			t.Errorf("%s.%s: a boolean schema", at, name)
			continue
		}
		if described && property["description"] == nil {
			t.Errorf("%s.%s: no description", at, name)
		}
		checkSchema(t, at+"."+name, property, described)
	}
	if items, found := schema["items"]; found {
		sub, ok := items.(map[string]any)
		if !ok {
			t.Errorf("%s[]: a boolean schema", at)
			return
		}
		checkSchema(t, at+"[]", sub, false)
	}
}

func TestEveryToolSaysWhatItOccupies(t *testing.T) {
	want := map[string]toolset.Load{
		"read": toolset.LoadLight, "write": toolset.LoadLight, "edit": toolset.LoadLight, "list": toolset.LoadLight,
		"grep": toolset.LoadSearch, "glob": toolset.LoadSearch, "bash": toolset.LoadProcess,
	}
	var r toolset.Registry
	tools.Register(&r, tools.Config{})
	set, err := r.Finalize(nil, toolset.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(set.Definitions()); got != len(want) {
		t.Errorf("%d tools, want %d", got, len(want))
	}
	for _, d := range set.Definitions() {
		if load, known := want[d.Name]; !known || d.Load != load {
			t.Errorf("%s: load %d, want %d", d.Name, d.Load, load)
		}
	}
}
