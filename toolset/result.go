package toolset

import "encoding/json"

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
	Status     Status
	Text       string          // never empty; complete by itself
	Structured json.RawMessage // the output as JSON; nil when there is none
	Artifacts  []Artifact      // beside the text, never in it
	Failure    *Failure        // nil when Status is StatusSucceeded
	Panic      *Panic          // set when the tool panicked; for the log only
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

// failed makes the result of a call that ended with e and no output.
func failed(e *Error) ToolResult {
	return ToolResult{
		Status:  statusOf(e.Code),
		Text:    e.Text(),
		Failure: &Failure{Code: e.Code, Message: e.Fact, Retryable: retryable[e.Code]},
	}
}

// Failed makes the result of a call that never reached a tool or whose result
// could not be sent.
func Failed(e *Error) ToolResult { return failed(e) }
