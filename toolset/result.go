package toolset

import (
	"context"
	"errors"

	"septet/session"
)

// Status is how a call ended.
type Status string

const (
	StatusSucceeded      Status = "succeeded"
	StatusFailed         Status = "failed"
	StatusDenied         Status = "denied"
	StatusCancelled      Status = "cancelled"
	StatusOutcomeUnknown Status = "outcome_unknown"
)

// ToolResult is what a call produced.
type ToolResult struct {
	Status    Status
	Text      string           // never empty; complete by itself
	Output    Output           // marshals to the structured content; nil when the call failed
	Artifacts []Artifact       // beside the text, never in it
	Failure   *Failure         // nil when Status is StatusSucceeded
	Panic     *Panic           // set when the tool panicked; for the log only
	Effects   []session.Effect // what the call declared it would do; nil when it could not
	Decision  session.Decision // on the call; zero only in results of Failed
}

// Failure is the machine-readable side of a failed call.
type Failure struct {
	Code      Code   `json:"code"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}

// Panic is a bug of a tool that was caught.
type Panic struct {
	Value any
	Stack []byte
}

// resultOf turns what a tool returned into its result.
func resultOf(ctx context.Context, out Output, err error) ToolResult {
	if err == nil {
		result := ToolResult{Status: StatusSucceeded, Text: out.Text(), Output: out}
		if a, ok := out.(Artificer); ok {
			result.Artifacts = a.Artifacts()
		}
		return result
	}
	e := AsError(withCause(ctx, err))
	result := Failed(e)
	if e.HasOutput {
		result.Text = out.Text()
	}
	return result
}

// withCause lets a context's end be told by its cause and not by the bare
// "context canceled" that library calls return.
func withCause(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case cause == nil || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(cause, context.DeadlineExceeded):
		return Errorf(Timeout, "timed out")
	}
	return Errorf(Cancelled, "cancelled: %v", cause)
}

// Failed makes the result of a call that ended with e and without output, such
// as one that never reached its tool or whose answer could not be sent.
func Failed(e *Error) ToolResult {
	return ToolResult{
		Status:  statusOf(e.Code),
		Text:    e.Text(),
		Failure: &Failure{Code: e.Code, Message: e.Fact, Retryable: retryable[e.Code]},
	}
}
