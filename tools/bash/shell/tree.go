package shell

import (
	"context"

	"septet/session"
)

// entryCheck looks at one entry below a directory that is removed, copied or
// moved; rel is its path below it.
type entryCheck interface {
	check(c *call, full, rel string, kind Kind) error
}

// walkTree looks at everything below a directory.
func (c *call) walkTree(ctx context.Context, root string, each entryCheck) error {
	left := MaxTreeEntries
	pending := []string{""}
	for len(pending) > 0 {
		rel := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		entries, err := c.line.workspace.List(ctx, root+rel, left)
		if err != nil {
			return err
		}
		left -= len(entries)
		for _, e := range entries {
			below := rel + "/" + e.Name
			if err := each.check(c, root+below, below, e.Kind); err != nil {
				return err
			}
			if e.Kind == Directory {
				pending = append(pending, below)
			}
		}
	}
	return nil
}

// removal: nothing below may be protected. Links go, what they lead to stays.
type removal struct{}

func (removal) check(c *call, full, _ string, kind Kind) error {
	if kind == Link {
		return nil
	}
	_, err := c.line.workspace.Target(full)
	return err
}

// transferTree looks at a directory that is copied or moved as a whole.
func (c *call) transferTree(ctx context.Context, from Place, to string, source session.EffectKind) error {
	if source == session.EffectRead && !c.has("r", "R", "recursive", "a", "archive") {
		return refuse(badOperand, "cp: %s is a directory", from.Path)
	}
	return c.walkTree(ctx, from.Path, transfer{to: join(c.dirs[0], to), moves: source == session.EffectDelete})
}

// transfer: nothing may be protected where it is or where it goes, a link
// would lead elsewhere from its new place, and what stands at the destination
// may be a link that the copy would follow.
type transfer struct {
	to    string
	moves bool
}

func (t transfer) check(c *call, full, rel string, kind Kind) error {
	if kind == Link || kind == Other {
		return refuse(badTree, "%s is not a file or directory", full)
	}
	if t.moves {
		if _, err := c.line.workspace.Target(full); err != nil {
			return err
		}
	}
	at, err := c.line.workspace.Target(t.to + rel)
	if err != nil {
		return err
	}
	if at.Kind != Missing && at.Kind != kind {
		return refuse(badTree, "%s stands where %s goes", at.Path, full)
	}
	return throughNoLink(at)
}
