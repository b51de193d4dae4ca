//go:build !unix

package server

import "os"

// TakeStdout keeps the standard output for the protocol: the variable that
// everything else prints to leads to the standard error. Handles are not
// inherited unless a child is given them.
func TakeStdout() (*os.File, error) {
	stdout := os.Stdout
	os.Stdout = os.Stderr
	return stdout, nil
}
