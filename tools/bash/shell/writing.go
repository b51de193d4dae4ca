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
// too, and those that ".." leads back out of: "mkdir -p new/../x" makes new.
func checkMkdir(_ context.Context, c *call) error {
	if !c.has("p", "parents") {
		return c.eachTarget(c.create)
	}
	for _, name := range c.names() {
		for at := 1; at < len(name); at++ {
			if !strings.HasPrefix(name[at:], "/..") {
				continue
			}
			if err := c.eachMissing(name[:at], c.createWithParents); err != nil {
				return err
			}
		}
	}
	return c.eachTarget(c.createWithParents)
}

// create records that a directory is made, or is there.
func (c *call) create(p Place) error {
	c.effect(session.EffectCreate, p.Path)
	return nil
}

func (c *call) createWithParents(p Place) error {
	if err := c.missingAbove(p); err != nil {
		return err
	}
	return c.create(p)
}

// eachMissing resolves name for writing in every directory that the command may
// run in and where it is not there.
func (c *call) eachMissing(name string, use func(Place) error) error {
	for _, dir := range c.dirs {
		p, err := c.line.workspace.Look(join(dir, name))
		if err == nil && p.Kind == Missing {
			if p, err = c.line.workspace.Target(join(dir, name)); err == nil {
				err = use(p)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
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
