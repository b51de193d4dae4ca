package shell

import (
	"context"

	"septet/session"
)

// checkOperands holds the operands against the row's kind.
func (c *call) checkOperands(ctx context.Context) error {
	if err := c.expandOperands(ctx); err != nil {
		return err
	}
	names := c.names()
	if c.row.operands == none && len(names) > 0 || c.row.max > 0 && len(names) > c.row.max {
		return refuse(badOperand, "%s: %s is one operand too many", c.row.name, names[min(c.row.max, len(names)-1)])
	}
	switch c.row.operands {
	case paths:
		return c.readAll(names)
	case patterned:
		return c.readAll(c.afterPattern(names))
	case revisions:
		return checkRevisions(names)
	}
	return nil
}

// names are the operands after expansion.
func (c *call) names() []string {
	var names []string
	for _, w := range c.operands {
		if w.names != nil {
			names = append(names, w.names...)
		} else {
			names = append(names, w.text)
		}
	}
	return names
}

// afterPattern leaves out the first operand where it is the pattern.
func (c *call) afterPattern(names []string) []string {
	if len(names) == 0 || c.has("e", "regexp") || c.has("files") {
		return names
	}
	return names[1:]
}

// readAll records reads of the operands; "-" is standard input. A program that
// reads the directory it is in when it has no operand reads inside the roots,
// as every directory of the line was resolved.
func (c *call) readAll(names []string) error {
	if len(names) == 0 && c.row.here {
		c.readHere()
	}
	for _, name := range names {
		if name == "-" || name == nullDevice {
			continue
		}
		if err := c.read(name, Other); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) readHere() {
	for _, dir := range c.dirs {
		c.effect(session.EffectRead, dir)
	}
}

// expandOperands replaces patterns by the names they match now.
func (c *call) expandOperands(ctx context.Context) error {
	for i, w := range c.operands {
		if !w.glob {
			continue
		}
		if !c.row.glob || c.row.operands == patterned && i == 0 && len(c.afterPattern([]string{""})) == 0 {
			return refuse(badGlob, "%s: an unquoted pattern", c.row.name)
		}
		if len(c.dirs) != 1 {
			return refuse(badGlob, "a pattern in a directory that is not certain")
		}
		if err := c.expand(ctx, w); err != nil {
			return err
		}
	}
	return nil
}
