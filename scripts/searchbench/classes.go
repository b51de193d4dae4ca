package main

import (
	"slices"
	"strings"
)

// class is one line of the table: a search, both ways, and the goal for the
// ratio of their times.
type class struct {
	name      string
	tree      string
	goal      float64
	tool      string
	arguments map[string]any
	args      []string
	fd        bool
	ordered   bool // the other program sorts too, and the order is compared
	first     int  // only so many of the other's lines are compared; 0 is all
	loose     bool // the other program gives any results, not the first: only their number is compared
}

type arguments = map[string]any

func classes() []class {
	all := []class{
		{name: "glob, whole tree", tree: "60k", goal: 0.5, tool: "glob", arguments: arguments{"pattern": "**/nothing", "includeIgnored": true}, args: []string{"-uu", "-j2", "--files", "-g", "nothing"}},
		{name: "glob, whole tree, ignore files", tree: "60k", goal: 0.5, tool: "glob", arguments: arguments{"pattern": "**/.gitignore"}, args: []string{"--hidden", "-j2", "--files", "-g", ".gitignore"}},
		{name: "glob, whole tree, fd", tree: "60k", goal: 0.6, tool: "glob", arguments: arguments{"pattern": "**/nothing", "includeIgnored": true}, args: []string{"-u", "-j2", "-tf", "-tl", "--glob", "nothing"}, fd: true},
		{name: "first 200 paths, fd unsorted", tree: "60k", goal: 1, tool: "glob", arguments: arguments{"pattern": "**", "includeIgnored": true, "maxResults": 200}, args: []string{"-u", "-j2", "-tf", "-tl", "--max-results", "200"}, fd: true, loose: true},
		{name: "first 100 matches, sorted", tree: "60k", goal: 0.5, tool: "grep", arguments: arguments{"pattern": "context", "includeIgnored": true}, args: []string{"-uu", "--sort", "path", "-n", "context"}, ordered: true, first: 100},
	}
	for _, g := range []struct {
		name, pattern string
		goal          float64
		fold          bool
	}{
		{"literal", "ReadLinkFS", 1, false},
		{"literal, ignoring case", "readlinkfs", 1, true},
		{"alternation", "errNoSuchHost|ErrNotPollable|errMissingU8Prefix", 1.3, false},
		{"common letters", "interested in", 1.3, false},
		{"regex with a literal", `func \w+Symlink\w*\(`, 1, false},
		{"regex without a literal", `[A-Z][a-z]+[0-9]{5,}`, 0.7, false},
		{"Unicode class", `\p{Greek}{3,}`, 0.7, false},
		{"pathological", `(a|b|c|d|e|f)*x(y|z|w)*[0-9]{20}`, 2, false},
	} {
		args := []string{"-uu", "-j2", "-c", "-e", ascii(g.pattern)}
		if g.fold {
			args = append(args, "-i")
		}
		all = append(all, class{name: g.name, tree: "go", goal: g.goal, tool: "grep", arguments: arguments{"pattern": g.pattern, "mode": "count", "maxResults": 2000, "includeIgnored": true, "caseInsensitive": g.fold}, args: args})
	}
	return append(all,
		class{name: "literal, 60k files", tree: "60k", goal: 1, tool: "grep", arguments: arguments{"pattern": "no such text", "includeIgnored": true}, args: []string{"-uu", "-j2", "-n", "no such text"}},
		class{name: "many lines counted", tree: "log", goal: 1.15, tool: "grep", arguments: arguments{"pattern": "took [0-9]+ ms", "mode": "count", "path": "server.log"}, args: []string{"-uu", "-j2", "-c", "-H", "took [0-9]+ ms", "server.log"}},
		class{name: "1 GiB file, literal", tree: "log", goal: 0.8, tool: "grep", arguments: arguments{"pattern": "WARN [", "literal": true, "mode": "count", "path": "server.log"}, args: []string{"-uu", "-j2", "-c", "-H", "-F", "WARN [", "server.log"}},
		class{name: "1 GiB file, regex", tree: "log", goal: 0.8, tool: "grep", arguments: arguments{"pattern": `WARN .*took 8\d\d ms`, "mode": "count", "path": "server.log"}, args: []string{"-uu", "-j2", "-c", "-H", `WARN .*took 8[0-9][0-9] ms`, "server.log"}},
	)
}

// ascii gives \w and \d the meaning they have here.
func ascii(pattern string) string {
	return strings.NewReplacer(`\w`, `[0-9A-Za-z_]`, `\d`, `[0-9]`).Replace(pattern)
}

// same compares septet's text with the other program's lines.
func (c class) same(text, other string) bool {
	got, want := septetLines(text), strings.Split(strings.TrimSuffix(other, "\n"), "\n")
	if other == "" {
		want = nil
	}
	if c.loose {
		return len(got) == len(want)
	}
	if c.first > 0 && len(want) > c.first {
		want = want[:c.first]
	}
	for i := range want {
		want[i] = strings.TrimPrefix(want[i], "./")
	}
	if !c.ordered {
		slices.Sort(got)
		slices.Sort(want)
	}
	return slices.Equal(got, want)
}

// septetLines brings a result into ripgrep's form: path:line:text, path:n or
// the path alone.
func septetLines(text string) []string {
	if strings.HasPrefix(text, "No matches for ") {
		return nil
	}
	var lines []string
	path := ""
	for _, l := range strings.Split(text, "\n") {
		number, rest, found := strings.Cut(l, ": ")
		switch {
		case l == "" || strings.HasPrefix(l, "["):
		case found && strings.Trim(number, "0123456789") == "":
			lines = append(lines, path+":"+number+":"+rest)
		case found:
			lines = append(lines, number+":"+rest)
		default:
			path = l
			lines = append(lines, l)
		}
	}
	return slices.DeleteFunc(lines, func(l string) bool { return isHeading(l, lines) })
}

// isHeading tells the path above a file's lines from a path that is a result.
func isHeading(l string, lines []string) bool {
	return slices.ContainsFunc(lines, func(other string) bool { return strings.HasPrefix(other, l+":") })
}
