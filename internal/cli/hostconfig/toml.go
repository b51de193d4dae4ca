package hostconfig

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

var tomlFormat = format{"TOML", decodeTOML, editTOML}

func decodeTOML(text []byte) (map[string]any, error) {
	document := map[string]any{}
	if err := toml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	return viaJSON(document)
}

// viaJSON gives a document the shapes that JSON has, so that documents of all
// formats are compared in one way.
func viaJSON(document any) (map[string]any, error) {
	text, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	return decodeCommented(text)
}

// editTOML brings the table up to date where it has a header of its own, and
// appends it where there is none. Other ways to write a table are left to the
// check of the result.
func editTOML(text []byte, table []string, e entry) ([]byte, error) {
	end := newline(text)
	found, err := findTable(text, append(table, ServerName))
	if err != nil {
		return nil, err
	}
	if found == nil {
		return appendTable(text, strings.Join(append(table, ServerName), "."), e, end), nil
	}
	var missing strings.Builder
	edits := map[int]edit{}
	for _, m := range e {
		if !m.owned {
			continue
		}
		line := m.key + " = " + string(literal(m.value))
		if span, there := found.keys[m.key]; there {
			edits[span.start] = edit{span.end, line}
		} else {
			missing.WriteString(end + line)
		}
	}
	edits[found.header] = edit{found.header, missing.String()}
	return applyEdits(text, edits), nil
}

func appendTable(text []byte, name string, e entry, end string) []byte {
	result := bytes.Clone(text)
	if len(result) > 0 && !bytes.HasSuffix(result, []byte("\n")) {
		result = append(result, end...)
	}
	if len(result) > 0 {
		result = append(result, end...)
	}
	result = append(result, "["+name+"]"+end...)
	for _, m := range e {
		// JSON's strings and lists are TOML's too.
		result = append(result, m.key+" = "+string(literal(m.value))+end...)
	}
	return result
}

// tomlTable is where a table is written in a text, as byte offsets.
type tomlTable struct {
	header int // after the closing bracket
	keys   map[string]span
}

type span struct{ start, end int }

// findTable looks for the header of the table; nil when there is none.
func findTable(text []byte, path []string) (*tomlTable, error) {
	var p unstable.Parser
	p.Reset(text)
	var found *tomlTable
	inside := false
	for p.NextExpression() {
		node := p.Expression()
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			keys, end := keysOf(node)
			inside = node.Kind == unstable.Table && strings.Join(keys, "\x00") == strings.Join(path, "\x00")
			if inside {
				close := bytes.IndexByte(text[end:], ']')
				found = &tomlTable{header: end + close + 1, keys: map[string]span{}}
			}
		case unstable.KeyValue:
			if keys, _ := keysOf(node); inside && len(keys) == 1 {
				start := int(node.Raw.Offset)
				found.keys[keys[0]] = span{start, start + int(node.Raw.Length)}
			}
		}
	}
	return found, p.Error()
}

// keysOf returns the parts of a key and the offset after the last one.
func keysOf(node *unstable.Node) (keys []string, end int) {
	for it := node.Key(); it.Next(); {
		key := it.Node()
		keys = append(keys, string(key.Data))
		end = int(key.Raw.Offset + key.Raw.Length)
	}
	return keys, end
}

// edit replaces the text up to end, which is a byte offset.
type edit struct {
	end  int
	text string
}

// applyEdits makes the edits, whose keys are the offsets where they begin.
func applyEdits(text []byte, edits map[int]edit) []byte {
	var result []byte
	for at := 0; at <= len(text); {
		if e, found := edits[at]; found {
			result = append(result, e.text...)
			delete(edits, at)
			at = e.end
			continue
		}
		if at < len(text) {
			result = append(result, text[at])
		}
		at++
	}
	return result
}
