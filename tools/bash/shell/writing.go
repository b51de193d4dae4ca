package shell

import (
	"context"
	"path"
	"slices"
	"strings"

	"septet/session"
)

// eachTarget counts the command as one write and looks at every operand. A
// slash at the end says "directory" and is no part of the name.
func (c *call) eachTarget(use func(Place) error) error {
	c.line.writes++
	names := c.names()
	if len(names) == 0 {
		return refuse(badOperand, "%s: no operand", c.row.name)
	}
	for _, name := range names {
		if err := c.target(trimSlash(name), use); err != nil {
			return err
		}
	}
	return nil
}

func trimSlash(name string) string {
	if trimmed := strings.TrimRight(name, "/"); trimmed != "" {
		return trimmed
	}
	return name
}

// checkMkdir: a directory that exists stays as it is. -p makes those above it
// too.
func checkMkdir(_ context.Context, c *call) error {
	return c.eachTarget(func(p Place) error {
		if c.has("p", "parents") {
			if err := c.missingAbove(p); err != nil {
				return err
			}
		}
		c.effect(session.EffectCreate, p.Path)
		return nil
	})
}

// missingAbove records the directories above p that do not exist.
func (c *call) missingAbove(p Place) error {
	var missing []string
	for dir := path.Dir(p.Path); p.Kind == Missing && dir != "." && dir != "/"; dir = path.Dir(dir) {
		above, err := c.line.workspace.Look(dir)
		if err != nil {
			return err
		}
		if above.Kind != Missing {
			break
		}
		missing = append(missing, above.Path)
	}
	for _, dir := range slices.Backward(missing) {
		c.effect(session.EffectCreate, dir)
	}
	return nil
}

func checkTouch(_ context.Context, c *call) error {
	return c.eachTarget(func(p Place) error {
		kind := session.EffectWrite
		if p.Kind == Missing {
			kind = session.EffectCreate
		}
		c.effect(kind, p.Path)
		return nil
	})
}

func checkRmdir(_ context.Context, c *call) error {
	return c.eachTarget(func(p Place) error {
		c.effect(session.EffectDelete, p.Path)
		return throughNoLink(p)
	})
}

// checkTee: without an operand tee only copies its input.
func checkTee(_ context.Context, c *call) error {
	var names []string
	for _, name := range c.names() {
		if name != nullDevice {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	c.line.writes++
	for _, name := range names {
		if err := c.write(name); err != nil {
			return err
		}
	}
	return nil
}

// checkRm: with -r everything below goes too, so nothing below may be
// protected.
func checkRm(ctx context.Context, c *call) error {
	c.line.moves++
	return c.eachTarget(func(p Place) error {
		c.effect(session.EffectDelete, p.Path)
		if err := throughNoLink(p); err != nil {
			return err
		}
		if p.Kind == Directory && c.has("r", "R", "recursive") {
			return c.walkTree(ctx, p.Path, removal{})
		}
		return nil
	})
}

// throughNoLink refuses a place that was reached through a link: rm, mv and
// sed -i act on the link and not on what it leads to.
func throughNoLink(p Place) error {
	if p.Linked {
		return refuse(throughLink, "a link leads to %s", p.Path)
	}
	return nil
}
