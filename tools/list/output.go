package list

import (
	"fmt"
	"strings"

	"septet/backend"
	"septet/toolset"
)

// Output is one page of a directory.
type Output struct {
	Entries []Entry `json:"entries"`
	Offset  int     `json:"offset"` // entries skipped
	Total   int     `json:"total"`  // entries in the whole directory
}

// Entry is one name.
type Entry struct {
	Name   string `json:"name"`             // escaped where needed; usable as a path
	Kind   string `json:"kind"`             // file, directory, symlink or other
	Size   *int64 `json:"size,omitempty"`   // bytes; files only
	Target string `json:"target,omitempty"` // links only
}

func newOutput(offset int, page backend.Page) Output {
	o := Output{Entries: []Entry{}, Offset: offset, Total: page.Total}
	for _, info := range page.Entries {
		e := Entry{Name: info.Name, Kind: info.KindName(), Target: info.Target}
		if e.Kind == "file" {
			e.Size = &info.Size
		}
		o.Entries = append(o.Entries, e)
	}
	return o
}

// Text is one name a line.
func (o Output) Text() string {
	if o.Total == 0 {
		return "[empty directory]"
	}
	var b strings.Builder
	for _, e := range o.Entries {
		b.WriteString(e.line())
		b.WriteByte('\n')
	}
	if end := o.Offset + len(o.Entries); end < o.Total {
		fmt.Fprintf(&b, "[entries %s-%s of %s; continue with offset=%d]",
			toolset.Grouped(int64(o.Offset+1)), toolset.Grouped(int64(end)), toolset.Grouped(int64(o.Total)), end)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (e Entry) line() string {
	switch {
	case e.Kind == "directory":
		return e.Name + "/"
	case e.Kind == "symlink":
		return e.Name + " -> " + e.Target
	case e.Size != nil:
		return e.Name + "  " + toolset.Grouped(*e.Size)
	}
	return e.Name + "  " + e.Kind
}
