package jsonrpc

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ErrNotObject is for JSON that is no object.
var ErrNotObject = errors.New("not an object")

// Object is the members of a JSON object by their exact names, not decoded.
type Object map[string]json.RawMessage

// ParseObject splits an object that is part of a frame, and so valid JSON, into
// its members. encoding/json would match names without case and keep the last
// of two; here a name that is given twice is an error. The members share
// memory with raw.
func ParseObject(raw json.RawMessage) (Object, error) {
	members, twice, err := splitObject(raw)
	switch {
	case err != nil:
		return nil, err
	case len(twice) > 0:
		return nil, errTwice(twice[0])
	}
	return members, nil
}

// splitObject is ParseObject for a caller who wants the members all the same:
// it lists the names that are given twice and keeps the first value of each.
func splitObject(raw json.RawMessage) (members Object, twice []string, err error) {
	s := scanner{text: raw}
	s.blanks()
	if s.peek() != '{' {
		return nil, nil, ErrNotObject
	}
	s.at++
	members = Object{}
	for s.blanks(); s.peek() != '}'; s.blanks() {
		name, value, err := s.member()
		if err != nil {
			return nil, nil, err
		}
		if _, again := members[name]; again {
			twice = append(twice, name)
			continue
		}
		members[name] = value
	}
	return members, twice, nil
}

func errTwice(name string) error {
	const maxNameBytes = 200
	return fmt.Errorf("%q is given twice", clip(name, maxNameBytes))
}

// parseArray splits a valid array into its elements, of which it reads no more
// than max+1.
func parseArray(raw json.RawMessage, max int) []json.RawMessage {
	s := scanner{text: raw}
	s.at++
	var elements []json.RawMessage
	for s.blanks(); s.peek() != ']' && s.peek() != 0 && len(elements) <= max; s.blanks() {
		elements = append(elements, s.value())
		s.blanks()
		if s.peek() == ',' {
			s.at++
		}
	}
	return elements
}

// scanner walks JSON that is known to be valid.
type scanner struct {
	text []byte
	at   int
}

// peek is the next byte; 0 at the end.
func (s *scanner) peek() byte {
	if s.at >= len(s.text) {
		return 0
	}
	return s.text[s.at]
}

func (s *scanner) blanks() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

var errCut = errors.New("object cut short")

// member reads one name and value, and the comma behind them.
func (s *scanner) member() (string, json.RawMessage, error) {
	if s.peek() != '"' {
		return "", nil, errCut
	}
	name, err := unquote(s.value())
	if err != nil {
		return "", nil, err
	}
	s.blanks()
	s.at++ // the colon
	s.blanks()
	value := s.value()
	s.blanks()
	if s.peek() == ',' {
		s.at++
	}
	return name, value, nil
}

// value returns the value that starts here.
func (s *scanner) value() json.RawMessage {
	start := s.at
	switch s.peek() {
	case '"':
		s.str()
	case '{', '[':
		s.nested()
	default:
		s.scalar()
	}
	return s.text[start:s.at]
}

func (s *scanner) str() {
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return
		}
	}
	s.at = min(s.at, len(s.text))
}

func (s *scanner) nested() {
	depth := 0
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '"':
			s.str()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.at++
		if depth == 0 {
			return
		}
	}
}

func (s *scanner) scalar() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ',', '}', ']', ' ', '\t', '\r', '\n':
			return
		}
		s.at++
	}
}

// unquote decodes a JSON string.
func unquote(raw json.RawMessage) (string, error) {
	plain := true
	for _, c := range raw {
		plain = plain && c != '\\'
	}
	if plain && len(raw) >= 2 {
		return string(raw[1 : len(raw)-1]), nil
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err
}
