package shell

import "fmt"

// refusal is why a command is not recognised: a stable identifier, which
// becomes the rule "ask:ID", and a detail for people.
type refusal struct {
	id     string
	detail string
}

func (r *refusal) Error() string { return r.id + ": " + r.detail }

func refuse(id, format string, args ...any) error {
	return &refusal{id, fmt.Sprintf(format, args...)}
}

// The identifiers of refusals. They are append-only: logs are read by them. A
// path that the path layer refuses has that layer's code as its identifier.
const (
	tooLong          = "length"
	badCharacter     = "characters"
	lineContinuation = "line-continuation"
	badSyntax        = "syntax"
	noCommand        = "empty"
	tooMany          = "commands"
	badNode          = "construct"
	assignment       = "assignment"
	expansion        = "expansion"
	badGlob          = "glob"
	badProgram       = "program"
	badFlag          = "flag"
	badOperand       = "operand"
	badScript        = "script"
	badRedirect      = "redirect"
	badDirectory     = "cd"
	throughLink      = "link"
	staleCheck       = "moved"
	badTree          = "tree"
	badGit           = "git"
	gitConfig        = "git-config"
	analysisBug      = "internal"
	badVersion       = "version"
)
