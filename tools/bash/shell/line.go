package shell

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"septet/session"
)

// line is a command while it is read from left to right.
type line struct {
	workspace Workspace
	effects   []session.Effect
	moves     int  // commands that can put another object behind a name that was checked: mv, cp, rm
	writes    int  // everything that writes, those included
	patterns  int  // words that are one
	names     int  // that patterns have expanded to
	loose     bool // a pattern may match a name that begins with a dash
	startDir  string
	changed   bool // a cd was seen
}

// outcome is where the shell may be after a command, by its exit status.
type outcome struct{ succeeded, failed []string }

func (o outcome) either() []string { return union(o.succeeded, o.failed) }

func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, dir := range b {
		if !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	return all
}

// start makes dir the canonical place the command begins in.
func (l *line) start(dir string) error {
	place, err := l.workspace.Look(dir)
	if err != nil {
		return err
	}
	if place.Kind != Directory {
		return refuse(badDirectory, "%s is not a directory", dir)
	}
	l.startDir = place.Path
	return nil
}

func (l *line) file(ctx context.Context, f *syntax.File) error {
	if err := checkComments(f.Last); err != nil {
		return err
	}
	if countCommands(f) > MaxSimpleCommands {
		return refuse(tooMany, "more than %d commands", MaxSimpleCommands)
	}
	dirs := []string{l.startDir}
	for _, stmt := range f.Stmts {
		after, err := l.stmt(ctx, stmt, dirs)
		if err != nil {
			return err
		}
		dirs = after.either()
		if len(dirs) > MaxDirectories {
			return refuse(badDirectory, "the command may be in more than %d directories", MaxDirectories)
		}
	}
	// rm, cp and mv change what a name stands for: "mv link sub && echo x >
	// sub/y" leaves the roots although each target was inside when looked at.
	if l.moves > 0 && l.writes > 1 {
		return refuse(staleCheck, "mv, cp or rm stands together with another write")
	}
	// "echo > -R; grep x *": the pattern would find the new name, a flag.
	if l.loose && l.writes > 0 {
		return refuse(badGlob, "a pattern stands together with a write that may make a name for it")
	}
	return nil
}

func countCommands(f *syntax.File) int {
	n := 0
	syntax.Walk(f, func(node syntax.Node) bool {
		if _, ok := node.(*syntax.CallExpr); ok {
			n++
		}
		return n <= MaxSimpleCommands
	})
	return n
}

// stmt reads one statement that may begin in any of dirs.
func (l *line) stmt(ctx context.Context, s *syntax.Stmt, dirs []string) (outcome, error) {
	if err := checkComments(s.Comments); err != nil {
		return outcome{}, err
	}
	if s.Background || s.Coprocess || s.Disown {
		return outcome{}, refuse(badNode, "a command in the background")
	}
	after, err := l.command(ctx, s, dirs)
	if s.Negated {
		after.succeeded, after.failed = after.failed, after.succeeded
	}
	return after, err
}

// command allows simple commands and lists of them. Every other construct is
// refused because it is not named here.
func (l *line) command(ctx context.Context, s *syntax.Stmt, dirs []string) (outcome, error) {
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		return l.call(ctx, cmd, s.Redirs, dirs)
	case *syntax.BinaryCmd:
		if len(s.Redirs) > 0 {
			return outcome{}, refuse(badRedirect, "a list is redirected")
		}
		return l.binary(ctx, cmd, dirs)
	case nil:
		return outcome{}, refuse(badRedirect, "a redirection without a command")
	}
	return outcome{}, refuse(badNode, "%s", nodeName(s.Cmd))
}

func (l *line) binary(ctx context.Context, cmd *syntax.BinaryCmd, dirs []string) (outcome, error) {
	left, err := l.stmt(ctx, cmd.X, dirs)
	if err != nil {
		return outcome{}, err
	}
	switch cmd.Op {
	case syntax.AndStmt:
		right, err := l.stmt(ctx, cmd.Y, left.succeeded)
		return outcome{right.succeeded, union(left.failed, right.failed)}, err
	case syntax.OrStmt:
		right, err := l.stmt(ctx, cmd.Y, left.failed)
		return outcome{union(left.succeeded, right.succeeded), right.failed}, err
	case syntax.Pipe, syntax.PipeAll:
		// Each side runs in a shell of its own: cd in it ends with it.
		_, err := l.stmt(ctx, cmd.Y, dirs)
		return outcome{dirs, dirs}, err
	}
	return outcome{}, refuse(badNode, "the operator %s", cmd.Op)
}

// call reads one simple command with its redirections.
func (l *line) call(ctx context.Context, cmd *syntax.CallExpr, redirects []*syntax.Redirect, dirs []string) (outcome, error) {
	if len(cmd.Assigns) > 0 {
		return outcome{}, refuse(assignment, "a variable is assigned")
	}
	words := make([]*word, len(cmd.Args))
	for i, arg := range cmd.Args {
		w, err := readWord(arg)
		if err != nil {
			return outcome{}, err
		}
		words[i] = w
	}
	c := &call{line: l, dirs: dirs, words: words}
	if err := c.lookUp(ctx); err != nil {
		return outcome{}, err
	}
	at := len(l.effects)
	l.effects = append(l.effects, session.Effect{Kind: session.EffectExecute, Program: c.row.name})
	for _, r := range redirects {
		if err := c.redirect(r); err != nil {
			return outcome{}, err
		}
	}
	err := c.run(ctx)
	l.effects[at].Args = c.arguments()
	return c.after(), err
}

// nodeName is what a construct is called in a reason.
func nodeName(node syntax.Command) string {
	return "the construct " + strings.TrimPrefix(fmt.Sprintf("%T", node), "*syntax.")
}
