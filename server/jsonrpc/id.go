package jsonrpc

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// maxNumberBytes bounds an id that is a number, so that 1e999999999 costs
// nothing.
const maxNumberBytes = 64

// idKey is what two equal ids have in common, however they are written: 1 and
// 1.0 are one id, 1 and "1" are two. ok is false for what is no id: null, a
// boolean, a fraction, an array, an object, anything over MaxIDBytes.
func idKey(raw json.RawMessage) (key string, ok bool) {
	if len(raw) == 0 || len(raw) > MaxIDBytes {
		return "", false
	}
	if raw[0] == '"' {
		s, err := unquote(raw)
		return "s" + s, err == nil
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return "n" + strconv.FormatInt(n, 10), true
	}
	if len(raw) > maxNumberBytes || !isNumber(raw) {
		return "", false
	}
	r, ok := new(big.Rat).SetString(string(raw))
	if !ok || !r.IsInt() {
		return "", false
	}
	return "n" + r.Num().String(), true
}

// isNumber tells a JSON number with a small exponent from everything else.
func isNumber(raw json.RawMessage) bool {
	const maxExponent = 99
	if raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return false
	}
	_, exponent, found := strings.Cut(strings.ToLower(string(raw)), "e")
	if !found {
		return true
	}
	n, err := strconv.Atoi(exponent)
	return err == nil && n <= maxExponent && n >= -maxExponent
}

// ValidID reports whether raw can be an id: a string or an integer of at most
// MaxIDBytes.
func ValidID(raw json.RawMessage) bool {
	_, ok := idKey(raw)
	return ok
}
