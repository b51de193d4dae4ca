package shell

import (
	"context"
	"strings"
)

// row is what is allowed of one program. A flag that is on no list of the row
// is refused, and so is an abbreviation of one that is.
type row struct {
	name    string
	parser  parser
	from    []release // what the row was written from; none for a builtin
	builtin bool      // of bash: no file is run

	// Letters after one dash. In a cluster the first letter that takes a value
	// takes the rest of the word.
	short         string // take nothing
	shortValue    string // take the rest of the word, or else the next word
	shortAttached string // take the rest of the word, which must not be empty
	shortMaybe    string // take the rest of the word, which may be empty

	// Words after two dashes, separated by blanks. The end says what follows:
	//	name    nothing
	//	name=   a value after "=", or else the next word
	//	name:   a value after "=" only
	//	name?   a value after "=", or nothing
	//	name@   a path to read, after "=" or else the next word
	//	name>   the next word, whatever it is, if there is one
	long string

	number bool // -N is a flag: head -20
	// negative are the flags, each between blanks, whose value may be a number
	// below zero in a word of its own: head -n -1.
	negative string

	operands operands
	max      int  // operands at most; 0 is any number
	glob     bool // operands may be patterns: no flag of the program does harm
	here     bool // without an operand it reads the directory it is in

	// check refuses what lists cannot say; optional. It sees every flag and
	// operand after the lists were satisfied.
	check func(context.Context, *call) error
	// run replaces flags, operands and check for a program whose arguments are
	// an expression; optional.
	run func(context.Context, *call) error
}

// operands says what a program's operands are.
type operands uint8

const (
	none      operands = iota
	texts              // never a path
	paths              // read
	patterned          // the first is a pattern, unless a flag gave one, then paths
	revisions          // of git: revisions and paths below the repository
	owned              // check looks at them
)

// attaches reports whether the rest of the word is the value of the letter.
func (r *row) attaches(letter string) bool {
	return strings.Contains(r.shortValue+r.shortAttached+r.shortMaybe, letter)
}
