package ignore

import "strings"

// ExcludesFile returns the last core.excludesFile of a git configuration, as
// written there ("~/" not replaced), and the files it includes, in order.
// Conditional includes are not followed: they depend on what git knows.
func ExcludesFile(config []byte) (excludes string, includes []string) {
	c := configReader{text: strings.ReplaceAll(string(config), "\r\n", "\n")}
	for c.text != "" {
		c.line(func(section, key, value string) {
			switch {
			case section == "core" && key == "excludesfile":
				excludes = value
			case section == "include" && key == "path":
				includes = append(includes, value)
			}
		})
	}
	return excludes, includes
}

// configReader reads git's configuration syntax as far as keys with values in
// plain sections need it.
type configReader struct {
	text    string
	section string // lower case; a subsection is kept, so that it equals no plain name
}

// line consumes one logical line.
func (c *configReader) line(found func(section, key, value string)) {
	c.text = strings.TrimLeft(c.text, " \t\n")
	switch {
	case c.text == "":
	case c.text[0] == '#' || c.text[0] == ';':
		_, c.text, _ = strings.Cut(c.text, "\n")
	case c.text[0] == '[':
		c.header()
	default:
		key := c.key()
		if value, ok := c.value(); ok {
			found(c.section, key, value)
		}
	}
}

// header takes "[section]" or "[section "sub"]"; the line may go on after it.
func (c *configReader) header() {
	head, rest, _ := strings.Cut(c.text, "\n")
	name, after, closed := strings.Cut(head[1:], "]")
	c.section = strings.ToLower(strings.TrimSpace(name))
	if closed {
		c.text = after + "\n" + rest
	} else {
		c.text = rest
	}
}

func (c *configReader) key() string {
	end := strings.IndexAny(c.text, "=\n#;")
	if end < 0 {
		end = len(c.text)
	}
	key := strings.ToLower(strings.TrimSpace(c.text[:end]))
	c.text = c.text[end:]
	return key
}

// value takes what follows "=": quotes and escapes resolved, comments and
// blanks at the end dropped, a backslash at the end of a line joins the next.
func (c *configReader) value() (string, bool) {
	if c.text == "" || c.text[0] != '=' {
		_, c.text, _ = strings.Cut(c.text, "\n")
		return "", false
	}
	c.text = strings.TrimLeft(c.text[1:], " \t")
	var b strings.Builder
	quoted, blanks := false, 0
	for i := 0; i < len(c.text); i++ {
		ch := c.text[i]
		switch {
		case ch == '\n':
			c.text = c.text[i+1:]
			return b.String()[:b.Len()-blanks], !quoted
		case ch == '"':
			quoted = !quoted
		case !quoted && (ch == '#' || ch == ';'):
			_, c.text, _ = strings.Cut(c.text[i:], "\n")
			return b.String()[:b.Len()-blanks], true
		case ch == '\\' && i+1 < len(c.text):
			i++
			b.WriteString(unescape(c.text[i]))
			blanks = 0
		default:
			b.WriteByte(ch)
			blanks = trailingBlanks(blanks, ch, quoted)
		}
	}
	c.text = ""
	return b.String()[:b.Len()-blanks], !quoted
}

func trailingBlanks(n int, ch byte, quoted bool) int {
	if !quoted && (ch == ' ' || ch == '\t') {
		return n + 1
	}
	return 0
}

func unescape(ch byte) string {
	switch ch {
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case 'b':
		return "\b"
	case '\n':
		return ""
	}
	return string(ch)
}
