package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The schemas of server.json come with the module of the registry's project, at
// this version and with this digest. The newest has the latest date as name.
const (
	registryModule = "github.com/modelcontextprotocol/registry@v1.8.9"
	registrySum    = "h1:2pYB31q/uSezVbXu+D+Hr3HMimGFspgS1RTMljm1bVI="
)

// newestSchema compiles the newest schema of server.json and gives its name.
func newestSchema(t *testing.T) (schema *jsonschema.Schema, id string) {
	t.Helper()
	var module struct{ Dir, Sum string }
	cmd := exec.Command("go", "mod", "download", "-json", registryModule)
	cmd.Dir = t.TempDir() // not in a module: this one does not depend on it
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := json.Unmarshal(out, &module); err != nil || module.Sum != registrySum {
		t.Fatalf("%v: the digest is %s, want %s", err, module.Sum, registrySum)
	}
	files, err := filepath.Glob(filepath.Join(module.Dir, "internal/validators/schemas/20*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no schema", err)
	}
	newest := files[len(files)-1]
	document := jsonOf(t, content(t, filepath.Dir(newest), filepath.Base(newest)))
	id, _ = document.(map[string]any)["$id"].(string)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(id, document); err != nil {
		t.Fatal(err)
	}
	if schema, err = compiler.Compile(id); err != nil {
		t.Fatal(err)
	}
	return schema, id
}

func TestServerEntryFollowsTheSchema(t *testing.T) {
	dir, version := released(t)
	schema, id := newestSchema(t)
	entry := content(t, dir, "server.json")
	if err := schema.Validate(jsonOf(t, entry)); err != nil {
		t.Error(err)
	}
	bundle := "septet-" + version + ".mcpb"
	for _, want := range []string{id, "/" + bundle + `"`, sumOf(t, dir, bundle)} {
		if !strings.Contains(string(entry), want) {
			t.Errorf("no %s in\n%s", want, entry)
		}
	}
	// The schema is seen to refuse.
	for what, with := range map[string]string{
		`"name": "io.github.OWNER/septet"`:         `"name": "septet"`,
		`"description": "Seven`:                    `"description": "` + strings.Repeat("x", 100) + ` Seven`,
		sumOf(t, dir, bundle):                      "none",
		`"url": "https://github.com/OWNER/septet"`: `"url": "not a place"`,
		`"type": "stdio"`:                          `"type": "pipe"`,
	} {
		broken := strings.Replace(string(entry), what, with, 1)
		if broken == string(entry) || schema.Validate(jsonOf(t, []byte(broken))) == nil {
			t.Errorf("%s instead of %s is accepted, or was not there", with, what)
		}
	}
}

// sumOf is the digest that SHA256SUMS has of a file.
func sumOf(t *testing.T, dir, name string) string {
	t.Helper()
	for line := range strings.Lines(string(content(t, dir, "SHA256SUMS"))) {
		if sum, found := strings.CutSuffix(line, "  "+name+"\n"); found {
			return sum
		}
	}
	t.Fatalf("no sum of %s", name)
	return ""
}
