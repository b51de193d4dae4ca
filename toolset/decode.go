package toolset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
)

// maxShownBytes bounds an argument quoted in an error.
const maxShownBytes = 80

// ErrNotObject is for arguments that are JSON but no object.
var ErrNotObject = errors.New("arguments must be an object")

// decoder fills a flat input struct from the arguments of a call. It is made
// from the same schema that is advertised, and it is strict: exact names, no
// duplicates, nothing unknown. encoding/json alone would match names without
// case and keep the last duplicate.
type decoder struct {
	tool   string
	fields []field
}

// field is one argument.
type field struct {
	name     string
	index    int
	required bool
	schema   *jsonschema.Schema
}

func newDecoder(tool string, t reflect.Type, s *jsonschema.Schema) (*decoder, error) {
	d := &decoder{tool: tool}
	required := map[string]bool{}
	for _, name := range s.Required {
		required[name] = true
	}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		property, ok := s.Properties.Get(name)
		if !ok {
			return nil, fmt.Errorf("argument %q has no schema", name)
		}
		switch property.Type {
		case "string", "integer", "boolean":
		default:
			return nil, fmt.Errorf("argument %q is of type %q; only string, integer and boolean can be decoded", name, property.Type)
		}
		if property.Description == "" {
			return nil, fmt.Errorf("argument %q has no description", name)
		}
		d.fields = append(d.fields, field{name: name, index: i, required: required[name], schema: property})
	}
	return d, nil
}

// decode fills target, a pointer to the input struct. The error is
// ErrNotObject or an *Error with InvalidArguments.
func (d *decoder) decode(arguments json.RawMessage, target reflect.Value) error {
	values, err := d.members(arguments)
	if err != nil {
		return err
	}
	for _, f := range d.fields {
		raw, given := values[f.name]
		if !given || string(raw) == "null" {
			if f.required {
				return d.errorf("missing argument %q", f.name)
			}
			raw = f.fallback()
		}
		if raw == nil {
			continue
		}
		if err := d.set(f, raw, target.Elem().Field(f.index)); err != nil {
			return err
		}
	}
	return nil
}

// members reads the object's members and refuses unknown and repeated names.
func (d *decoder) members(arguments json.RawMessage) (map[string]json.RawMessage, error) {
	trimmed := bytes.TrimSpace(arguments)
	if len(trimmed) == 0 || string(trimmed) == "null" {
		return nil, nil
	}
	if trimmed[0] != '{' {
		return nil, ErrNotObject
	}
	dec := json.NewDecoder(bytes.NewReader(trimmed))
	if _, err := dec.Token(); err != nil {
		return nil, ErrNotObject
	}
	values := map[string]json.RawMessage{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, d.errorf("arguments are not valid JSON: %v", err)
		}
		name := key.(string)
		if !d.knows(name) {
			return nil, d.unknown(name)
		}
		if _, twice := values[name]; twice {
			return nil, d.errorf("argument %q is given twice", name)
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, d.errorf("argument %q is not valid JSON: %v", name, err)
		}
		values[name] = raw
	}
	if _, err := dec.Token(); err != nil && !errors.Is(err, io.EOF) {
		return nil, d.errorf("arguments are not valid JSON: %v", err)
	}
	return values, nil
}

func (d *decoder) knows(name string) bool {
	for _, f := range d.fields {
		if f.name == name {
			return true
		}
	}
	return false
}

func (d *decoder) unknown(name string) *Error {
	names := make([]string, len(d.fields))
	for i, f := range d.fields {
		names[i] = f.name
	}
	e := d.errorf("unknown argument %s", shown(name))
	if near := Closest(name, names); near != "" {
		e.Hint = fmt.Sprintf("did you mean %q? %s", near, e.Hint)
	}
	return e
}

// errorf makes an error whose hint is the call's signature.
func (d *decoder) errorf(format string, args ...any) *Error {
	return Errorf(InvalidArguments, format, args...).WithHint("%s takes %s", d.tool, d.signature())
}

// signature lists the arguments, such as `path (string), offset (integer, optional, default 0)`.
func (d *decoder) signature() string {
	parts := make([]string, len(d.fields))
	for i, f := range d.fields {
		kind := f.schema.Type
		if !f.required {
			kind += ", optional"
		}
		if f.schema.Default != nil {
			kind += fmt.Sprintf(", default %v", f.schema.Default)
		}
		parts[i] = fmt.Sprintf("%s (%s)", f.name, kind)
	}
	return strings.Join(parts, ", ")
}

// fallback is the default as JSON, or nil.
func (f field) fallback() json.RawMessage {
	if f.schema.Default == nil {
		return nil
	}
	raw, err := json.Marshal(f.schema.Default)
	if err != nil {
		return nil
	}
	return raw
}

func (d *decoder) set(f field, raw json.RawMessage, v reflect.Value) error {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch f.schema.Type {
	case "string":
		return d.setString(f, raw, v)
	case "boolean":
		return d.setBool(f, raw, v)
	}
	return d.setInteger(f, raw, v)
}

func (d *decoder) setString(f field, raw json.RawMessage, v reflect.Value) error {
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return d.mistyped(f, "a string", raw)
	}
	if len(f.schema.Enum) > 0 && !contains(f.schema.Enum, s) {
		return d.errorf("%s must be one of %v, got %s", f.name, f.schema.Enum, shown(s))
	}
	v.SetString(s)
	return nil
}

func contains(enum []any, s string) bool {
	for _, one := range enum {
		if one == s {
			return true
		}
	}
	return false
}

// setBool accepts "true" and "false" too: models send them.
func (d *decoder) setBool(f field, raw json.RawMessage, v reflect.Value) error {
	switch string(raw) {
	case "true", `"true"`:
		v.SetBool(true)
	case "false", `"false"`:
		v.SetBool(false)
	default:
		return d.mistyped(f, "true or false", raw)
	}
	return nil
}

// setInteger accepts 5.0 and "5" too: models send them.
func (d *decoder) setInteger(f field, raw json.RawMessage, v reflect.Value) error {
	n, ok := integer(raw)
	if !ok {
		return d.mistyped(f, "an integer", raw)
	}
	if low, ok := integer([]byte(f.schema.Minimum)); ok && n.Cmp(low) < 0 {
		return d.errorf("%s must be at least %v, got %v", f.name, low, n)
	}
	if high, ok := integer([]byte(f.schema.Maximum)); ok && n.Cmp(high) > 0 {
		return d.errorf("%s must be at most %v, got %v", f.name, high, n)
	}
	if !n.IsInt64() || v.OverflowInt(n.Int64()) {
		return d.errorf("%s is out of range", f.name)
	}
	v.SetInt(n.Int64())
	return nil
}

// maxIntegerBytes bounds a number's text, so that 1e999999999 costs nothing.
const maxIntegerBytes = 24

func integer(raw []byte) (*big.Int, bool) {
	text := strings.Trim(string(raw), `"`)
	if len(text) == 0 || len(text) > maxIntegerBytes || strings.ContainsAny(text, "eExXoObBpP_/ +") {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || !r.IsInt() {
		return nil, false
	}
	return r.Num(), true
}

func (d *decoder) mistyped(f field, want string, raw json.RawMessage) *Error {
	return d.errorf("%s must be %s, got %s", f.name, want, clip(string(raw)))
}

// shown quotes a string for an error.
func shown(s string) string { return clip(fmt.Sprintf("%q", s)) }

func clip(s string) string {
	if len(s) <= maxShownBytes {
		return s
	}
	return strings.ToValidUTF8(s[:maxShownBytes], "") + "..."
}
