package jsonrpc

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestParseObject(t *testing.T) {
	cases := []struct {
		raw  string
		want map[string]string // nil: refused
	}{
		{`{}`, map[string]string{}},
		{` { "a" : 1 , "b":[1,{"a":2}] } `, map[string]string{"a": "1", "b": `[1,{"a":2}]`}},
		{`{"a":"}\"{","A":null}`, map[string]string{"a": `"}\"{"`, "A": "null"}},
		{`{"\u0061":true,"b\\":-1.5e3}`, map[string]string{"a": "true", `b\`: "-1.5e3"}},
		{`{"a":1,"a":2}`, nil},
		{`{"a":1,"\u0061":2}`, nil},
		{`[]`, nil}, {`"{}"`, nil}, {`null`, nil}, {``, nil}, {`{"a"`, nil}, {`{7}`, nil},
	}
	for _, c := range cases {
		got, err := ParseObject(json.RawMessage(c.raw))
		if (err == nil) != (c.want != nil) {
			t.Errorf("%s: %v", c.raw, err)
			continue
		}
		for name, value := range c.want {
			if string(got[name]) != value {
				t.Errorf("%s: %s is %s, want %s", c.raw, name, got[name], value)
			}
		}
		if err == nil && len(got) != len(c.want) {
			t.Errorf("%s: got %d members", c.raw, len(got))
		}
	}
}

// FuzzParseObject compares with encoding/json wherever that accepts.
func FuzzParseObject(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":[1,"]",{}],"b":{"c":"\\\""}}`, `[1, {"a":2} ,"x"]`, `{"a":1 , "b" : -0.1e-5}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if checkText(raw) != nil {
			_, _ = ParseObject(raw) // must not panic
			return
		}
		var want map[string]json.RawMessage
		trimmed := bytes.TrimSpace(raw)
		if trimmed[0] == '{' && json.Unmarshal(raw, &want) == nil {
			got, err := ParseObject(raw)
			if err != nil && strings.Contains(err.Error(), "twice") {
				return
			}
			if err != nil || !reflect.DeepEqual(map[string]json.RawMessage(got), want) {
				t.Errorf("%q: got %q, %v; want %q", raw, got, err, want)
			}
		}
		var elements []json.RawMessage
		if trimmed[0] == '[' && json.Unmarshal(raw, &elements) == nil {
			got := parseArray(trimmed, len(elements))
			if len(got) != len(elements) {
				t.Fatalf("%q: %d elements, want %d", raw, len(got), len(elements))
			}
			for i := range got {
				if !bytes.Equal(got[i], elements[i]) {
					t.Errorf("%q: element %d is %q, want %q", raw, i, got[i], elements[i])
				}
			}
		}
	})
}

// FuzzLoneSurrogates: what passes is decoded without replacement characters of
// encoding/json's own.
func FuzzLoneSurrogates(f *testing.F) {
	for _, seed := range []string{`"\ud83d\ude00"`, `"\ud800"`, `"\\ud800"`, `"\\\ud800"`, `"\ud800\\udc00"`, `"\udc00\ud800"`, `"\uD83D\uDE00\ud83d"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var s string
		if checkText(raw) == errNotUTF8 || json.Unmarshal(raw, &s) != nil {
			return
		}
		if bytes.Contains(bytes.ToLower(raw), []byte("fffd")) || bytes.ContainsRune(raw, '\uFFFD') {
			return // its own replacement characters
		}
		lone := strings.ContainsRune(s, '\uFFFD')
		if got := checkText(raw) == errLoneSurrogate; got != lone {
			t.Errorf("%q: lone surrogate %t, want %t", raw, got, lone)
		}
	})
}

func TestIDKey(t *testing.T) {
	same := [][]string{{`1`, `1.0`, `1e0`, `10e-1`}, {`0`, `-0`, `0.0`}, {`"a"`, `"\u0061"`}, {`100`, `1e2`}, {`18446744073709551616`, `18446744073709551616.0`}}
	seen := map[string]string{}
	for _, group := range same {
		first, _ := idKey(json.RawMessage(group[0]))
		for _, raw := range group {
			if key, ok := idKey(json.RawMessage(raw)); !ok || key != first {
				t.Errorf("%s: %q, %t; want %q", raw, key, ok, first)
			}
		}
		if other, twice := seen[first]; twice {
			t.Errorf("%s and %s are one", group[0], other)
		}
		seen[first] = group[0]
	}
	for _, raw := range []string{``, `null`, `true`, `1.5`, `[]`, `{}`, `1e999999`, `-1e-1`} {
		if key, ok := idKey(json.RawMessage(raw)); ok {
			t.Errorf("%s is an id: %q", raw, key)
		}
	}
	one, _ := idKey(json.RawMessage(`1`))
	if text, _ := idKey(json.RawMessage(`"1"`)); text == one {
		t.Error(`1 and "1" are one id`)
	}
}
