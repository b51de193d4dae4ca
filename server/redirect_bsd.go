//go:build unix && !linux

package server

import "golang.org/x/sys/unix"

// redirect lets descriptor to lead where from leads.
func redirect(from, to int) error { return unix.Dup2(from, to) }
