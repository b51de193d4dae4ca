package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manual makes a page for the command and for each of its verbs, by file name.
// The generator that comes with cobra makes "--read=[]" of "--read DIR", and
// text with tabs that mandoc warns of; so the pages are written here.
func manual(root *cobra.Command, at time.Time) map[string][]byte {
	pages := map[string][]byte{}
	for _, cmd := range append([]*cobra.Command{root}, verbs(root)...) {
		p := &page{}
		p.line(".TH %s 1 %s septet septet", strings.ToUpper(pageName(cmd)), at.Format(time.DateOnly))
		p.command(cmd)
		pages[pageName(cmd)+".1"] = []byte(p.text.String())
	}
	return pages
}

func verbs(root *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(root.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() })
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// page is the source of a manual page, in the macros of man(7).
type page struct{ text strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n", args...) }

func (p *page) command(cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	p.line(".SH NAME\n%s \\- %s", escape(pageName(cmd)), escape(lowerFirst(cmd.Short)))
	name, rest, _ := strings.Cut(cmd.UseLine(), cmd.CommandPath())
	p.line(".SH SYNOPSIS\n.B %s%s\n%s", name, escape(cmd.CommandPath()), escape(strings.TrimSpace(rest)))
	p.line(".SH DESCRIPTION")
	p.prose(cmp.Or(cmd.Long, cmd.Short+"."))
	if list := verbs(cmd); len(list) > 0 {
		p.line(".SH COMMANDS")
		for _, verb := range list {
			p.line(".TP\n.B %s\n%s.", escape(verb.Name()), escape(verb.Short))
		}
	}
	p.line(".SH OPTIONS")
	cmd.LocalFlags().VisitAll(p.flag)
	p.line(".SH EXAMPLES")
	p.asIs(cmd.Example)
	p.line(".SH SEE ALSO")
	p.references(cmd)
}

func (p *page) flag(f *pflag.Flag) {
	if f.Hidden {
		return
	}
	value, usage := pflag.UnquoteUsage(f)
	names := `\fB\-\-` + escape(f.Name) + `\fR`
	if f.Shorthand != "" {
		names = `\fB\-` + f.Shorthand + `\fR, ` + names
	}
	switch {
	case value != "" && f.NoOptDefVal != "" && f.Value.Type() != "bool":
		names += `[=\fI` + escape(value) + `\fR]` // without a value it has one all the same
	case value != "":
		names += ` \fI` + escape(value) + `\fR`
	}
	if !slices.Contains([]string{"", "false", "0", "[]", "0s"}, f.DefValue) {
		usage += " (default " + f.DefValue + ")"
	}
	p.line(".TP\n%s\n%s", names, text(usage))
}

// prose fills paragraphs; lines that begin with a blank keep their shape.
func (p *page) prose(long string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(long), "\n\n") {
		if i > 0 {
			p.line(".PP")
		}
		if strings.HasPrefix(paragraph, " ") {
			p.asIs(paragraph)
			continue
		}
		p.line("%s", text(paragraph))
	}
}

// asIs keeps lines, without the indentation that they share.
func (p *page) asIs(lines string) {
	p.line(".RS 4\n.nf")
	for line := range strings.Lines(lines) {
		p.line("%s", text(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "  ")))
	}
	p.line(".fi\n.RE")
}

// references are the page of the program and those of its other verbs.
func (p *page) references(cmd *cobra.Command) {
	root := cmd.Root()
	var lines []string
	for _, other := range append([]*cobra.Command{root}, verbs(root)...) {
		if other != cmd {
			lines = append(lines, ".BR "+escape(pageName(other))+" (1)")
		}
	}
	p.line("%s", strings.Join(lines, " ,\n"))
}

// text is escaped lines, none of which is taken for a macro.
func text(s string) string {
	lines := strings.Split(escape(s), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// escape keeps characters from being typeset as others: a hyphen that is
// copied from a page must be the one that shells know.
var escape = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\(ga", "~", `\(ti`, "^", `\(ha`).Replace

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
