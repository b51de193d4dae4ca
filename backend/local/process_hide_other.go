//go:build !linux

package local

import "errors"

// Hide reports that there is no such thing here.
func Hide() error { return errors.ErrUnsupported }
