package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// reachesModels are the packages whose errors travel over the pipe: what they
// say must be something that a model or a host can do.
var reachesModels = []string{"safepath", "backend", "session", "toolset", "tools", "server"}

// typed matches what only a person in a shell can do: a verb of the program, or
// one of its flags.
var typed = regexp.MustCompile(`\bseptet (call|changes|completion|config|demo|doctor|effects|serve|show|tools|undo|version)\b|(?:^|[ (])--(state|no-journal|workspace|protect|skills|mode|framing|structured|max-frame|drain|` +
	`search-timeout|keep-env|scrub-secrets|session|log-level|log-file|config)\b`)

// typedText gives what in a text only a person can type. To ask the user for a
// flag is something that a model can do, and what bash runs is bash's.
func typedText(text string) []string {
	if before, _, asks := strings.Cut(text, "ask the user to "); asks {
		text = before
	}
	return typed.FindAllString(text, -1)
}

// TestHintsCanBeFollowed looks at every text of those packages for what its
// readers cannot type.
func TestHintsCanBeFollowed(t *testing.T) {
	texts := 0
	for _, f := range productFiles(t) {
		top, _, _ := strings.Cut(f.dir, "/")
		if !slices.Contains(reachesModels, top) || f.dir == "tools/bash/shell" { // a list of commands and their flags
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			texts++
			for _, found := range typedText(text) {
				t.Errorf("%s:%d: a model or host cannot type %q: %q", f.name, f.set.Position(lit.Pos()).Line, strings.TrimSpace(found), text)
			}
			return true
		})
	}
	if texts < 300 {
		t.Errorf("only %d texts were found", texts)
	}
}

func TestTypedTextIsSeen(t *testing.T) {
	for text, want := range map[string]int{
		"septet changes lists them": 1, "septet/changes/list lists them": 0, "start it with --state DIR": 1, "git --stage": 0,
		"ask the user to start it with --state DIR": 0, "a - b": 0, "septet is not there": 0,
	} {
		if got := typedText(text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}
