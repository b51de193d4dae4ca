package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// tool is one tool as a host sees it.
type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema inputSchema     `json:"inputSchema"`
	Annotations toolAnnotations `json:"annotations"`
}

type toolAnnotations struct {
	ReadOnly  bool `json:"readOnlyHint"`
	OpenWorld bool `json:"openWorldHint"`
}

type inputSchema struct {
	Properties map[string]struct {
		Type string `json:"type"`
	} `json:"properties"`
}

// typedArguments turns "key=value" words into arguments: the schema says
// whether a value is a string, a number or a boolean. "key=@file" reads a file
// and "key=-" reads stdin, both as they are. Words win over whole, the object
// of --args. Names and values are the server's to check.
func typedArguments(words []string, whole object, schema inputSchema, stdin io.Reader) (object, error) {
	arguments := object{}
	for key, value := range whole {
		arguments[key] = value
	}
	for _, word := range words {
		key, raw, found := strings.Cut(word, "=")
		if !found || key == "" {
			return nil, usage("septet call TOOL key=value", "%q is not key=value", word)
		}
		text, err := valueText(raw, stdin)
		if err != nil {
			return nil, err
		}
		arguments[key] = typed(text, schema.Properties[key].Type)
	}
	return arguments, nil
}

func valueText(raw string, stdin io.Reader) (string, error) {
	if raw == "-" {
		text, err := io.ReadAll(stdin)
		return string(text), err
	}
	file, found := strings.CutPrefix(raw, "@")
	if !found {
		return raw, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", usage("key=@FILE reads a file; to send a text that begins with @, use --args", "%v", err)
	}
	return string(text), nil
}

// typed gives text the type that the schema wants where it can have it; else
// it stays a string, and the server says what is wrong with it.
func typed(text, schemaType string) any {
	if schemaType == "" || schemaType == "string" {
		return text
	}
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	return json.RawMessage(text)
}

// wholeArguments reads the value of --args: an object, or "-" for one on
// stdin.
func wholeArguments(text string, stdin io.Reader) (object, error) {
	if text == "" {
		return nil, nil
	}
	if text == "-" {
		read, err := io.ReadAll(stdin)
		if err != nil {
			return nil, fmt.Errorf("read the arguments: %w", err)
		}
		text = string(read)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &members); err != nil || members == nil {
		return nil, usage(`--args '{"path":"main.go"}'`, "--args is not a JSON object: %v", err)
	}
	whole := object{}
	for key, value := range members {
		whole[key] = value
	}
	return whole, nil
}
