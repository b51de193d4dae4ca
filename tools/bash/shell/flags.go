package shell

import "strings"

// flag is one flag as it was given: "n" or "max-count".
type flag struct {
	name  string
	value string
}

// parseFlags splits the words after the program into flags and operands as the
// program itself would. Arity is the point: where a table took -S for a flag
// without a value, "git diff -S -- --output=/tmp/x" would write a file.
func (c *call) parseFlags(args []*word) error {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg.text == "--":
			c.operands = append(c.operands, args...)
			return nil
		case len(arg.text) < 2 || arg.text[0] != '-':
			c.operands = append(c.operands, arg)
			if c.row.parser.operandEnds() {
				c.operands = append(c.operands, args...)
				return nil
			}
			continue
		case arg.glob:
			return refuse(badGlob, "a flag of %s is a pattern", c.row.name)
		}
		taken, err := c.parseFlag(arg.text, args)
		if err != nil {
			return err
		}
		args = args[taken:]
	}
	return nil
}

// parseFlag reads one word of flags and says how many of the next words are
// its values.
func (c *call) parseFlag(text string, next []*word) (taken int, err error) {
	switch {
	case strings.HasPrefix(text, "--"):
		return c.parseLong(text[2:], next)
	case c.row.number && isDigits(text[1:]):
		return 0, nil
	case !c.row.parser.clusters() && len(text) > 2 && !c.row.attaches(text[1:2]):
		return 0, c.unknownFlag(text)
	}
	return c.parseCluster(text[1:], next)
}

func (c *call) parseCluster(cluster string, next []*word) (taken int, err error) {
	for i := range len(cluster) {
		letter, rest := cluster[i:i+1], cluster[i+1:]
		switch {
		case strings.Contains(c.row.short, letter):
			c.flags = append(c.flags, flag{name: letter})
			continue
		case strings.Contains(c.row.shortValue, letter) && rest == "":
			return c.takeNext(letter, next)
		case strings.Contains(c.row.shortAttached, letter) && rest == "":
			return 0, refuse(badFlag, "%s: the value of -%s is not attached", c.row.name, letter)
		case c.row.attaches(letter):
			c.flags = append(c.flags, flag{letter, rest})
			return 0, nil
		}
		return 0, c.unknownFlag("-" + letter)
	}
	return 0, nil
}

func (c *call) parseLong(text string, next []*word) (taken int, err error) {
	name, value, attached := strings.Cut(text, "=")
	mark, ok := findLong(c.row.long, name)
	switch {
	case !ok, attached && mark == ' ':
		return 0, c.unknownFlag("--" + text)
	case attached:
		c.flags = append(c.flags, flag{name, value})
	case mark == ':':
		return 0, refuse(badFlag, "%s: the value of --%s is not attached", c.row.name, name)
	case mark == '=', mark == '@', mark == '>' && len(next) > 0:
		taken, err = c.takeNext(name, next)
	default:
		c.flags = append(c.flags, flag{name: name})
	}
	if err == nil && mark == '@' {
		err = c.read(c.flags[len(c.flags)-1].value, Other)
	}
	return taken, err
}

func (c *call) takeNext(name string, next []*word) (int, error) {
	if len(next) == 0 {
		return 0, refuse(badFlag, "%s: -%s has no value", c.row.name, name)
	}
	if next[0].glob {
		return 0, refuse(badGlob, "the value of -%s is a pattern", name)
	}
	if value := next[0].text; !isOperand(value) && !(oneOf(c.row.negative, name) && isNegative(value)) {
		return 0, refuse(badFlag, "%s: the value of -%s begins with a dash", c.row.name, name)
	}
	c.flags = append(c.flags, flag{name, next[0].text})
	return 1, nil
}

// isOperand reports whether no program takes the word for a flag. It is the
// one rule for values in words of their own, whatever is known of a flag: were
// the row wrong about what takes a value, or the version of the program
// another one, then "-S --output=f" would be two flags.
func isOperand(word string) bool { return len(word) < 2 || word[0] != '-' }

// isNegative reports whether the word is a number below zero, with a unit or
// without: -1, -10k, -5MiB.
func isNegative(word string) bool {
	digits := strings.TrimLeft(word[1:], "0123456789")
	switch strings.TrimSuffix(strings.TrimSuffix(digits, "B"), "i") {
	case "", "b", "c", "w", "k", "K", "m", "M", "G", "T", "P", "E":
		return len(digits) < len(word)-1
	}
	return false
}

func (c *call) unknownFlag(text string) error {
	return refuse(badFlag, "%s: %s is not on the list", c.row.name, text)
}

// has reports whether a flag was given under one of the names.
func (c *call) has(names ...string) bool {
	return c.count(names...) > 0
}

func (c *call) count(names ...string) int {
	n := 0
	for _, f := range c.flags {
		for _, name := range names {
			if f.name == name {
				n++
			}
		}
	}
	return n
}

// findLong looks a name up in a row's list and returns the mark at its end, a
// blank for none.
func findLong(list, name string) (kind byte, ok bool) {
	for entry := range strings.FieldsSeq(list) {
		if rest, found := strings.CutPrefix(entry, name); found && name != "" {
			if rest == "" {
				return ' ', true
			}
			if len(rest) == 1 && strings.Contains("=:?@>", rest) {
				return rest[0], true
			}
		}
	}
	return 0, false
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
