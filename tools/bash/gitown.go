package bash

import (
	"context"
	"path"
	"slices"
	"strings"

	"septet/session"
	"septet/tools/bash/shell"
	"septet/toolset"
)

// gitReads are the directories in a ".git" that git's reading commands look
// into, besides ".git" itself. Objects are left out: they are checked against
// their names, so a link to one shows nothing that the name does not ask for.
var gitReads = []string{"info", "refs", "logs", "objects", "objects/info", "objects/pack", "rebase-merge", "rebase-apply", "sequencer", "worktrees", "reftable", "remotes", "branches"}

// flatGitReads are those of them whose own directories are not looked into.
var flatGitReads = []string{"objects", "objects/info", "objects/pack"}

// checkOwn refuses a repository of which a part may lie elsewhere: a link in
// its directory, such as rebase-merge/done, of which "git status" prints the
// lines, the objects of another one, or .gitmodules, the one file of the
// working tree that git reads through a link. It also refuses the one that
// reading changes.
func (w *workspace) checkOwn(ctx context.Context, top string) error {
	if place, err := w.Look(path.Join(top, ".gitmodules")); err != nil || place.Linked {
		return toolset.Errorf(noRepository, "%s is a link", path.Join(top, ".gitmodules"))
	}
	gitDir, left := path.Join(top, ".git"), shell.MaxTreeEntries
	own := ownCheck{w, &left}
	if err := own.directory(ctx, gitDir, false); err != nil {
		return err
	}
	for _, name := range gitReads {
		if err := own.directory(ctx, path.Join(gitDir, name), !slices.Contains(flatGitReads, name)); err != nil {
			return err
		}
	}
	return nil
}

// ownCheck is a walk of a repository's directory.
type ownCheck struct {
	*workspace
	left *int // entries that may still be looked at
}

func (o ownCheck) directory(ctx context.Context, dir string, deep bool) error {
	entries, err := o.List(ctx, dir, *o.left)
	if code := codeOf(err); code == toolset.NotFound || code == toolset.NotDirectory {
		return nil
	}
	if err != nil {
		return err
	}
	*o.left -= len(entries)
	for _, e := range entries {
		full := path.Join(dir, e.Name)
		switch {
		case e.Kind == shell.Link && e.Name != "hooks": // none runs
			return toolset.Errorf(noRepository, "%s is a link", full)
		case path.Base(dir) == "info" && (e.Name == "alternates" || e.Name == "http-alternates"):
			return toolset.Errorf(noRepository, "%s names another repository", full)
		case strings.HasPrefix(e.Name, "sharedindex."):
			return toolset.Errorf(noRepository, "%s is half an index, and git sets its time whenever it reads it", full)
		case deep && e.Kind == shell.Directory:
			if err := o.directory(ctx, full, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// insideRoots returns the canonical path of a directory that git named.
func (w *workspace) insideRoots(dir string) (string, error) {
	p, err := w.sc.Resolve(dir, session.Read, session.Directory)
	if codeOf(err) == toolset.OutsideRoot {
		return "", toolset.Errorf(noRepository, "the repository begins above the authorised directories, in %s", dir)
	}
	if err != nil {
		return "", err
	}
	defer p.Close()
	return p.String(), nil
}
