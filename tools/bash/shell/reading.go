package shell

import (
	"context"
	"slices"
	"strings"
)

// anyWords is for programs that only look at their arguments, if at all.
func anyWords(_ context.Context, c *call) error { return c.noPatterns() }

// noPatterns refuses unquoted patterns in the arguments.
func (c *call) noPatterns() error {
	if slices.ContainsFunc(c.words, func(w *word) bool { return w.glob }) {
		return refuse(badGlob, "%s: an unquoted pattern", c.row.name)
	}
	return nil
}

// checkDate allows a format; any other operand sets the clock.
func checkDate(_ context.Context, c *call) error {
	for _, name := range c.names() {
		if !strings.HasPrefix(name, "+") {
			return refuse(badOperand, "date: %s is not a format", name)
		}
	}
	return nil
}

// checkDiff allows files, not directories: the names in them are compared
// through links.
func checkDiff(_ context.Context, c *call) error {
	for _, name := range c.names() {
		if name == "-" || name == nullDevice {
			continue
		}
		if err := c.read(name, File); err != nil {
			return err
		}
	}
	return nil
}

// checkStrings refuses @FILE, which stands for the words in the file.
func checkStrings(_ context.Context, c *call) error {
	for _, w := range c.words[1:] {
		if strings.HasPrefix(w.text, "@") {
			return refuse(badOperand, "strings: %s reads arguments from a file", w.text)
		}
	}
	return nil
}

// checkTail refuses the old "tail +1f FILE", which never ends. After "--" the
// word may be old syntax all the same.
func checkTail(_ context.Context, c *call) error {
	for _, name := range c.names() {
		if strings.HasPrefix(name, "+") {
			return refuse(badOperand, "tail: %s is old syntax for a flag", name)
		}
	}
	return nil
}

// checkFilesOnly refuses standard input, which may be a pipe.
func checkFilesOnly(_ context.Context, c *call) error {
	names := c.names()
	if len(names) == 0 || slices.Contains(names, "-") {
		return refuse(badOperand, "%s: what comes from a pipe is kept in a temporary file", c.row.name)
	}
	return nil
}

// checkGrep lets -D only say that devices are skipped. With -r, or "-d
// recurse", and no operand grep reads the directory it is in.
func checkGrep(_ context.Context, c *call) error {
	recursive := c.has("r", "recursive")
	for _, f := range c.flags {
		switch f.name {
		case "D", "devices":
			if f.value != "skip" {
				return refuse(badFlag, "grep: reading devices")
			}
		case "d", "directories": // the value may be shortened
			recursive = recursive || strings.HasPrefix("recurse", f.value)
		}
	}
	if recursive && len(c.afterPattern(c.names())) == 0 {
		c.readHere()
	}
	return nil
}

// checkRipgrep looks at the ignore files that will be read, unless none is.
func checkRipgrep(ctx context.Context, c *call) error {
	if c.has("u", "unrestricted", "no-ignore") {
		return nil
	}
	names := slices.DeleteFunc(c.afterPattern(c.names()), func(name string) bool { return name == "-" || name == nullDevice })
	if len(names) == 0 {
		names = []string{"."}
	}
	for _, dir := range c.dirs {
		for _, name := range names {
			if err := c.line.workspace.CheckRules(ctx, join(dir, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkXxd allows numbers as values: "-cols" is the letter c with the value
// "ols" to this table, and a flag that takes the next word to xxd.
func checkXxd(_ context.Context, c *call) error {
	for _, f := range c.flags {
		if f.value != "" && strings.Trim(f.value, "+-0123456789") != "" {
			return refuse(badFlag, "xxd: -%s%s", f.name, f.value)
		}
	}
	return nil
}
