package shell

import (
	"context"
	"strings"

	"septet/session"
)

// checkSed allows exactly one script of the small language below, then files.
// With -i the files are replaced in their directories.
func checkSed(_ context.Context, c *call) error {
	names := c.names()
	script, given := "", false
	for _, f := range c.flags {
		switch {
		case f.name == "i" && f.value != "":
			return refuse(badFlag, "sed: -i%s keeps another file", f.value)
		case f.name == "e" || f.name == "expression":
			if given {
				return refuse(badScript, "sed: more than one script")
			}
			script, given = f.value, true
		}
	}
	if !given {
		if len(names) == 0 {
			return refuse(badScript, "sed: no script")
		}
		script, names = names[0], names[1:]
	}
	if err := checkSedScript(script); err != nil {
		return err
	}
	if !c.has("i", "in-place") {
		return c.readAll(names)
	}
	return c.sedInPlace(names)
}

func (c *call) sedInPlace(names []string) error {
	c.line.writes++
	for _, name := range names {
		err := c.target(name, func(p Place) error {
			c.effect(session.EffectWrite, p.Path)
			if p.Kind == Directory {
				return refuse(badOperand, "%s is not a regular file", p.Path)
			}
			return throughNoLink(p)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sedScript is what is left of a script.
type sedScript struct {
	rest          string
	substitutions int
}

// checkSedScript allows p, d, q and = with addresses, and at most one s with
// the flags g p i I and a number, separated by semicolons. w and e, as
// commands or as flags of s, write and execute.
func checkSedScript(script string) error {
	s := &sedScript{rest: script}
	for {
		s.blanks()
		if err := s.addresses(); err != nil {
			return err
		}
		if err := s.command(); err != nil {
			return err
		}
		s.blanks()
		if s.rest == "" {
			return nil
		}
		if !s.take(';') {
			return refuse(badScript, "sed: %q is not on the list", s.rest)
		}
		s.blanks()
		if s.rest == "" {
			return nil
		}
	}
}

func (s *sedScript) blanks() { s.rest = strings.TrimLeft(s.rest, " \t") }

func (s *sedScript) take(c byte) bool {
	if s.rest == "" || s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

func (s *sedScript) digits() bool {
	after := strings.TrimLeft(s.rest, "0123456789")
	found := len(after) < len(s.rest)
	s.rest = after
	return found
}

// addresses reads "A", "A,B" or nothing, and "!".
func (s *sedScript) addresses() error {
	found, err := s.address()
	if err != nil {
		return err
	}
	s.blanks()
	if found && s.take(',') {
		s.blanks()
		if !s.take('+') {
			s.take('~')
		}
		if found, err = s.address(); err != nil || !found {
			return refuse(badScript, "sed: half a range of lines")
		}
	}
	s.blanks()
	for s.take('!') {
		s.blanks()
	}
	return nil
}

// address reads N, N~M, $ or /RE/.
func (s *sedScript) address() (found bool, err error) {
	switch {
	case s.take('$'):
		return true, nil
	case s.digits():
		if s.take('~') && !s.digits() {
			return false, refuse(badScript, "sed: half a step")
		}
		return true, nil
	case s.take('/'):
		if err := s.delimited('/'); err != nil {
			return false, err
		}
		s.take('I')
		return true, nil
	}
	return false, nil
}

func (s *sedScript) command() error {
	switch {
	case s.take('p'), s.take('d'), s.take('q'), s.take('='):
		return nil
	case s.take('s'):
		return s.substitute()
	}
	return refuse(badScript, "sed: the script holds a command that is not on the list")
}

func (s *sedScript) substitute() error {
	if s.substitutions++; s.substitutions > 1 {
		return refuse(badScript, "sed: more than one s")
	}
	if s.rest == "" || strings.IndexByte("\\\n;", s.rest[0]) >= 0 || s.rest[0] >= 0x80 || isName(s.rest[:1]) || s.rest[0] == ' ' {
		return refuse(badScript, "sed: the delimiter of s")
	}
	delimiter := s.rest[0]
	s.rest = s.rest[1:]
	for range 2 {
		if err := s.delimited(delimiter); err != nil {
			return err
		}
	}
	s.rest = strings.TrimLeft(s.rest, "gpiI0123456789")
	return nil
}

// delimited reads up to the delimiter. A backslash quotes what follows; the
// escapes that sed turns into other characters first (\c \d \o \x) are not on
// the list, lest one becomes a delimiter.
func (s *sedScript) delimited(delimiter byte) error {
	for i := 0; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == delimiter:
			s.rest = s.rest[i+1:]
			return nil
		case c == '\n':
			return refuse(badScript, "sed: a newline in an expression")
		case c == '\\':
			i++
			if i == len(s.rest) || s.rest[i] != delimiter && !strings.Contains("ntwWsSbB<>'`+?|(){}.*[]^$/\\&-123456789,:#@%=\"!~;LUElu", s.rest[i:i+1]) {
				return refuse(badScript, "sed: an escape that is not on the list")
			}
		}
	}
	return refuse(badScript, "sed: an expression without its end")
}
