package main

import (
	"fmt"
	"slices"
	"strings"
)

// equalPatterns cover every class of expression. \w, \d, \s and \b are ASCII
// here and Unicode in ripgrep, so they are spelled out for it, or matched on
// text that is ASCII.
var equalPatterns = []string{
	"context", "Handshake", "interested", "=", "if err != nil", "T", "qzx", "x", "0x1F", "// Copyright", "\\.go", "TODO|FIXME|BUG", "net|http|tls", "alpha|bravo", "(a|b)c",
	"func \\w+\\(", "return [a-z]+,", "[A-Z][a-z]+[0-9]+", "^package", "^func .*\\{$", "\\{$", "^$", "^\\s+//", "\\bint\\b", "\\berr\\B", "[0-9]{4,}", "[^ -~\\t]", "a.c", "a.*z", "(?i)error", "(?i)copyright",
	"(?:foo|ba[rz])+", "x{2,3}", "\\(\\)$", "[[:upper:]]{5,}", "[^a-z]{12,}", "\\d+\\.\\d+", "\"[^\"]+\"", "e.{10}e.{10}e$", "(server|client) .* (request|response)", "value (string )?index", "\\pL{20,}", "[\\x{80}-\\x{10ffff}]", "index$", "^\\w+ \\w+ $",
}

// equal compares septet with ripgrep on every pattern, mode and variation.
func (b *bench) equal(trees map[string]string) error {
	compared, cut := 0, 0
	for _, place := range []struct{ tree, path string }{{"go", "net"}, {"go", "cmd/compile/internal/ssa"}, {"60k", "m00/p05"}} {
		dir := trees[place.tree]
		s, err := startServer(b.septet, dir)
		if err != nil {
			return err
		}
		defer s.stop()
		path := place.path
		for i, pattern := range equalPatterns {
			for _, v := range variations(pattern, path, i) {
				text, err := s.call("grep", v.arguments)
				if err != nil {
					return err
				}
				if strings.Contains(text, "; stopped at ") {
					cut++
					continue
				}
				want, _, err := runOther(b.rg, dir, v.args)
				if err != nil {
					return fmt.Errorf("rg %q: %w", v.args, err)
				}
				compared++
				if !v.same(text, want) {
					b.failed = true
					fmt.Printf("different: %v\n%s", v.arguments, difference(septetLines(text), strings.Split(strings.TrimSuffix(want, "\n"), "\n")))
				}
			}
		}
	}
	fmt.Printf("%d searches compared with ripgrep, %d more hit a bound of the answer; %d patterns\n", compared, cut, len(equalPatterns))
	return nil
}

// variations are the ways one pattern is searched for.
func variations(pattern, path string, i int) []class {
	var all []class
	for _, m := range []struct {
		mode string
		args []string
	}{{"content", []string{"-n", "--no-heading"}}, {"files_with_matches", []string{"-l"}}, {"count", []string{"-c"}}} {
		for k, change := range []struct {
			arguments arguments
			args      []string
		}{
			{arguments{}, nil}, {arguments{"caseInsensitive": true}, []string{"-i"}}, {arguments{"glob": "*_test.go"}, []string{"-g", "*_test.go"}},
			{arguments{"glob": "*.{txt,s}"}, []string{"-g", "*.{txt,s}"}}, {arguments{"includeIgnored": true}, []string{"-uu"}}, {arguments{"literal": true}, []string{"-F"}},
		} {
			if k > 0 && k%3 != (i+len(all))%3 {
				continue // each change in one of the modes
			}
			c := class{ordered: true, arguments: arguments{"pattern": pattern, "path": path, "mode": m.mode, "maxResults": 2000}}
			for name, v := range change.arguments {
				c.arguments[name] = v
			}
			dialect := pattern
			if change.arguments["literal"] == nil {
				dialect = "(?-u:" + pattern + ")"
				if strings.Contains(pattern, `\p`) || strings.Contains(pattern, `\x`) || strings.Contains(pattern, "[^") || strings.Contains(pattern, ".") {
					dialect = ascii(pattern)
				}
			}
			c.args = slices.Concat([]string{"--hidden", "--sort", "path", "-H", "--no-require-git"}, m.args, change.args, []string{"-e", dialect, path})
			all = append(all, c)
		}
	}
	return all
}

// difference shows the first lines that differ.
func difference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		g, w := "(nothing)", "(nothing)"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			return fmt.Sprintf("  line %d of %d and %d\n  septet: %.150s\n  rg:     %.150s\n", i+1, len(got), len(want), g, w)
		}
	}
	return ""
}
