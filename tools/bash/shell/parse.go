package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// parse reads a command as bash would, or refuses what the parser and bash may
// read differently.
func parse(command string) (*syntax.File, error) {
	if len(command) > MaxCommandBytes {
		return nil, refuse(tooLong, "the command has %d bytes; at most %d are analysed", len(command), MaxCommandBytes)
	}
	if err := checkCharacters(command); err != nil {
		return nil, err
	}
	// The parser joins the lines of "ls #\", newline, "rm x" into one comment
	// and sees one command; bash ends the comment at the newline and runs rm.
	if strings.Contains(command, "\\\n") {
		return nil, refuse(lineContinuation, "a line ends with a backslash")
	}
	if nesting(command) > MaxNesting {
		return nil, refuse(badNode, "brackets are nested more than %d deep", MaxNesting)
	}
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
	file, err := parser.Parse(strings.NewReader(command), "")
	if err != nil {
		return nil, refuse(badSyntax, "%v", err)
	}
	if len(file.Stmts) == 0 {
		return nil, refuse(noCommand, "there is no command")
	}
	return file, nil
}

// nesting is how deep brackets stand in brackets at most, quoted or not.
func nesting(command string) int {
	depth, most := 0, 0
	for i := range len(command) {
		switch command[i] {
		case '(', '{', '[':
			depth++
			most = max(most, depth)
		case ')', '}', ']':
			depth--
		}
	}
	return most
}

// checkCharacters refuses what makes a reader see another command than the
// shell: control characters, text that reorders or hides itself, blanks that
// are not blanks to the shell.
func checkCharacters(command string) error {
	if !utf8.ValidString(command) {
		return refuse(badCharacter, "the command is not valid UTF-8")
	}
	for _, r := range command {
		if r == '\t' || r == '\n' || visible(r) {
			continue
		}
		return refuse(badCharacter, "the command holds the character U+%04X", r)
	}
	return nil
}

func visible(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r != 0x7f
	}
	return unicode.IsPrint(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) && r != '\u2800' && r != '\u034f'
}

// checkComments refuses a comment that would expand if it were none: should
// the parser and bash ever disagree on where a comment ends, nothing is in it.
func checkComments(comments []syntax.Comment) error {
	for _, c := range comments {
		if strings.ContainsAny(c.Text, "$`") || strings.Contains(c.Text, "<(") || strings.Contains(c.Text, ">(") {
			return refuse(expansion, "a comment holds an expansion")
		}
	}
	return nil
}
