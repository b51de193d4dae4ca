package glob

import (
	"fmt"
	"strings"
	"time"

	"septet/backend"
	"septet/toolset"
)

// Output is what was found.
type Output struct {
	Paths   []string `json:"paths"`             // escaped where needed; usable as paths
	Stopped string   `json:"stopped,omitempty"` // why the search ended early

	pattern string
	path    string // as shown
	timeout time.Duration
	summary backend.SearchSummary
}

func newOutput(in Input, path string, timeout time.Duration, r backend.GlobResult) Output {
	return Output{
		Paths: append([]string{}, r.Paths...), Stopped: string(r.Summary.Stopped),
		pattern: in.Pattern, path: path, timeout: timeout, summary: r.Summary,
	}
}

// failure is nil for an answer. A search that ended before it found anything
// has not answered.
func (o Output) failure() error {
	switch o.summary.Stopped {
	case backend.StoppedCanceled:
		return &toolset.Error{Code: toolset.Cancelled, Fact: "the search was cancelled", HasOutput: true}
	case backend.StoppedTimedOut:
		if len(o.Paths) == 0 {
			return &toolset.Error{Code: toolset.Timeout, Fact: o.nothing(), Hint: "look in a smaller part: path", HasOutput: true}
		}
	}
	return nil
}

// Text is one path a line; a last line says what is missing, if anything is.
func (o Output) Text() string {
	if len(o.Paths) == 0 {
		return o.nothing()
	}
	text := strings.Join(o.Paths, "\n")
	parts := o.notes()
	if o.summary.Stopped == backend.StoppedAtLimit {
		parts = append([]string{"stopped at maxResults"}, parts...)
	}
	if parts == nil {
		return text
	}
	return fmt.Sprintf("%s\n[%s; %s]", text, toolset.Counted(int64(len(o.Paths)), "path", "paths"), strings.Join(parts, "; "))
}

// nothing says how much was looked at, so that nobody takes a search that saw
// little for one that found nothing.
func (o Output) nothing() string {
	parts := o.notes()
	if o.ended() == "" {
		parts = append([]string{toolset.Counted(o.summary.Files, "name", "names") + " looked at"}, parts...)
	}
	if n := o.summary.Ignored; n > 0 {
		parts = append(parts, toolset.Grouped(n)+" ignored: includeIgnored=true searches them")
	}
	return fmt.Sprintf("No matches for %s in %s (%s)", o.pattern, o.path, strings.Join(parts, "; "))
}

// notes says what kept the search from seeing everything.
func (o Output) notes() []string {
	var parts []string
	if ended := o.ended(); ended != "" {
		parts = append(parts, ended+", "+toolset.Counted(o.summary.Files, "name", "names")+" looked at")
	}
	if n := o.summary.Unreadable; n > 0 {
		parts = append(parts, "skipped "+toolset.Grouped(n)+" unreadable")
	}
	return parts
}

// ended says how a search came to an early end; "" when by itself or at its
// limit.
func (o Output) ended() string {
	switch o.summary.Stopped {
	case backend.StoppedTimedOut:
		return fmt.Sprintf("timed out after %g s", o.timeout.Seconds())
	case backend.StoppedCanceled:
		return "cancelled"
	}
	return ""
}
