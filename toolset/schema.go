package toolset

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/invopop/jsonschema"
)

// schemaOf generates the JSON schema of a struct type: one self-contained
// object. A reference, a dialect or a boolean sub-schema makes some clients
// refuse the whole list of tools, so none is ever produced.
func schemaOf(t reflect.Type) (*jsonschema.Schema, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%v is not a struct", t)
	}
	if err := checkExpressible(t, nil); err != nil {
		return nil, err
	}
	reflector := jsonschema.Reflector{DoNotReference: true, Anonymous: true}
	schema := reflector.ReflectFromType(t)
	schema.Version = ""
	return schema, nil
}

// checkExpressible refuses what has no closed schema. The library would follow
// a recursive type until the stack ends.
func checkExpressible(t reflect.Type, above []reflect.Type) error {
	for _, outer := range above {
		if outer == t {
			return fmt.Errorf("%v contains itself", t)
		}
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64:
		return nil
	case reflect.Pointer, reflect.Slice:
		return checkExpressible(t.Elem(), append(above, t))
	case reflect.Struct:
		return checkFields(t, append(above, t))
	}
	return fmt.Errorf("%v has no closed schema", t)
}

func checkFields(t reflect.Type, above []reflect.Type) error {
	var errs []error
	for _, f := range reflect.VisibleFields(t) {
		if !f.IsExported() && !f.Anonymous {
			continue // no part of the JSON; newDecoder refuses it in an input
		}
		if f.Anonymous || f.Tag.Get("json") == "" {
			errs = append(errs, fmt.Errorf("%v.%s is not a plain field with a json tag", t, f.Name))
			continue
		}
		if err := checkExpressible(f.Type, above); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", f.Name, err))
		}
	}
	return errors.Join(errs...)
}

func encodeSchema(s *jsonschema.Schema) (json.RawMessage, error) {
	if s.Properties == nil || s.Properties.Len() == 0 {
		return nil, errors.New("schema has no properties")
	}
	return json.Marshal(s)
}
