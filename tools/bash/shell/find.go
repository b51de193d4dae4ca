package shell

import (
	"context"
	"strings"
)

// The words of a find expression. Every one that is missing here writes,
// executes, follows links, or takes its names from a file.
const (
	findTests = " -empty -nouser -nogroup -readable -writable -executable -true -false -daystart -depth -d -mount -xdev -noleaf -warn -nowarn -ignore_readdir_race -noignore_readdir_race -prune -quit -print -print0 -ls ! ( ) , -not -a -and -o -or "
	// These take the next word.
	findValues = " -name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -user -group -maxdepth -mindepth -fstype -newerat -newerct -newermt -printf "
	// These take the next word, a number that may be below zero: "less than".
	findNumbers = " -size -mtime -mmin -atime -amin -ctime -cmin -uid -gid -links -inum -used -perm "
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
		test := args[0]
		args = args[1:]
		if oneOf(findTests, test) {
			continue
		}
		if len(args) == 0 || !oneOf(findValues+findNumbers+findPaths, test) {
			return refuse(badFlag, "find: %s is not on the list", test)
		}
		if err := c.findValue(test, args[0]); err != nil {
			return err
		}
		args = args[1:]
	}
	return nil
}

// findValue looks at the word behind a test.
func (c *call) findValue(test, value string) error {
	switch {
	case isOperand(value):
	case oneOf(findNumbers, test) && (isNegative(value) || isMode(value)):
	default:
		return refuse(badFlag, "find: the value of %s begins with a dash", test)
	}
	if oneOf(findPaths, test) {
		return c.read(value, Other)
	}
	return nil
}

// isMode reports whether the word asks for bits of a mode: -u+x, -g=w,o=r. No
// word of an expression looks like it.
func isMode(word string) bool {
	bits := strings.TrimLeft(word[1:], "ugoa")
	return len(bits) < len(word)-1 && bits != "" && strings.Trim(bits, "+=,ugoarwxXst") == "" && strings.ContainsAny(bits, "+=")
}
