package hostconfig

import (
	"encoding/json"
	"reflect"
)

// entry is the description of the server in a host's file, in the order in
// which it is written.
type entry []member

type member struct {
	key   string
	value any  // string, bool, int or []string
	owned bool // brought up to date in an entry that is there; else only written into a new one
}

// applyTo gives the entry that has to be in the file afterwards: the old one,
// which may be nil, with the owned members set.
func (e entry) applyTo(old map[string]any) map[string]any {
	result := map[string]any{}
	for key, value := range old {
		result[key] = value
	}
	for _, m := range e {
		if m.owned || old == nil {
			result[m.key] = plain(m.value)
		}
	}
	return result
}

// plain gives a value the shape that decoding gives.
func plain(value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // the kinds of member.value can be encoded
	}
	decoded, err := decodeJSON(text)
	if err != nil {
		panic(err) // it was just encoded
	}
	return decoded
}

// expected is the whole document afterwards: the old one with the entry in its
// table.
func expected(old map[string]any, table []string, e entry) (map[string]any, error) {
	document := map[string]any{}
	for key, value := range old {
		document[key] = value
	}
	if len(table) == 0 {
		server, err := tableAt(document, ServerName)
		if err != nil {
			return nil, err
		}
		document[ServerName] = e.applyTo(server)
		return document, nil
	}
	inner, err := tableAt(document, table[0])
	if err != nil {
		return nil, err
	}
	document[table[0]], err = expected(inner, table[1:], e)
	return document, err
}

// tableAt returns the table below key; nil when there is none.
func tableAt(document map[string]any, key string) (map[string]any, error) {
	value, found := document[key]
	if !found || value == nil {
		return nil, nil
	}
	table, ok := value.(map[string]any)
	if !ok {
		return nil, refuse("correct it by hand", "%q is not a table of members", key)
	}
	return table, nil
}

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }
