package ignore

import "strings"

// classToken reads a bracket expression whose "[" stands just before i. One
// that does not end, or that names an unknown class, makes the whole pattern
// match nothing.
func classToken(p string, i int) (token, int) {
	c := classReader{pattern: p, at: i}
	negated := c.at < len(p) && (p[c.at] == '!' || p[c.at] == '^')
	if negated {
		c.at++
	}
	if !c.read() {
		return token{kind: tokenNever}, len(p)
	}
	if negated {
		for b := range c.set {
			c.set[b] = !c.set[b]
		}
	}
	c.set['/'] = false
	return token{kind: tokenSet, set: &c.set}, c.at
}

// classReader collects the members of a bracket expression.
type classReader struct {
	pattern string
	at      int
	set     [256]bool
	last    int // the member a range may start from; -1 when there is none
}

// read takes members up to the closing bracket; the first member may be a
// bracket itself.
func (c *classReader) read() bool {
	c.last = -1
	for first := true; ; first = false {
		if c.at >= len(c.pattern) {
			return false
		}
		if c.pattern[c.at] == ']' && !first {
			c.at++
			return true
		}
		if !c.member() {
			return false
		}
	}
}

// member takes one character, range or named class.
func (c *classReader) member() bool {
	rest := c.pattern[c.at:]
	switch {
	case rest[0] == '-' && c.last >= 0 && len(rest) > 1 && rest[1] != ']':
		c.at++
		return c.rangeEnd()
	case strings.HasPrefix(rest, "[:"):
		return c.named(rest[2:])
	}
	ch, ok := c.char()
	if ok {
		c.set[ch] = true
		c.last = int(ch)
	}
	return ok
}

// char takes one character, which a backslash may quote.
func (c *classReader) char() (byte, bool) {
	if c.pattern[c.at] == '\\' {
		c.at++
		if c.at == len(c.pattern) {
			return 0, false
		}
	}
	c.at++
	return c.pattern[c.at-1], true
}

func (c *classReader) rangeEnd() bool {
	end, ok := c.char()
	for b := c.last; ok && b <= int(end); b++ {
		c.set[b] = true
	}
	c.last = -1
	return ok
}

// named takes "name:]"; without that end the bracket was an ordinary member.
func (c *classReader) named(rest string) bool {
	end := strings.IndexByte(rest, ']')
	if end < 0 {
		return false
	}
	if end == 0 || rest[end-1] != ':' {
		c.set['['] = true
		c.last = '['
		c.at++
		return true
	}
	in, known := classes[rest[:end-1]]
	if !known {
		return false
	}
	for b := range 128 {
		c.set[b] = c.set[b] || in(byte(b))
	}
	c.at += 2 + end + 1
	c.last = -1
	return true
}

// classes are ASCII only, and white space is git's: no vertical tab, no form
// feed.
var classes = map[string]func(byte) bool{
	"alnum":  func(b byte) bool { return isAlpha(b) || isDigit(b) },
	"alpha":  isAlpha,
	"blank":  func(b byte) bool { return b == ' ' || b == '\t' },
	"cntrl":  func(b byte) bool { return b < ' ' || b == 127 },
	"digit":  isDigit,
	"graph":  func(b byte) bool { return b > ' ' && b < 127 },
	"lower":  func(b byte) bool { return 'a' <= b && b <= 'z' },
	"print":  func(b byte) bool { return b >= ' ' && b < 127 },
	"punct":  func(b byte) bool { return b > ' ' && b < 127 && !isAlpha(b) && !isDigit(b) },
	"space":  func(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' },
	"upper":  func(b byte) bool { return 'A' <= b && b <= 'Z' },
	"xdigit": func(b byte) bool { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'f' },
}

func isAlpha(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool { return '0' <= b && b <= '9' }
