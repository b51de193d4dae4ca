package bash

import (
	"context"
	"path"
	"time"

	"septet/backend"
	"septet/session"
	"septet/tools/bash/shell"
	"septet/toolset"
)

const (
	// maxRules bounds the ignore files that are looked at, at 20 us each.
	maxRules = 10_000
	// maxRulesTime bounds the walk that finds them; a tree of 100,000 names
	// takes about 0.1 s.
	maxRulesTime = 3 * time.Second
)

// foreignRules is the identifier of ignore files that lead out of the roots.
const foreignRules toolset.Code = "ignore-file"

// CheckRules looks at the ignore files that ripgrep reads for a path: those of
// the directories above it, as far as they are in the roots, and, whatever is
// ignored, those below. A ".git" below has rules too; no checkout of git makes
// one, so they are not looked for.
func (w *workspace) CheckRules(ctx context.Context, name string) error {
	place, err := w.Look(name)
	if err != nil {
		return err
	}
	if place.Kind != shell.Directory {
		return w.rulesAbove(w.absolute(path.Dir(place.Path)))
	}
	if err := w.rulesAbove(w.absolute(place.Path)); err != nil {
		return err
	}
	return w.rulesBelow(ctx, place.Path)
}

// rulesAbove looks at the rules in an absolute directory and those above it, up
// to the root.
func (w *workspace) rulesAbove(dir string) error {
	for w.rule(dir) == nil {
		for _, name := range []string{".ignore", ".rgignore", ".gitignore", ".git/info/exclude"} {
			err := w.rule(path.Join(dir, name))
			if err != nil && codeOf(err) != toolset.NotDirectory { // .git is a file
				return err
			}
		}
		if dir == path.Dir(dir) {
			break
		}
		dir = path.Dir(dir)
	}
	return nil
}

func (w *workspace) rulesBelow(ctx context.Context, dir string) error {
	p, err := w.sc.Resolve(dir, session.Read, session.Directory)
	if err != nil {
		return err
	}
	defer p.Close()
	ctx, stop := context.WithTimeout(ctx, maxRulesTime)
	defer stop()
	r, err := w.sc.Search().Glob(ctx, p, backend.GlobQuery{Pattern: "**/{.ignore,.rgignore,.gitignore}", MaxResults: maxRules, IncludeIgnored: true})
	if err != nil {
		return err
	}
	if r.Summary.Stopped != "" {
		return toolset.Errorf(foreignRules, "%s has more ignore files than can be looked at", p)
	}
	for _, name := range r.Paths {
		if err := w.rule(name); err != nil {
			return err
		}
	}
	return nil
}

// rule refuses a path that leads out of the roots.
func (w *workspace) rule(name string) error {
	_, err := w.Look(name)
	if codeOf(err) == toolset.OutsideRoot {
		return toolset.Errorf(foreignRules, "%s is outside the authorised directories", name)
	}
	return err
}
