package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"septet/backend"
)

// The exit codes of every verb.
const (
	exitFailed      = 1   // the call's result is an error, or the program failed
	exitUsage       = 2   // anything wrong with a command line
	exitInterrupted = 130 // ended by ^C, as shells report it
)

// maxFactBytes cuts a fact that quotes what somebody pasted into a command line;
// no path that exists is longer.
const maxFactBytes = 4200

// failure is an error that a person reads: one fact and the next step. It
// decides the exit code.
type failure struct {
	code int
	fact string // "" prints nothing: the reason is already on the screen
	hint string // without the word "hint"; may be empty
}

func (f *failure) Error() string { return f.fact }

// usage makes the failure of a wrong command line.
func usage(hint, format string, args ...any) *failure {
	return &failure{code: exitUsage, fact: fmt.Sprintf(format, args...), hint: hint}
}

// report prints err and returns the exit code it asks for.
func report(w io.Writer, err error) int {
	if err == nil {
		return 0
	}
	f, columns := asPrinted(err), columnsOf(w)
	for line := range strings.Lines(f.fact) {
		if len(line) > maxFactBytes {
			line = strings.ToValidUTF8(line[:maxFactBytes], "") + "..."
		}
		fmt.Fprintf(w, "septet: %s\n", prose(strings.TrimRight(line, "\n"), columns, len("septet: ")))
	}
	if f.hint != "" {
		fmt.Fprintf(w, "hint: %s\n", prose(f.hint, columns, len("hint: ")))
	}
	return f.code
}

// asPrinted gives any error the shape that is printed.
func asPrinted(err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	var file *fs.PathError
	if errors.As(err, &file) && file.Op == "write" && file.Path == os.Stdout.Name() {
		return &failure{code: exitFailed, fact: fmt.Sprintf("the output could not be written: %v", file.Err),
			hint: "write it elsewhere; what the verb did before is done"}
	}
	var below *backend.Error
	if errors.As(err, &below) {
		return &failure{code: exitFailed, fact: below.Fact, hint: forPerson(below.Hint)}
	}
	return &failure{code: exitFailed, fact: err.Error()}
}

// forPerson says a hint of the layers below in the words of a shell. There it
// is for a model or a host, which calls methods and has a user to ask.
func forPerson(hint string) string { return shellWords.Replace(hint) }

var shellWords = strings.NewReplacer(
	"ask the user to ", "",
	"septet/changes/list", "septet changes", "septet/changes/get", "septet show", "septet/changes/undo", "septet undo",
)
