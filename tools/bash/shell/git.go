package shell

import (
	"context"
	"path"
	"strings"

	"septet/session"
)

// runGit allows a sub-command of the table in a repository whose configuration
// makes git run nothing else.
func runGit(ctx context.Context, c *call) error {
	if err := c.noPatterns(); err != nil {
		return err
	}
	args := c.words[1:]
	for len(args) > 0 && (args[0].text == "--no-pager" || args[0].text == "--no-optional-locks") {
		args = args[1:]
	}
	if len(args) == 1 && (args[0].text == "version" || args[0].text == "--version") {
		return nil // in any repository: it looks at none
	}
	if len(args) == 0 || strings.HasPrefix(args[0].text, "-") {
		return refuse(badGit, "git: no sub-command, or a flag before it")
	}
	if c.line.changed {
		return refuse(badGit, "git after cd: the directory may bring its own configuration")
	}
	verb, args := args[0].text, args[1:]
	for i := range gitTable {
		if gitTable[i].name == verb {
			return c.gitVerb(ctx, &gitTable[i], args)
		}
	}
	return refuse(badGit, "git %s is not on the list", verb)
}

func (c *call) gitVerb(ctx context.Context, g *gitRow, args []*word) error {
	if g.verb != "" {
		if len(args) == 0 || args[0].text != g.verb {
			return refuse(badGit, "git %s: only %q is on the list", g.name, g.verb)
		}
		args = args[1:]
	}
	program := c.row
	c.row = &g.row
	err := c.parseFlags(args)
	if err == nil {
		err = c.checkOperands(ctx)
	}
	if err == nil {
		err = c.checkDashes()
	}
	if err == nil {
		err = g.checkFormats(c.flags)
	}
	if err == nil && g.check != nil {
		err = g.check(ctx, c)
	}
	c.row = program
	if err != nil {
		return err
	}
	return c.gitRepository(ctx, g)
}

// checkDashes refuses operands that look like flags, also behind "--": of
// "git blame -- FILE --output=f" the last word is a revision, and goes to the
// revision walker without the dashes before it.
func (c *call) checkDashes() error {
	for _, name := range c.names() {
		if !isOperand(name) && name != "--" {
			return refuse(badOperand, "git: %s may be read as a flag", name)
		}
	}
	return nil
}

// gitRepository asks whether the repository itself makes git run something.
// All of it may be read, wherever in it the command starts: revisions,
// ":/path" and a plain "git diff" reach the whole.
func (c *call) gitRepository(ctx context.Context, g *gitRow) error {
	dir := c.dirs[0]
	repository, err := c.line.workspace.Repository(ctx, dir)
	if err != nil {
		return err
	}
	c.effect(session.EffectRead, repository.Top)
	if err := checkGitKeys(repository.Keys); err != nil || !g.worktree {
		return err
	}
	submodules, err := c.line.workspace.GitSubmodules(ctx, dir)
	if err == nil && submodules {
		// git runs itself in a submodule, with the filters and drivers of the
		// submodule's own configuration, which nobody looked at.
		err = refuse(gitConfig, "a submodule brings its own configuration")
	}
	return err
}

// checkRevisions refuses operands that may be paths outside the repository:
// git diff then compares any two files.
func checkRevisions(names []string) error {
	for _, name := range names {
		if path.IsAbs(name) || strings.HasPrefix(name, "~") {
			return refuse(badOperand, "git: %s may be outside the repository", name)
		}
		for part := range strings.SplitSeq(name, "/") {
			if part == ".." {
				return refuse(badOperand, "git: %s may be outside the repository", name)
			}
		}
	}
	return nil
}
