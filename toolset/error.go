package toolset

import (
	"context"
	"errors"
	"fmt"

	"septet/safepath"
)

// Error is a failed call: one fact, and the next step as a hint.
type Error struct {
	Code Code
	Fact string
	Hint string // without the word "hint"; empty for the usual one of the code
	// HasOutput marks a failure whose output is worth showing, such as a
	// command that ran into its timeout: the result's text is the output's.
	HasOutput bool
}

func (e *Error) Error() string { return e.Fact }

// Text is what a model reads.
func (e *Error) Text() string {
	hint := e.Hint
	if hint == "" {
		hint = usualHint(e.Code)
	}
	if hint == "" {
		return e.Fact
	}
	return e.Fact + "\nhint: " + hint
}

// Errorf makes an Error without a hint.
func Errorf(c Code, format string, args ...any) *Error {
	return &Error{Code: c, Fact: fmt.Sprintf(format, args...)}
}

// WithHint returns e with the next step.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// AsError gives any error of a tool or backend its code. A context's end is
// told by its cause; what nobody gave a code is Internal.
func AsError(err error) *Error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	var below *safepath.Error
	if errors.As(err, &below) {
		return &Error{Code: below.Code, Fact: below.Fact, Hint: below.Hint}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return Errorf(Timeout, "timed out")
	}
	if errors.Is(err, context.Canceled) {
		return Errorf(Cancelled, "cancelled")
	}
	return Errorf(Internal, "internal error: %v", err)
}
