package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// scenario is what every client does; the drivers of other languages read the
// same file.
type scenario struct {
	Tools    []string          `json:"tools"`
	Files    map[string]string `json:"files"`
	Calls    []step            `json:"calls"`
	Progress step              `json:"progress"`
	Cancel   step              `json:"cancel"`
}

type step struct {
	Name      string         `json:"name"`
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
	Text      string         `json:"text"` // regular expression
	Code      string         `json:"code"` // "" for a success
}

func readScenario(file string) (scenario, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return scenario{}, err
	}
	var s scenario
	if err := json.Unmarshal(data, &s); err != nil {
		return scenario{}, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// prepare makes the files of the scenario.
func (s scenario) prepare(workspace string) error {
	for name, content := range s.Files {
		path := filepath.Join(workspace, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}
