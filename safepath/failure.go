package safepath

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

func fail(code Code, fact, hint string) *Error {
	return &Error{Code: code, Fact: fact, Hint: hint}
}

// wrap gives a failed system call its code. shown is the escaped path.
func wrap(err error, shown, doing string) error {
	var own *Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	code, why := codeOf(err)
	return &Error{Code: code, Fact: fmt.Sprintf("%s %s: %s", doing, shown, why), Err: err}
}

func codeOf(err error) (Code, string) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return NotFound, "it does not exist"
	case errors.Is(err, fs.ErrExist):
		return Exists, "it exists already"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return PermissionDenied, reason(err)
	case isNoSpace(err):
		return NoSpace, reason(err)
	case errors.Is(err, errTooManyLinks), errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ENAMETOOLONG):
		return InvalidPath, reason(err)
	case isNotDirectory(err):
		return NotDirectory, "not a directory"
	}
	return IOError, reason(err)
}

// reason is the bare cause, without the operation and the path, which the
// caller names better.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func isNotDirectory(err error) bool {
	return errors.Is(err, errNotDirectory) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

// notRegular is what OpenFile answers for anything but a regular file.
func notRegular(name string, kind Kind) error {
	return fail(NotRegularFile, fmt.Sprintf("%s is %s, not a regular file", Escape(name), kind), "")
}

func readOnlyError(shown string) error {
	return fail(ReadOnlyRoot, fmt.Sprintf("%s is in a read-only root", shown), "choose a path in a writable root")
}

func stateError(shown string) error {
	return fail(ProtectedPath, fmt.Sprintf("%s is in the state directory, which is closed", shown), "choose another path; the program keeps its own records there")
}

func isNotEmpty(err error) bool {
	return errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist)
}
