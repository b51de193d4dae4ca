package hostconfig

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v4"
)

var yamlFormat = format{"YAML", decodeYAML, editYAML}

func decodeYAML(text []byte) (map[string]any, error) {
	document := map[string]any{}
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	return viaJSON(document)
}

// editYAML works on lines, by the places of the nodes: writing the whole tree
// anew would lose blank lines and the way lists and strings are written. Flow
// style is left to the check of the result, but for an empty table.
func editYAML(text []byte, table []string, e entry) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	lines := splitLines(text)
	var root *yaml.Node
	if len(document.Content) > 0 {
		root = document.Content[0]
	}
	key, servers := child(root, table[0])
	if key == nil {
		lines = append(lines, table[0]+":")
		return lines.with(len(lines), yamlEntry(e, defaultIndent), newline(text)), nil
	}
	server, fields := child(servers, ServerName)
	if server == nil {
		indent := defaultIndent
		if len(servers.Content) > 0 {
			indent = strings.Repeat(" ", servers.Content[0].Column-1)
		} else {
			lines[key.Line-1] = emptied(lines[key.Line-1])
		}
		return lines.with(key.Line, yamlEntry(e, indent), newline(text)), nil
	}
	return lines.update(fields, e, newline(text))
}

// emptied removes an empty flow table after a key, and keeps a comment.
func emptied(line string) string { return strings.Replace(line, ": {}", ":", 1) }

// child returns the key and the value of a member of a block mapping.
func child(mapping *yaml.Node, name string) (key, value *yaml.Node) {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i], mapping.Content[i+1]
		}
	}
	return nil, nil
}

// yamlEntry are the lines of a new entry; its name has the indentation.
func yamlEntry(e entry, indent string) []string {
	result := []string{indent + ServerName + ":"}
	for _, m := range e {
		// JSON's strings and lists are YAML's too.
		result = append(result, indent+defaultIndent+m.key+": "+string(literal(m.value)))
	}
	return result
}

// yamlLines are the lines of a text without their ends.
type yamlLines []string

func splitLines(text []byte) yamlLines {
	if len(text) == 0 {
		return nil
	}
	var lines yamlLines
	for line := range bytes.Lines(text) {
		lines = append(lines, strings.TrimRight(string(line), "\r\n"))
	}
	return lines
}

// with returns the text with lines put in before the line at, zero-based.
func (l yamlLines) with(at int, added []string, end string) []byte {
	all := append(append(append(yamlLines{}, l[:at]...), added...), l[at:]...)
	return []byte(strings.Join(all, end) + end)
}

// update sets the owned members of an entry that is there.
func (l yamlLines) update(fields *yaml.Node, e entry, end string) ([]byte, error) {
	if fields.Kind != yaml.MappingNode || fields.Style&yaml.FlowStyle != 0 || len(fields.Content) == 0 {
		return nil, refuse("correct it by hand", "%q is not a block of members", ServerName)
	}
	first := fields.Content[0]
	var missing []string
	drop := map[int]bool{} // zero-based lines
	for _, m := range e {
		if !m.owned {
			continue
		}
		text := strings.Repeat(" ", first.Column-1) + m.key + ": " + string(literal(m.value))
		key, value := child(fields, m.key)
		if key == nil {
			missing = append(missing, text)
			continue
		}
		if equalNode(value, m.value) {
			continue
		}
		l[key.Line-1] = text + l.comment(value)
		for line := key.Line; line < lastLine(value); line++ {
			drop[line] = true
		}
	}
	var kept yamlLines
	for i, line := range l {
		if !drop[i] {
			kept = append(kept, line)
		}
	}
	// The first member of the entry comes after its name; nothing above it was dropped.
	return kept.with(first.Line-1, missing, end), nil
}

func equalNode(node *yaml.Node, value any) bool {
	var current any
	if node.Decode(&current) != nil {
		return false
	}
	list, err := viaJSON(map[string]any{"": current})
	return err == nil && equal(list[""], plain(value))
}

// comment is the comment at the end of a value's line.
func (l yamlLines) comment(value *yaml.Node) string {
	if value.LineComment == "" {
		return ""
	}
	return " " + value.LineComment
}

// lastLine is the last line on which a part of the value begins, one-based.
func lastLine(node *yaml.Node) int {
	last := node.Line
	for _, inner := range node.Content {
		last = max(last, lastLine(inner))
	}
	return last
}
