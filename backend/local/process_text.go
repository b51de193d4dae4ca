package local

import (
	"bytes"
	"fmt"
	"sort"
	"unicode/utf8"

	"septet/backend"
)

// maxEscapeBytes bounds one escape sequence. A longer one is no sequence: only
// its introducer is dropped, so that an unterminated one cannot hide the rest
// of the output. Real ones, window titles and links, stay below 4 KiB.
const maxEscapeBytes = 4 << 10

const (
	esc = 0x1b
	bel = 0x07
)

// tokenKind is what becomes of a piece of raw output.
type tokenKind uint8

const (
	tokenText       tokenKind = iota // shown as it is
	tokenDropped                     // part of an escape sequence, or the \r of \r\n
	tokenControl                     // a control character, shown escaped
	tokenInvalid                     // a byte that is not UTF-8, shown escaped
	tokenRewind                      // a \r: what follows overwrites the line
	tokenIncomplete                  // the end of the buffer decides nothing yet
)

// token is a piece of raw output, size bytes long, at least one.
type token struct {
	kind tokenKind
	size int
}

// nextToken looks at the beginning of raw, which is not empty. With more, raw
// may be continued later and a sequence or rune cut off by its end is
// tokenIncomplete; without, it is judged as it stands.
func nextToken(raw []byte, more bool) token {
	if n := plainPrefix(raw); n > 0 {
		return token{tokenText, n}
	}
	switch c := raw[0]; {
	case c == esc:
		return escapeToken(raw, more)
	case c == '\r':
		return returnToken(raw, more)
	case c < ' ' || c == 0x7f:
		return token{tokenControl, 1}
	}
	return runeToken(raw, more)
}

// plainPrefix counts the leading bytes that are printable ASCII, tabs or line
// feeds: nearly all output there is.
func plainPrefix(raw []byte) int {
	for i, c := range raw {
		if (c < ' ' && c != '\n' && c != '\t') || c > '~' {
			return i
		}
	}
	return len(raw)
}

func runeToken(raw []byte, more bool) token {
	if more && !utf8.FullRune(raw) {
		return token{tokenIncomplete, len(raw)}
	}
	r, size := utf8.DecodeRune(raw)
	switch {
	case r == utf8.RuneError && size == 1:
		return token{tokenInvalid, 1}
	case r >= 0x80 && r <= 0x9f: // the C1 controls: a terminal may take U+009B for ESC [
		return token{tokenControl, size}
	}
	return token{tokenText, size}
}

// returnToken tells the end of a CRLF line from the end of a frame that the
// next one overwrites.
func returnToken(raw []byte, more bool) token {
	if len(raw) == 1 {
		if more {
			return token{tokenIncomplete, 1}
		}
		return token{tokenDropped, 1}
	}
	if raw[1] == '\n' || raw[1] == '\r' {
		return token{tokenDropped, 1}
	}
	return token{tokenRewind, 1}
}

// escapeToken measures the escape sequence at the beginning of raw. A line
// feed ends any sequence, so that lines are counted the same with and without
// sequences in them.
func escapeToken(raw []byte, more bool) token {
	window := raw[:min(len(raw), maxEscapeBytes)]
	if i := bytes.IndexByte(window, '\n'); i >= 0 {
		window, more = window[:i], false
	} else if len(raw) >= maxEscapeBytes {
		more = false
	}
	if n := escapeLength(window); n > 0 {
		return token{tokenDropped, n}
	}
	if more {
		return token{tokenIncomplete, len(raw)}
	}
	return token{tokenDropped, unterminated(window)}
}

// unterminated is how much of b, a sequence without an end, is dropped. The
// parameters of one that was cut off are nothing to read. What follows the
// beginning of a string, or is too long for a sequence, may be.
func unterminated(b []byte) int {
	if len(b) < 2 || len(b) == maxEscapeBytes || b[1] != '[' && (b[1] < 0x20 || b[1] > 0x2f) {
		return min(2, len(b))
	}
	return len(b)
}

// escapeLength returns the length of the complete sequence that b starts with,
// 0 when it is not complete.
func escapeLength(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch c := b[1]; {
	case c == '[':
		return csiLength(b)
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_': // OSC, DCS, SOS, PM, APC
		return stringLength(b)
	case c >= 0x20 && c <= 0x2f: // nF: intermediates, then a final byte
		return finalByte(b, 2, 0x30)
	}
	return 2
}

// csiLength measures ESC [, parameters and intermediates, and the final byte.
// A byte that fits nowhere ends a broken sequence before itself.
func csiLength(b []byte) int { return finalByte(b, 2, 0x40) }

// finalByte finds the first byte of at least final from from on.
func finalByte(b []byte, from int, final byte) int {
	for i := from; i < len(b); i++ {
		switch {
		case b[i] >= final && b[i] <= '~':
			return i + 1
		case b[i] < ' ' || b[i] > '~':
			return i
		}
	}
	return 0
}

