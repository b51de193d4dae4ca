package shell

import (
	"context"
	"strings"
)

// The operators of test that ask about a file or a string. -v and -R evaluate
// the subscript in a variable's name and are on neither list, and -a and -o
// join expressions that read differently with each number of words.
const (
	fileTests = " -b -c -d -e -f -g -h -k -p -r -s -u -w -x -G -L -N -O -S "
	textTests = " -n -z -t "
	fileJoins = " -nt -ot -ef "
	textJoins = " = == != < > -eq -ne -lt -le -gt -ge "
)

// runTest allows "[!] WORD", "[!] OPERATOR WORD" and "[!] WORD OPERATOR WORD".
func runTest(_ context.Context, c *call) error {
	if err := c.noPatterns(); err != nil {
		return err
	}
	args := make([]string, 0, len(c.words))
	for _, w := range c.words[1:] {
		args = append(args, w.text)
	}
	if c.row.name == "[" {
		if len(args) == 0 || args[len(args)-1] != "]" {
			return refuse(badScript, "[ has no ]")
		}
		args = args[:len(args)-1]
	}
	if len(args) > 1 && args[0] == "!" {
		args = args[1:]
	}
	return c.testExpression(args)
}

func (c *call) testExpression(args []string) error {
	switch {
	case len(args) == 0, len(args) == 1 && !strings.HasPrefix(args[0], "-"):
		return nil
	case len(args) == 2 && oneOf(textTests, args[0]):
		return nil
	case len(args) == 2 && oneOf(fileTests, args[0]):
		return c.readAll(args[1:])
	case len(args) == 3 && oneOf(textJoins, args[1]) && !oneOf(" ! ( -v -R ", args[0]):
		return nil
	case len(args) == 3 && oneOf(fileJoins, args[1]) && !oneOf(" ! ( -v -R ", args[0]):
		return c.readAll([]string{args[0], args[2]})
	}
	return refuse(badScript, "test: an expression that is not on the list")
}

// oneOf reports whether list, with blanks around each entry, has the word.
func oneOf(list, word string) bool {
	return word != "" && !strings.Contains(word, " ") && strings.Contains(list, " "+word+" ")
}
