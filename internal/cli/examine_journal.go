package cli

import (
	"context"
	"time"

	"septet/backend/local"
)

// journal looks at the database of the workspace, and for those that were
// damaged and set aside. It changes neither.
func (c *checkup) journal(ctx context.Context, o *options, at places) {
	if o.noJournal || at.paths.State == "" {
		return
	}
	p, err := newPast(local.Files(), at, nil)
	if err != nil {
		return // the root or the settings, which are told
	}
	defer p.close()
	if err := p.store.Check(ctx); err != nil {
		c.fail("journal", err)
	}
	asides, err := p.store.SetAside()
	if err != nil {
		return // the state directory cannot be read, which is told
	}
	for _, a := range asides {
		c.say("journal", warn, "sqlite3 may still read it; remove it when nothing in it is missed",
			"one was damaged and set aside at %s: %s, %d bytes", a.At.Local().Format(time.DateTime), a.Path, a.Size)
	}
}