// stringLength measures a string sequence that ends with BEL or with ESC \. An
// ESC that starts something else ends it too.
func stringLength(b []byte) int {
	for i := 2; i < len(b); i++ {
		switch {
		case b[i] == bel:
			return i + 1
		case b[i] == esc && i+1 == len(b):
			return 0
		case b[i] == esc && b[i+1] == '\\':
			return i + 2
		case b[i] == esc:
			return i
		}
	}
	return 0
}

// cleanText is raw output made readable.
type cleanText struct {
	text   []byte         // valid UTF-8 without escape sequences
	used   int            // bytes of raw that text stands for
	from   backend.Origin // which of them each piece of text stands for
	line   backend.Step   // where the current line starts
	binary bool           // bytes that are not UTF-8 were escaped
}

// clean makes the beginning of raw readable, about limit bytes of text at
// most. With more, an incomplete sequence or rune at the end is left unused.
func clean(raw []byte, limit int, more bool) cleanText {
	c := cleanText{text: make([]byte, 0, min(limit, len(raw)))}
	for c.used < len(raw) && len(c.text) < limit {
		t := nextToken(raw[c.used:], more)
		if t.kind == tokenIncomplete {
			return c
		}
		piece := raw[c.used : c.used+t.size]
		if t.kind == tokenText {
			piece = cutText(piece, limit-len(c.text))
		}
		c.take(t.kind, piece)
	}
	return c
}

// take adds the text of piece, a token.
func (c *cleanText) take(kind tokenKind, piece []byte) {
	switch kind {
	case tokenText:
		c.text = append(c.text, piece...)
		c.used += len(piece)
		if i := bytes.LastIndexByte(piece, '\n'); i >= 0 {
			c.line = c.place()
			after := int32(len(piece) - i - 1)
			c.line.Text, c.line.Raw = c.line.Text-after, c.line.Raw-after
		}
		return
	case tokenRewind:
		c.text = c.text[:c.line.Text]
		c.from = c.from[:sort.Search(len(c.from), func(i int) bool { return c.from[i].Text >= c.line.Text })]
		c.step(c.line)
	default:
		c.step(c.place())
		c.text = appendEscaped(c.text, kind, piece)
	}
	c.used += len(piece)
	c.step(c.place())
	c.binary = c.binary || kind == tokenInvalid
}

// place is the end of what was taken.
func (c *cleanText) place() backend.Step {
	return backend.Step{Text: int32(len(c.text)), Raw: int32(c.used)}
}

// step adds a step. Pieces without text that follow each other are one.
func (c *cleanText) step(s backend.Step) {
	n := len(c.from)
	switch {
	case n > 0 && c.from[n-1] == s:
	case n > 1 && c.from[n-1].Text == s.Text && c.from[n-2].Text == s.Text:
		c.from[n-1] = s
	default:
		c.from = append(c.from, s)
	}
}

// cutText shortens a piece of plain text to n bytes; a single rune stays whole.
func cutText(piece []byte, n int) []byte {
	if len(piece) <= n || piece[0] >= utf8.RuneSelf {
		return piece
	}
	return piece[:n]
}

// appendEscaped appends what is shown of a token that is not plain text.
func appendEscaped(text []byte, kind tokenKind, piece []byte) []byte {
	switch kind {
	case tokenInvalid:
		return fmt.Appendf(text, `\x%02x`, piece[0])
	case tokenControl:
		r, _ := utf8.DecodeRune(piece)
		if r < 0x80 {
			return fmt.Appendf(text, `\x%02x`, r)
		}
		return fmt.Appendf(text, `\u%04x`, r)
	}
	return text
}

// skipFor returns how many bytes at the beginning of raw must go so that the
// text of the rest is at most limit bytes.
func skipFor(raw []byte, limit int) int {
	excess := textLength(raw) - limit
	at := 0
	for at < len(raw) && excess > 0 {
		t := nextToken(raw[at:], false)
		if t.kind == tokenText && raw[at] < utf8.RuneSelf {
			t.size = min(t.size, excess)
		}
		excess -= t.textSize()
		at += t.size
	}
	return at
}

// textLength is the length of the text of raw, frames not collapsed.
func textLength(raw []byte) int {
	total := 0
	for at := 0; at < len(raw); {
		t := nextToken(raw[at:], false)
		total += t.textSize()
		at += t.size
	}
	return total
}

// textSize is the number of bytes a token becomes.
func (t token) textSize() int {
	switch t.kind {
	case tokenText:
		return t.size
	case tokenInvalid:
		return len(`\x00`)
	case tokenControl:
		if t.size > 1 {
			return len(`\u0000`)
		}
		return len(`\x00`)
	}
	return 0
}
