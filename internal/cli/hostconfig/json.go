package hostconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tailscale/hujson"
)

var (
	// strictJSON is for hosts whose parser knows nothing else.
	strictJSON = format{"JSON", decodeStrict, editJSON}
	// commentedJSON may have comments and trailing commas.
	commentedJSON = format{"JSON", decodeCommented, editJSON}
)

// defaultIndent is one level in a file that shows none of its own.
const defaultIndent = "  "

func decodeStrict(text []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]any{}, nil
	}
	if !json.Valid(text) {
		// It is said where, and nothing else is read differently from the host.
		var ignored any
		return nil, json.Unmarshal(text, &ignored)
	}
	return decodeCommented(text)
}

func decodeCommented(text []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]any{}, nil
	}
	tree, err := hujson.Parse(bytes.Clone(text)) // Standardize blanks comments out in place
	if err != nil {
		return nil, err
	}
	if err := uniqueNames(&tree); err != nil {
		return nil, err
	}
	tree.Standardize()
	value, err := decodeJSON(tree.Pack())
	if err != nil {
		return nil, err
	}
	document, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("it is not an object")
	}
	return document, nil
}

// decodeJSON keeps numbers as they are written.
func decodeJSON(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("more than one value")
	}
	return value, nil
}

// uniqueNames refuses a name that an object has twice: hosts differ in which
// of the two they believe.
func uniqueNames(tree *hujson.Value) error {
	for v := range tree.All() {
		object, ok := v.Value.(*hujson.Object)
		if !ok {
			continue
		}
		seen := map[string]bool{}
		for _, m := range object.Members {
			name := m.Name.Value.(hujson.Literal).String()
			if seen[name] {
				return fmt.Errorf("it has %q twice", name)
			}
			seen[name] = true
		}
	}
	return nil
}

// editJSON puts the entry into the text. The text is one that decodes.
func editJSON(text []byte, table []string, e entry) ([]byte, error) {
	fresh := len(bytes.TrimSpace(text)) == 0
	if fresh {
		text = []byte("{}\n")
	}
	tree, err := hujson.Parse(text)
	if err != nil {
		return nil, err
	}
	root, ok := tree.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("it is not an object")
	}
	style := styleOf(text, root)
	for depth, key := range append(table, ServerName) {
		if root, err = style.object(root, key, depth); err != nil {
			return nil, err
		}
	}
	isNew := len(root.Members) == 0
	for _, m := range e {
		if m.owned || isNew {
			style.set(root, m, len(table)+1)
		}
	}
	return tree.Pack(), nil
}

// style is how a file is laid out.
type style struct {
	newline string // "" for a file on one line
	indent  string
}

func styleOf(text []byte, root *hujson.Object) style {
	s := style{newline: newline(text), indent: defaultIndent}
	if !bytes.Contains(bytes.TrimSpace(text), []byte("\n")) && len(root.Members) > 0 {
		return style{}
	}
	if len(root.Members) > 0 {
		if own := afterNewline(root.Members[0].Name.BeforeExtra); own != "" {
			s.indent = own
		}
	}
	return s
}

// object returns the object below key, which is made when it is not there.
// depth is that of parent; the root has 0.
func (s style) object(parent *hujson.Object, key string, depth int) (*hujson.Object, error) {
	for i := range parent.Members {
		m := &parent.Members[i]
		if m.Name.Value.(hujson.Literal).String() != key {
			continue
		}
		if m.Value.Value.Kind() == 'n' {
			m.Value.Value = &hujson.Object{}
		}
		object, ok := m.Value.Value.(*hujson.Object)
		if !ok {
			return nil, refuse("correct it by hand", "%q is not a table of members", key)
		}
		return object, nil
	}
	object := &hujson.Object{}
	s.add(parent, key, object, depth)
	return object, nil
}

// set gives a member its value. One that is right stays as it is written.
func (s style) set(object *hujson.Object, wanted member, depth int) {
	value := hujson.Literal(literal(wanted.value))
	for i := range object.Members {
		m := &object.Members[i]
		if m.Name.Value.(hujson.Literal).String() != wanted.key {
			continue
		}
		current := m.Value.Clone()
		current.Standardize()
		if got, err := decodeJSON(current.Pack()); err != nil || !equal(got, plain(wanted.value)) {
			m.Value.Value = value
		}
		return
	}
	s.add(object, wanted.key, value, depth)
}

// add appends a member. Comments that stand before the closing brace stay
// above the new member.
func (s style) add(object *hujson.Object, key string, value hujson.ValueTrimmed, depth int) {
	indent, closing := strings.Repeat(s.indent, depth+1), strings.Repeat(s.indent, depth)
	rest := string(object.AfterExtra)
	added := hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(key)}, Value: hujson.Value{Value: value}}
	if n := len(object.Members); n > 0 {
		if own := object.Members[n-1].Name.BeforeExtra; bytes.Contains(own, []byte("\n")) {
			indent, closing = afterNewline(own), afterNewline(object.AfterExtra)
		}
		if object.Members[n-1].Value.AfterExtra != nil { // a trailing comma
			added.Value.AfterExtra = hujson.Extra{}
		}
	}
	kept := strings.TrimRight(rest, " \t\r\n")
	if s.newline == "" {
		added.Name.BeforeExtra, added.Value.BeforeExtra = hujson.Extra(kept), nil
		object.AfterExtra = nil
	} else {
		added.Name.BeforeExtra = hujson.Extra(kept + s.newline + indent)
		added.Value.BeforeExtra = hujson.Extra(" ")
		object.AfterExtra = hujson.Extra(s.newline + closing)
	}
	object.Members = append(object.Members, added)
}

// afterNewline is what follows the last line end of white space, when it is an
// indentation.
func afterNewline(extra hujson.Extra) string {
	text := string(extra)
	own := text[strings.LastIndexByte(text, '\n')+1:]
	if strings.Trim(own, " \t") != "" {
		return ""
	}
	return own
}

// literal writes a value on one line, with a blank after each comma.
func literal(value any) []byte {
	list, ok := value.([]string)
	if !ok {
		return encode(value)
	}
	var items []string
	for _, item := range list {
		items = append(items, string(encode(item)))
	}
	return []byte("[" + strings.Join(items, ", ") + "]")
}

func encode(value any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // the kinds of member.value can be encoded
	}
	return bytes.TrimSpace(text.Bytes())
}
