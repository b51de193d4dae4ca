package shell

// parser is how a program reads the words after its name. A row may only be as
// wide as its parser allows: a letter that takes the next word for a value is
// one thing to getopt and another to git, where "-iS" takes nothing.
type parser uint8

const (
	// words: the program has no flags here; every word is an operand.
	words parser = iota
	// getopt is getopt_long of the C library. One word may hold several
	// letters, of which the last may take the next word; flags may stand
	// behind operands; a long name may be shortened, which no row does.
	getopt
	// getoptFirst is the same where the first operand ends the flags: "+" in
	// the letters of getopt, getopts of a shell, and the builtins of bash.
	getoptFirst
	// parseOptions is git's parse-options, which reads words as getopt does.
	parseOptions
	// parseOptionsFirst is the same with PARSE_OPT_STOP_AT_NON_OPTION.
	parseOptionsFirst
	// wholeWords is git's revision walker, also where parse-options has been
	// over the words before, and rev-parse: a word is compared as a whole, or
	// by its beginning where a value is attached. A flag is one word.
	wholeWords
	// clap is ripgrep: clap 2 up to version 13, lexopt from 14 on. It reads
	// words as getopt does, but for a value that begins with a dash, which
	// either may take for a flag.
	clap
	// firstLetter is xxd, which looks at one letter behind one dash or two and
	// at nothing behind it. A flag is one word.
	firstLetter
	// expression: the words are a language of their own, which the row's run
	// reads: find, test, printf.
	expression
)

// clusters reports whether one word may hold several letters.
func (p parser) clusters() bool { return p != wholeWords && p != firstLetter }

// operandEnds reports whether the first operand ends the flags.
func (p parser) operandEnds() bool {
	return p == getoptFirst || p == parseOptionsFirst || p == firstLetter
}
