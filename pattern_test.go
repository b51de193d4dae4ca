package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// match compares a frame with a pattern, which is JSON too:
//
//   - an object matches one that has all its keys with matching values, and
//     may have more; "<absent>" as a value means that the key is not there
//   - an array matches one of the same length, element by element
//   - "~REGEXP" matches a string; "<any>" matches anything
//   - everything else matches what is equal, numbers digit by digit
func match(pattern, value any) error {
	switch p := pattern.(type) {
	case map[string]any:
		return matchObject(p, value)
	case []any:
		return matchArray(p, value)
	case string:
		return matchString(p, value)
	}
	if pattern != value {
		return fmt.Errorf("%v is not %v", value, pattern)
	}
	return nil
}

func matchObject(pattern map[string]any, value any) error {
	object, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("%v is no object", value)
	}
	for key, want := range pattern {
		got, there := object[key]
		if want == "<absent>" {
			if there {
				return fmt.Errorf("%s is there", key)
			}
			continue
		}
		if !there {
			return fmt.Errorf("%s is missing", key)
		}
		if err := match(want, got); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

func matchArray(pattern []any, value any) error {
	array, ok := value.([]any)
	if !ok || len(array) != len(pattern) {
		return fmt.Errorf("%v is no array of %d", value, len(pattern))
	}
	for i := range pattern {
		if err := match(pattern[i], array[i]); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

func matchString(pattern string, value any) error {
	if pattern == "<any>" {
		return nil
	}
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("%v is no string", value)
	}
	expression, isRegexp := strings.CutPrefix(pattern, "~")
	if isRegexp && regexp.MustCompile(expression).MatchString(text) || !isRegexp && text == pattern {
		return nil
	}
	return fmt.Errorf("%q is not %q", text, pattern)
}

func TestMatch(t *testing.T) {
	for _, row := range []struct {
		pattern, value string
		matches        bool
	}{
		{`{"a":1}`, `{"a":1,"b":2}`, true},
		{`{"a":1}`, `{"a":1.0}`, false},
		{`{"a":"<absent>"}`, `{"b":2}`, true},
		{`{"a":"<absent>"}`, `{"a":null}`, false},
		{`{"a":"<any>"}`, `{"a":null}`, true},
		{`{"a":"<any>"}`, `{}`, false},
		{`{"a":null}`, `{"a":null}`, true},
		{`[1]`, `[1,2]`, false},
		{`["~^x+$"]`, `["xxx"]`, true},
		{`["~^x+$"]`, `["xxy"]`, false},
		{`["x"]`, `["xx"]`, false},
		{`true`, `false`, false},
		{`{"a":{}}`, `{"a":[]}`, false},
	} {
		pattern, _ := decode(row.pattern)
		value, _ := decode(row.value)
		if err := match(pattern, value); (err == nil) != row.matches {
			t.Errorf("%s against %s: %v", row.pattern, row.value, err)
		}
	}
	if n, err := decode(`1e2`); err != nil || n != json.Number("1e2") {
		t.Errorf("numbers are not kept as written: %v %v", n, err)
	}
}
