package shell

import (
	"context"
	"path"
	"strings"

	"septet/session"
)

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
	case effect == session.EffectDelete || from.Kind == Directory || c.copiesLinks():
		return from, throughNoLink(from)
	}
	return from, nil
}

// copiesLinks reports whether cp makes a link of a link: from its new place it
// leads elsewhere, and nobody looked at where.
func (c *call) copiesLinks() bool {
	return c.has("a", "archive", "d", "P", "no-dereference", "r", "R", "recursive")
}
