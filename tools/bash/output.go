package bash

import (
	"fmt"
	"strings"

	"septet/backend"
)

// Output is what bash returns.
type Output struct {
	Status     string   `json:"status"`
	ExitCode   *int     `json:"exitCode,omitempty"` // status exited only
	Signal     string   `json:"signal,omitempty"`   // status signaled only
	Stdout     Stream   `json:"stdout"`
	Stderr     Stream   `json:"stderr"`
	DurationMs int64    `json:"durationMs"`
	Leftover   []string `json:"leftover,omitempty"` // killed after the shell had ended
	Alive      []Alive  `json:"alive,omitempty"`    // status outcome_unknown only

	timeoutMs int64
}

// Stream is one output stream as it is shown.
type Stream struct {
	Text      string `json:"text"`                // valid UTF-8, with one line in the place of what is omitted
	Bytes     int64  `json:"bytes"`               // exact, as the command wrote them
	Omitted   int64  `json:"omitted"`             // of Bytes, what the text does not stand for
	Binary    bool   `json:"binary,omitempty"`    // bytes that are not UTF-8 were escaped
	SpillPath string `json:"spillPath,omitempty"` // the raw stream, when something is omitted
}

// Alive is a process that could not be confirmed dead.
type Alive struct {
	PID   int    `json:"pid"`
	Name  string `json:"name"`
	State string `json:"state"`
}

func newOutput(c backend.Completion, timeoutMs int64) Output {
	out := Output{
		Status:     string(c.Status),
		Signal:     c.Signal,
		DurationMs: c.Duration.Milliseconds(),
		Leftover:   c.Leftover,
		timeoutMs:  timeoutMs,
	}
	if c.Status == backend.Exited {
		out.ExitCode = &c.ExitCode
	}
	for _, a := range c.Alive {
		out.Alive = append(out.Alive, Alive(a))
	}
	stdout, stderr := budgets(length(c.Stdout), length(c.Stderr))
	out.Stdout, out.Stderr = newStream(c.Stdout, stdout), newStream(c.Stderr, stderr)
	return out
}

// Text is stdout, then stderr, then how it ended.
func (o Output) Text() string {
	var b strings.Builder
	block(&b, o.Stdout.Text)
	if o.Stderr.Text != "" {
		b.WriteString("[stderr]\n")
		block(&b, o.Stderr.Text)
	}
	if b.Len() == 0 {
		b.WriteString("[no output]\n")
	}
	b.WriteString("[" + strings.Join(o.ending(), "; ") + "]")
	return b.String()
}

// block writes text with a line end.
func block(b *strings.Builder, text string) {
	b.WriteString(text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		b.WriteByte('\n')
	}
}

// ending is the parts of the status line.
func (o Output) ending() []string {
	took := fmt.Sprintf("%d ms", o.DurationMs)
	var parts []string
	switch backend.CompletionStatus(o.Status) {
	case backend.Exited:
		parts = []string{fmt.Sprintf("exit %d", *o.ExitCode), took}
	case backend.Signaled:
		parts = []string{"killed by " + o.Signal, took}
	case backend.TimedOut:
		parts = []string{fmt.Sprintf("timed out after %d ms", o.timeoutMs), "killed"}
	case backend.Cancelled:
		parts = []string{"cancelled", took}
	default:
		parts = []string{"outcome unknown", took, o.unknown()}
	}
	if len(o.Leftover) > 0 {
		parts = append(parts, "killed leftover: "+counted(o.Leftover))
	}
	if o.Stdout.Binary || o.Stderr.Binary {
		parts = append(parts, `bytes that are not UTF-8 are shown as \x..`)
	}
	return parts
}

// unknown says why the outcome is not known.
func (o Output) unknown() string {
	if len(o.Alive) == 0 {
		return "its supervisor was killed; nothing is left of it in reach"
	}
	names := make([]string, len(o.Alive))
	for i, a := range o.Alive {
		names[i] = fmt.Sprintf("%s (pid %d, state %s)", a.Name, a.PID, a.State)
	}
	return "still alive after SIGKILL: " + strings.Join(names, ", ")
}

// counted lists names in their order, each once, with how often it occurs.
func counted(names []string) string {
	count := map[string]int{}
	var order []string
	for _, name := range names {
		if count[name]++; count[name] == 1 {
			order = append(order, name)
		}
	}
	for i, name := range order {
		if n := count[name]; n > 1 {
			order[i] = fmt.Sprintf("%s x%d", name, n)
		}
	}
	return strings.Join(order, ", ")
}
