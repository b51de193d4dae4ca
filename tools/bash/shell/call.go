package shell

import (
	"context"
	"path"
	"strings"

	"septet/session"
)

// call is one simple command while it is looked at.
type call struct {
	line     *line
	dirs     []string // where it may run; never empty
	words    []*word
	row      *row
	flags    []flag
	operands []*word
	entered  []string // cd only: where it leads
}

// lookUp finds the row of the program. Its name is written plainly: "\ls",
// "l”s" and "./ls" are other ways to say a name, and none that needs one.
func (c *call) lookUp(ctx context.Context) error {
	program := c.words[0]
	if !program.bare || program.glob || strings.Contains(program.text, "/") {
		return refuse(badProgram, "the program is not a plain name")
	}
	row := findRow(program.text)
	if row == nil {
		return refuse(badProgram, "%s is not on the list", program.text)
	}
	c.row = row
	if row.builtin {
		return nil
	}
	return c.checkProgram(ctx)
}

// checkProgram refuses a program of the workspace that is named like one on
// the list and would run in its place, and one that is not of a version that
// its row was written from.
func (c *call) checkProgram(ctx context.Context) error {
	name := c.row.name
	if !c.line.workspace.Foreign(name) {
		return refuse(badProgram, "%s may not come from the system", name)
	}
	line, err := c.line.workspace.Version(ctx, name)
	if err != nil {
		return err
	}
	if !covers(c.row.from, name, line) {
		return refuse(badVersion, "%s is %q, which the list does not know", name, line)
	}
	return nil
}

// run checks the arguments and records what they read and write.
func (c *call) run(ctx context.Context) error {
	if c.row.run != nil {
		return c.row.run(ctx, c)
	}
	if err := c.parseFlags(c.words[1:]); err != nil {
		return err
	}
	if err := c.checkOperands(ctx); err != nil {
		return err
	}
	if c.row.check != nil {
		return c.row.check(ctx, c)
	}
	return nil
}

// after is where the shell may be when the command has ended.
func (c *call) after() outcome {
	if c.entered != nil {
		return outcome{succeeded: c.entered, failed: c.dirs}
	}
	return outcome{succeeded: c.dirs, failed: c.dirs}
}

// arguments are the words after the program as it gets them.
func (c *call) arguments() []string {
	args := make([]string, 0, len(c.words)-1)
	for _, w := range c.words[1:] {
		if w.names != nil {
			args = append(args, w.names...)
		} else {
			args = append(args, w.text)
		}
	}
	return args
}

// read records a read of name in every directory the command may run in. want
// is File where the program must not be given a directory, else Other.
func (c *call) read(name string, want Kind) error {
	if err := checkName(name); err != nil {
		return err
	}
	for _, dir := range c.dirs {
		full := join(dir, name)
		place, err := c.line.workspace.Look(full)
		if err != nil {
			c.effect(session.EffectRead, full)
			return err
		}
		c.effect(session.EffectRead, place.Path)
		if place.Kind == Other || place.Kind == Directory && want == File {
			return refuse(badOperand, "%s is not a regular file", place.Path)
		}
	}
	return nil
}

// write records that name is made or overwritten: a file, not a directory.
func (c *call) write(name string) error {
	return c.target(name, func(place Place) error {
		switch place.Kind {
		case Missing:
			c.effect(session.EffectCreate, place.Path)
		case File:
			c.effect(session.EffectWrite, place.Path)
		default:
			return refuse(badOperand, "%s is not a regular file", place.Path)
		}
		return nil
	})
}

// target resolves name for writing in every directory the command may run in.
func (c *call) target(name string, use func(Place) error) error {
	if err := checkName(name); err != nil {
		return err
	}
	for _, dir := range c.dirs {
		full := join(dir, name)
		place, err := c.line.workspace.Target(full)
		if err != nil {
			c.effect(session.EffectWrite, full)
			return err
		}
		if err := use(place); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) effect(kind session.EffectKind, path string) {
	c.line.effects = append(c.line.effects, session.Effect{Kind: kind, Path: path})
}

// checkName refuses names that the path layer and the shell read differently:
// there a backslash begins an escape.
func checkName(name string) error {
	if name == "" {
		return refuse(badOperand, "a path is empty")
	}
	if strings.Contains(name, `\`) {
		return refuse(badOperand, "a path holds a backslash")
	}
	return nil
}

// join does not clean: "a/../b" is b only where a is no link, and the path
// layer knows.
func join(dir, name string) string {
	if dir == "." || path.IsAbs(name) {
		return name
	}
	return dir + "/" + name
}
