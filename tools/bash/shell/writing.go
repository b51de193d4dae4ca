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

func checkCp(ctx context.Context, c *call) error { return c.transfer(ctx, session.EffectRead) }
func checkMv(ctx context.Context, c *call) error { return c.transfer(ctx, session.EffectDelete) }

// transfer looks at cp and mv: the last operand is the destination, and where
// that is a directory each source goes into it under its own name. What
// happens to the source is what they differ in.
func (c *call) transfer(ctx context.Context, source session.EffectKind) error {
	c.line.moves++
	c.line.writes++
	names := c.names()
	if len(names) < 2 {
		return refuse(badOperand, "%s: two operands are needed", c.row.name)
	}
	if len(c.dirs) != 1 {
		return refuse(badDirectory, "%s in a directory that is not certain", c.row.name)
	}
	sources, last := names[:len(names)-1], names[len(names)-1]
	destination, err := c.destination(last)
	if err != nil {
		return err
	}
	if destination.Kind != Directory && (len(sources) > 1 || strings.HasSuffix(last, "/")) {
		return refuse(badOperand, "%s: %s is not a directory", c.row.name, last)
	}
	for _, name := range sources {
		to := trimSlash(last)
		if destination.Kind == Directory {
			to += "/" + path.Base(name)
		}
		if err := c.transferOne(ctx, name, to, source); err != nil {
			return err
		}
	}
	return nil
}

// destination looks at the last operand of cp and mv for reading: the root
// itself is no target, but files may go into it.
func (c *call) destination(name string) (Place, error) {
	if err := checkName(name); err != nil {
		return Place{}, err
	}
	p, err := c.line.workspace.Look(join(c.dirs[0], trimSlash(name)))
	if err == nil && p.Kind == Other {
		err = refuse(badOperand, "%s is not a regular file", p.Path)
	}
	return p, err
}

func (c *call) transferOne(ctx context.Context, name, to string, source session.EffectKind) error {
	from, err := c.source(name, source)
	if err != nil {
		return err
	}
	if from.Kind == Directory {
		if err := c.transferTree(ctx, from, to, source); err != nil {
			return err
		}
	}
	return c.target(to, func(p Place) error {
		if p.Kind == Directory && from.Kind != Directory {
			return refuse(badOperand, "%s is a directory", p.Path)
		}
		kind := session.EffectCreate
		if p.Kind == File {
			kind = session.EffectWrite
		}
		c.effect(kind, p.Path)
		if source == session.EffectDelete {
			return throughNoLink(p)
		}
		return nil
	})
}

// source resolves what is copied or moved. A name that ends in "." or ".." is
// not the one that it gets at the destination.
func (c *call) source(name string, effect session.EffectKind) (Place, error) {
	if base := path.Base(name); base == "." || base == ".." || base == "/" || strings.HasSuffix(name, "/.") {
		return Place{}, refuse(badOperand, "%s: %s has no name of its own", c.row.name, name)
	}
	if err := checkName(name); err != nil {
		return Place{}, err
	}
	look := c.line.workspace.Look
	if effect == session.EffectDelete {
		name, look = trimSlash(name), c.line.workspace.Target
	}
	full := join(c.dirs[0], name)
	from, err := look(full)
	if err != nil {
		c.effect(effect, full)
		return Place{}, err
	}
	c.effect(effect, from.Path)
	switch {
	case from.Kind == Other:
		return Place{}, refuse(badOperand, "%s is not a regular file", from.Path)
	case effect == session.EffectDelete || from.Kind == Directory:
		return from, throughNoLink(from)
	}
	return from, nil
}
