package search

import (
	"context"
	"errors"
	"io/fs"

	"septet/backend"
	"septet/safepath"
)

var errTooDeep = errors.New("too many directories below one another")

// gone reports that err only says that the name is no longer what the listing
// said: it was removed, or replaced by something that is not to be read. The
// directory that is closed to every access is not there either.
func gone(err error) bool {
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	switch safepath.CodeOf(err) {
	case safepath.NotFound, safepath.NotRegularFile, safepath.NotDirectory, safepath.OutsideRoots, safepath.ProtectedPath:
		return true
	}
	return false
}

// stopped says why ctx has ended.
func stopped(ctx context.Context) backend.StopReason {
	switch {
	case ctx.Err() == nil:
		return ""
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return backend.StoppedTimedOut
	default:
		return backend.StoppedCanceled
	}
}

// startError is the answer when the place itself cannot be read: an empty
// result would say that there is nothing.
func startError(display string, err error) error {
	if safepath.CodeOf(err) != "" {
		return err
	}
	code, fact := safepath.IOError, display+" cannot be read: "+err.Error()
	switch {
	case errors.Is(err, fs.ErrPermission):
		code, fact = safepath.PermissionDenied, display+" cannot be read: permission denied"
	case errors.Is(err, fs.ErrNotExist):
		code, fact = safepath.NotFound, display+" does not exist any more"
	}
	return &backend.Error{Code: code, Fact: fact, Err: err}
}
