package cli

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"septet/server/jsonrpc"
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
func typedArguments(words []string, whole object, schema inputSchema, stdin *onceReader) (object, error) {
	arguments, named := object{}, map[string]bool{}
	for key, value := range whole {
		arguments[key] = value
	}
	for _, word := range words {
		key, raw, found := strings.Cut(word, "=")
		if !found || key == "" {
			return nil, usage("septet call TOOL key=value", "%q is not key=value", word)
		}
		if named[key] {
			return nil, usage("leave one of them out", "the argument %s is given twice", key)
		}
		named[key] = true
		text, err := valueText(raw, stdin)
		if err != nil {
			return nil, err
		}
		if !utf8.ValidString(word) || !utf8.ValidString(text) {
			return nil, usage("arguments are UTF-8; septet call bash can make any bytes, with printf or base64 -d", "the value of %q is not UTF-8", key)
		}
		arguments[key] = typed(text, schema.Properties[key].Type)
	}
	return arguments, nil
}

// maxArgumentBytes is what a value from a file or from stdin may have: no tool
// takes more than a frame holds. A device would never end.
const maxArgumentBytes = int64(defaultMaxFrame)

// valueText is a value as it is written, or what it names.
func valueText(raw string, stdin *onceReader) (string, error) {
	if raw == "-" {
		return stdin.all()
	}
	file, found := strings.CutPrefix(raw, "@")
	if !found {
		return raw, nil
	}
	const hint = "key=@FILE reads a file; to send a text that begins with @, use --args"
	f, err := os.OpenFile(file, os.O_RDONLY, 0)
	if err != nil {
		return "", usage(hint, "%v", err)
	}
	defer f.Close()
	return readBounded(f, file, hint)
}

// onceReader is standard input, which one argument may have.
type onceReader struct {
	io.Reader
	taken bool
}

func (r *onceReader) all() (string, error) {
	if r.taken {
		return "", usage("write the second one to a file: key=@FILE", "standard input can be read for one argument, not for two")
	}
	r.taken = true
	return readBounded(r.Reader, "standard input", "septet call bash can make large files")
}

func readBounded(r io.Reader, name, hint string) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxArgumentBytes+1))
	switch {
	case err != nil:
		return "", usage(hint, "%v", err)
	case int64(len(text)) > maxArgumentBytes:
		return "", usage(hint, "%s has more than the %d bytes that an argument may have", name, maxArgumentBytes)
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
func wholeArguments(text string, stdin *onceReader) (object, error) {
	if text == "" {
		return nil, nil
	}
	hint := `--args '{"path":"main.go"}', or --args - <FILE`
	if text == "-" {
		read, err := stdin.all()
		if err != nil {
			return nil, err
		}
		text = read
	}
	var members jsonrpc.Object
	err := json.Unmarshal([]byte(text), &members) // it says where the mistake is
	if err == nil {
		members, err = jsonrpc.ParseObject([]byte(text)) // as strict as the server
	}
	if err == nil && !utf8.ValidString(text) {
		err = errors.New("it is not UTF-8")
	}
	if err != nil {
		return nil, usage(hint, "--args is not a JSON object: %v", err)
	}
	whole := object{}
	for key, value := range members {
		whole[key] = value
	}
	return whole, nil
}
