package jsonrpc

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	errNotUTF8       = &Error{Code: ParseError, Message: "the frame is not valid UTF-8"}
	errNotJSON       = &Error{Code: ParseError, Message: "the frame is not valid JSON"}
	errLoneSurrogate = &Error{Code: ParseError, Message: `the frame holds a lone surrogate (\ud800 to \udfff), which is no character`}
)

// checkText returns nil when the frame is JSON that can be decoded without
// loss.
func checkText(frame []byte) *Error {
	switch {
	case !utf8.Valid(frame):
		return errNotUTF8
	case !json.Valid(frame):
		return errNotJSON
	case hasLoneSurrogate(frame):
		return errLoneSurrogate
	}
	return nil
}

// hasLoneSurrogate looks through the escapes of valid JSON. encoding/json turns
// half of a pair into U+FFFD without a word, which would corrupt the file that
// the text is written to.
func hasLoneSurrogate(frame []byte) bool {
	for {
		i := bytes.IndexByte(frame, '\\')
		if i < 0 {
			return false
		}
		frame = frame[i:]
		r := escaped(frame)
		switch {
		case r < 0:
			frame = frame[2:]
		case !utf16.IsSurrogate(r):
			frame = frame[6:]
		case utf16.DecodeRune(r, escaped(frame[6:])) == utf8.RuneError:
			return true
		default:
			frame = frame[12:]
		}
	}
}

// escaped returns the code unit of a \u escape at the start of s, or -1.
func escaped(s []byte) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}
