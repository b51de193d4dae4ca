package hostconfig

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// format is a kind of file: how to read it, and how to put an entry into its
// text.
type format struct {
	name   string
	decode func(text []byte) (map[string]any, error)
	edit   func(text []byte, table []string, e entry) ([]byte, error)
}

// byteOrderMark begins some files that were made on Windows.
var byteOrderMark = []byte("\ufeff")

// Merge returns the text with the entry in it. What was there stays as it is,
// byte for byte, but for the members of the entry itself. When the entry is
// up to date, so is the text. The error is an *Error; nothing is half done.
func (h Host) Merge(text []byte, l Launch) ([]byte, error) {
	if !utf8.Valid(text) {
		return nil, refuse("save it as UTF-8", "the file is not UTF-8 text")
	}
	body := bytes.TrimPrefix(text, byteOrderMark)
	old, err := h.format.decode(body)
	if err != nil {
		return nil, refuse("correct it, then try again", "the file is not valid %s: %s", h.format.name, firstLine(err))
	}
	table, e := h.shape(old, l)
	want, err := expected(old, table, e)
	if err != nil {
		return nil, err
	}
	if equal(old, want) {
		return text, nil
	}
	edited, err := h.format.edit(body, table, e)
	if err != nil {
		return nil, err
	}
	// The last word has a plain reading of the result: an edit that changed
	// anything else, or not what it should, is thrown away.
	if got, err := h.format.decode(edited); err != nil || !equal(got, want) {
		return nil, refuse("septet config "+h.Name+" prints the entry; add it by hand",
			"the entry cannot be put in safely: the file writes %s in an unusual way", strings.Join(append(table, ServerName), "."))
	}
	return append(text[:len(text)-len(body):len(text)-len(body)], edited...), nil
}

// shape is where the entry belongs and what it looks like there. The second
// version of OpenCode reads files of the first one, and has a table of its own
// below "mcp" in files that were converted.
func (h Host) shape(document map[string]any, l Launch) ([]string, entry) {
	e := h.entry(l)
	if h.Name != "opencode" {
		return h.table, e
	}
	mcp, _ := document["mcp"].(map[string]any)
	servers, converted := mcp["servers"].(map[string]any)
	if _, isServer := servers["type"].(string); !converted || isServer {
		return h.table, e
	}
	return []string{"mcp", "servers"}, e[:len(e)-1] // "enabled" is not known there
}

// Installed is what the text says about the entry: the command that the host
// starts, or "" when there is none.
func (h Host) Installed(text []byte) (command string, err error) {
	document, err := h.format.decode(bytes.TrimPrefix(text, byteOrderMark))
	if err != nil {
		return "", refuse("correct it, then try again", "the file is not valid %s: %s", h.format.name, firstLine(err))
	}
	table, e := h.shape(document, Launch{})
	for _, key := range append(table, ServerName) {
		if document, err = tableAt(document, key); err != nil {
			return "", err
		}
	}
	for _, m := range e {
		switch value := document[m.key].(type) {
		case string:
			if m.key == "command" || m.key == "cmd" {
				return value, nil
			}
		case []any:
			if first, ok := value[0].(string); ok && m.key == "command" {
				return first, nil
			}
		}
	}
	return "", nil
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// newline is the end of lines in text.
func newline(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
