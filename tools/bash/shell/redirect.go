package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// nullDevice is the one path outside the roots that is nobody's.
const nullDevice = "/dev/null"

// redirect reads one redirection of a simple command. A write counts as one of
// the line's writes.
func (c *call) redirect(r *syntax.Redirect) error {
	if r.N != nil && r.N.Value != "0" && r.N.Value != "1" && r.N.Value != "2" {
		return refuse(badRedirect, "descriptor %s", r.N.Value)
	}
	target, err := readWord(r.Word)
	if err != nil {
		return err
	}
	if target.glob {
		return refuse(badGlob, "a redirection to a pattern")
	}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		return checkHeredoc(r, target)
	case syntax.DplOut, syntax.DplIn:
		if !target.bare || len(target.text) != 1 || !strings.Contains("012", target.text) {
			return refuse(badRedirect, "%s%s", r.Op, target.text)
		}
		return nil
	case syntax.RdrIn:
		return c.redirectIn(target)
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		return c.redirectOut(target)
	}
	return refuse(badRedirect, "%s", r.Op)
}

func (c *call) redirectIn(target *word) error {
	if target.text == nullDevice {
		return nil
	}
	return c.read(target.text, File)
}

func (c *call) redirectOut(target *word) error {
	if target.text == nullDevice {
		return nil
	}
	c.line.writes++
	return c.write(target.text)
}

// checkHeredoc allows a body that the shell copies as it is, and only a plain
// delimiter, on whose end the parser and bash agree.
func checkHeredoc(r *syntax.Redirect, delimiter *word) error {
	if !isName(delimiter.text) {
		return refuse(badRedirect, "the delimiter %q", delimiter.text)
	}
	if r.Hdoc == nil || !delimiter.bare {
		return nil
	}
	for _, part := range r.Hdoc.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.ContainsAny(lit.Value, "$`\\") {
			return refuse(expansion, "a here-document expands")
		}
	}
	return nil
}

func isName(s string) bool {
	for _, c := range s {
		if c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != ""
}
