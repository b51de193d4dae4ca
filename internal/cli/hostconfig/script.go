package hostconfig

import (
	"path/filepath"
	"strings"
)

// Script is the shell script in the project that configures the host instead of
// its file; "" when there is none. It runs when the host starts, so nothing is
// written into it: it is the person's own program.
func (h Host) Script(workspace string) string {
	for _, name := range h.scripts {
		if file := filepath.Join(workspace, name); isFile(file) {
			return file
		}
	}
	return ""
}

// ScriptLine is the command that such a script needs. A later run of the same
// command brings the entry up to date.
func (h Host) ScriptLine(l Launch) string {
	line := "mcp add " + ServerName + " --type stdio --command " + quoted(l.Command)
	for _, arg := range l.Args {
		line += " --args " + quoted(arg)
	}
	return line + "\n"
}

// quoted writes a word for a shell, as it is when nothing in it is special.
func quoted(word string) string {
	plain := strings.IndexFunc(word, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@", r))
	}) < 0
	if plain && word != "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
