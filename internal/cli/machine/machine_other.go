//go:build !linux

package machine

// Features are none: nothing depends on the age of the system.
func Features() []Feature { return nil }
