package grep

import (
	"fmt"
	"strings"
	"time"

	"septet/backend"
	"septet/toolset"
)

// Output is what was found: one of Matches, Files and Counts, by the mode.
type Output struct {
	Matches       []Match     `json:"matches,omitzero"`
	Files         []string    `json:"files,omitzero"`
	Counts        []FileCount `json:"counts,omitzero"`
	MatchCount    int64       `json:"matchCount"`        // matching lines seen
	FileCount     int         `json:"fileCount"`         // files with one
	FilesSearched int64       `json:"filesSearched"`     // all of them
	Stopped       string      `json:"stopped,omitempty"` // why the search ended early
	Skipped       Skipped     `json:"skipped"`

	pattern string
	path    string // as shown
	timeout time.Duration
}

// Match is one matching line.
type Match struct {
	Path   string   `json:"path"`
	Line   int      `json:"line"` // 1-based
	Text   string   `json:"text"`
	Before []string `json:"before,omitempty"` // lines that no match before has shown
	After  []string `json:"after,omitempty"`  // up to the next match
}

// FileCount is the number of matching lines in one file.
type FileCount struct {
	Path  string `json:"path"`
	Count int64  `json:"count"`
}

// Skipped counts what was not searched.
type Skipped struct {
	Binary     int64 `json:"binary"`
	TooLarge   int64 `json:"tooLarge"`
	Unreadable int64 `json:"unreadable"`
	Ignored    int64 `json:"ignored"` // names that ignore rules hide; a directory counts once
}

func newOutput(in Input, path string, timeout time.Duration, r backend.GrepResult) Output {
	s := r.Summary
	o := Output{
		MatchCount: r.MatchCount, FileCount: r.FileCount, FilesSearched: s.Files, Stopped: string(s.Stopped),
		Skipped: Skipped{Binary: s.Binary, TooLarge: s.TooLarge, Unreadable: s.Unreadable, Ignored: s.Ignored},
		pattern: in.Pattern, path: path, timeout: timeout,
	}
	switch backend.GrepMode(in.Mode) {
	case backend.GrepFiles:
		o.Files = append([]string{}, r.Files...)
	case backend.GrepCount:
		o.Counts = []FileCount{}
		for _, c := range r.Counts {
			o.Counts = append(o.Counts, FileCount(c))
		}
	default:
		o.Matches = []Match{}
		for _, m := range r.Matches {
			o.Matches = append(o.Matches, Match(m))
		}
	}
	return o
}

// failure is nil for an answer. A search that ended before it found anything
// has not answered.
func (o Output) failure() error {
	switch backend.StopReason(o.Stopped) {
	case backend.StoppedCanceled:
		return &toolset.Error{Code: toolset.Cancelled, Fact: "the search was cancelled", HasOutput: true}
	case backend.StoppedTimedOut:
		if o.FileCount == 0 {
			return &toolset.Error{Code: toolset.Timeout, Fact: o.nothing(), Hint: "search a smaller part: path or glob", HasOutput: true}
		}
	}
	return nil
}

// Text shows the lines by file and closes with a summary.
func (o Output) Text() string {
	if o.FileCount == 0 {
		return o.nothing()
	}
	var b strings.Builder
	for _, f := range o.Files {
		b.WriteString(f + "\n")
	}
	for _, c := range o.Counts {
		fmt.Fprintf(&b, "%s: %d\n", c.Path, c.Count)
	}
	for i, m := range o.Matches {
		if i == 0 || m.Path != o.Matches[i-1].Path {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(m.Path + "\n")
		}
		m.write(&b)
	}
	if len(o.Matches) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("[" + strings.Join(o.summary(), "; ") + "]")
	return b.String()
}

// write shows one match with its context.
func (m Match) write(b *strings.Builder) {
	for i, line := range m.Before {
		fmt.Fprintf(b, "%d- %s\n", m.Line-len(m.Before)+i, line)
	}
	fmt.Fprintf(b, "%d: %s\n", m.Line, m.Text)
	for i, line := range m.After {
		fmt.Fprintf(b, "%d- %s\n", m.Line+1+i, line)
	}
}

func (o Output) summary() []string {
	parts := []string{toolset.Counted(o.MatchCount, "match", "matches") + " in " + toolset.Counted(int64(o.FileCount), "file", "files")}
	switch backend.StopReason(o.Stopped) {
	case backend.StoppedAtLimit:
		parts = append(parts, "stopped at maxResults")
	case backend.StoppedAtBytes:
		parts = append(parts, fmt.Sprintf("stopped at %d KiB of text", backend.MaxGrepBytes>>10))
	case backend.StoppedTimedOut, backend.StoppedCanceled:
		parts = append(parts, o.ended()+", "+toolset.Counted(o.FilesSearched, "file", "files")+" searched")
	}
	return append(parts, o.Skipped.parts()...)
}

// nothing says how much was looked at, so that nobody takes a search that saw
// little for one that found nothing.
func (o Output) nothing() string {
	searched := toolset.Counted(o.FilesSearched, "file", "files") + " searched"
	if ended := o.ended(); ended != "" {
		searched = ended + ", " + searched
	}
	parts := append([]string{searched}, o.Skipped.parts()...)
	if n := o.Skipped.Ignored; n > 0 {
		parts = append(parts, toolset.Grouped(n)+" ignored: includeIgnored=true searches them")
	}
	return fmt.Sprintf("No matches for /%s/ in %s (%s)", o.pattern, o.path, strings.Join(parts, "; "))
}

// ended says how a search came to an early end; "" when by itself.
func (o Output) ended() string {
	switch backend.StopReason(o.Stopped) {
	case backend.StoppedTimedOut:
		return fmt.Sprintf("timed out after %g s", o.timeout.Seconds())
	case backend.StoppedCanceled:
		return "cancelled"
	}
	return ""
}

func (s Skipped) parts() []string {
	var counts []string
	for _, c := range []struct {
		n    int64
		what string
	}{{s.Binary, "binary"}, {s.TooLarge, "too large"}, {s.Unreadable, "unreadable"}} {
		if c.n > 0 {
			counts = append(counts, toolset.Grouped(c.n)+" "+c.what)
		}
	}
	if counts == nil {
		return nil
	}
	return []string{"skipped " + strings.Join(counts, ", ")}
}
