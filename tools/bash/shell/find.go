package shell

import (
	"context"
	"strings"
)

// The words of a find expression. Every one that is missing here writes,
// executes, follows links, or takes its names from a file.
const (
	findTests = " -empty -nouser -nogroup -readable -writable -executable -true -false -daystart -depth -d -mount -xdev -noleaf -warn -nowarn -ignore_readdir_race -noignore_readdir_race -prune -quit -print -print0 -ls ! ( ) , -not -a -and -o -or "
	// These take the next word, whatever it is.
	findValues = " -name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -size -mtime -mmin -atime -amin -ctime -cmin -perm -user -group -uid -gid -links -inum -maxdepth -mindepth -fstype -used -newerat -newerct -newermt -printf "
	// These take a path.
	findPaths = " -newer -anewer -cnewer -samefile "
)

// runFind reads the starting points and then the expression. An unquoted
// pattern could become any word of it.
func runFind(_ context.Context, c *call) error {
	if err := c.noPatterns(); err != nil {
		return err
	}
	args := make([]string, 0, len(c.words))
	for _, w := range c.words[1:] {
		args = append(args, w.text)
	}
	if len(args) > 0 && args[0] == "-P" {
		args = args[1:]
	}
	if isExpression(args) {
		c.readHere()
	}
	for !isExpression(args) {
		if err := c.read(args[0], Other); err != nil {
			return err
		}
		args = args[1:]
	}
	return c.findExpression(args)
}

// isExpression reports whether no starting point is left.
func isExpression(args []string) bool {
	return len(args) == 0 || strings.HasPrefix(args[0], "-") || oneOf(" ( ) ! , ", args[0])
}

func (c *call) findExpression(args []string) error {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case oneOf(findTests, arg):
			continue
		case len(args) > 0 && oneOf(findValues, arg):
		case len(args) > 0 && oneOf(findPaths, arg):
			if err := c.read(args[0], Other); err != nil {
				return err
			}
		default:
			return refuse(badFlag, "find: %s is not on the list", arg)
		}
		args = args[1:]
	}
	return nil
}
