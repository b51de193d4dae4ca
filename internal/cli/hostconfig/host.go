// Package hostconfig knows where the programs that start septet keep their
// lists of servers, in which shape, and how to put one entry into such a file
// without touching anything else in it: comments, order, indentation and line
// ends stay as they are.
package hostconfig

import "fmt"

// ServerName is the name of the entry in every host.
const ServerName = "septet"

// Host is a program that starts septet.
type Host struct {
	Name  string // what a person types
	Title string // as its makers write it
	// Note is what a person has to know or do after the entry is there.
	Note string

	project   string   // slash path below the workspace; "" for a host with one file of the user's
	variant   string   // the same, preferred when it exists; optional
	scripts   []string // names in the project of shell scripts that configure the host instead, the stronger one first; optional
	user      func(Machine) string
	format    format
	table     []string // keys that lead to the table of servers
	workspace string   // what the host replaces by the project's directory; "" when it has no such word
	startsIn  bool     // the host starts servers in the project's directory
	entry     func(Launch) entry
}

// Launch is how a host starts the program.
type Launch struct {
	Command string // absolute path of the binary
	Args    []string
}

// Error is what a person is told: one fact, and the next step.
type Error struct{ Fact, Hint string }

func (e *Error) Error() string { return e.Fact }

func refuse(hint, format string, args ...any) *Error {
	return &Error{Fact: fmt.Sprintf(format, args...), Hint: hint}
}

// Workspace returns what follows --workspace in the entry for the directory:
// the host's own word for the project, "" when the host starts the server
// there anyway, else the directory.
func (h Host) Workspace(dir string) string {
	switch {
	case h.workspace != "":
		return h.workspace
	case h.startsIn:
		return ""
	}
	return dir
}

// Scope says whom the file of the host serves.
func (h Host) Scope() string {
	if h.project != "" {
		return "this project"
	}
	return "you, in every project"
}

// Snippet is a whole file that has only the entry.
func (h Host) Snippet(l Launch) string {
	text, err := h.Merge(nil, l)
	if err != nil {
		panic(err) // an empty file can be merged into; a test does so for every host
	}
	return string(text)
}

// Find returns the host of that name.
func Find(name string) (Host, bool) {
	for _, h := range Hosts() {
		if h.Name == name {
			return h, true
		}
	}
	return Host{}, false
}

// Names are the names of all hosts.
func Names() []string {
	var names []string
	for _, h := range Hosts() {
		names = append(names, h.Name)
	}
	return names
}
