package safepath

import "errors"

// Code is the stable name of a failure. Codes are append-only: hosts and
// models act on them.
type Code string

// The codes this package gives. toolset lists every code of the program.
const (
	OutsideRoots     Code = "outside_roots"
	ProtectedPath    Code = "protected_path"
	ReadOnlyRoot     Code = "read_only_root"
	InvalidPath      Code = "invalid_path"
	AmbiguousPath    Code = "ambiguous_path"
	PathChanged      Code = "path_changed"
	RootChanged      Code = "root_changed"
	RootUnavailable  Code = "root_unavailable"
	NotFound         Code = "not_found"
	Exists           Code = "exists"
	NotRegularFile   Code = "not_regular_file"
	NotDirectory     Code = "not_directory"
	PermissionDenied Code = "permission_denied"
	TooLarge         Code = "too_large"
	Stale            Code = "stale"
	NoSpace          Code = "no_space"
	IOError          Code = "io_error"
)

// Error is a refused or failed path operation: one fact and, where there is a
// sensible next step, a hint.
type Error struct {
	Code Code
	Fact string // one line, with the values; names in it are already escaped
	Hint string // the next step, without the word "hint"; may be empty
	By   string // ProtectedPath only: the pattern that protects, such as ".git"; "" for the state directory
	Err  error  // the cause, for errors.Is; may be nil
}

func (e *Error) Error() string { return e.Fact }

func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of err, or "" when err carries none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
