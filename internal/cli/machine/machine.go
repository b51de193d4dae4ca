// Package machine asks the system what it can do. It opens no file and changes
// nothing.
package machine

// Feature is something of the kernel that the program uses.
type Feature struct {
	Name  string
	Works bool
	// Without says what is worse when it is missing.
	Without string
}

// MinOpenFiles is what the program wants: 64 calls at once, each with a
// directory and a file of every component it walks.
const MinOpenFiles = 1024
