package shell

import "strings"

// A format of git is a language: some of its words run gpg or git. The lists
// are closed, so that the next one of these asks.
const (
	// prettyLetters follow the percent sign in a format of log.
	prettyLetters = "HhTtPpesfbBNDdSnm%"
	// personLetters follow %a and %c.
	personLetters = "nNeElLdDrtiIsh"
	// reflogLetters follow %g.
	reflogLetters = "DdnNeEs"
	// prettyWords stand in brackets.
	prettyWords = " trailers decorate "
	// refWords stand in brackets in a format of branch and tag, or are what
	// they sort by. What is missing verifies a signature or describes.
	refWords = " refname objecttype objectsize objectname tree parent numparent object type tag author authorname authoremail authordate " +
		"committer committername committeremail committerdate tagger taggername taggeremail taggerdate creator creatordate subject body " +
		"trailers contents raw upstream push symref flag HEAD color worktreepath align end if then else rest deltabase ahead-behind "
)

// checkFormats holds the values of the flags that are such a language against
// the one that the sub-command speaks.
func (g *gitRow) checkFormats(flags []flag) error {
	for _, f := range flags {
		ok := true
		switch {
		case f.name == "group":
			ok = plainGroup(f.value)
		case f.name == "sort":
			ok = plainSort(f.value)
		case f.name != "format" && f.name != "pretty":
		case g.refs:
			ok = plainRefs(f.value)
		default:
			ok = plainPretty(f.value)
		}
		if !ok {
			return refuse(badFlag, "git: --%s=%s holds a word that is not on the list", f.name, f.value)
		}
	}
	return nil
}

// plainGroup is for shortlog, which takes a format too.
func plainGroup(value string) bool {
	name, found := strings.CutPrefix(value, "trailer:")
	return value == "author" || value == "committer" || found && !strings.Contains(name, "%")
}

// plainSort reads "-committerdate" and "version:refname".
func plainSort(value string) bool {
	value = strings.TrimPrefix(value, "-")
	value = strings.TrimPrefix(strings.TrimPrefix(value, "version:"), "v:")
	return plainRef(value)
}

func plainRef(word string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(word, "*"), ":")
	return oneOf(refWords, name)
}

// plainRefs reads "%(refname:short) %(HEAD)%00".
func plainRefs(text string) bool {
	for {
		_, rest, found := strings.Cut(text, "%")
		if !found {
			return true
		}
		word, after, bracket := strings.Cut(rest, ")")
		switch {
		case strings.HasPrefix(rest, "%"), len(rest) > 1 && isHex(rest[:2]):
			text = rest[1:]
		case bracket && strings.HasPrefix(word, "(") && plainRef(word[1:]):
			text = after
		default:
			return false
		}
	}
}

// plainPretty reads "format:%h %an%x09%s". A name without a percent sign is
// one of git's own formats, for the repository sets no other.
func plainPretty(text string) bool {
	for {
		_, rest, found := strings.Cut(text, "%")
		if !found {
			return true
		}
		n := placeholder(rest)
		if n == 0 {
			return false
		}
		text = rest[n:]
	}
}

// placeholder is how long the placeholder at the start of text is, behind its
// percent sign; 0 for one that is on no list.
func placeholder(text string) int {
	n := len(text) - len(strings.TrimLeft(text, "+- "))
	text = text[n:]
	if n > 1 || text == "" {
		return 0
	}
	two := text[:min(2, len(text))]
	switch c := text[0]; {
	case strings.IndexByte(prettyLetters, c) >= 0:
		return n + 1
	case len(two) == 2 && (c == 'a' || c == 'c') && strings.IndexByte(personLetters, two[1]) >= 0,
		len(two) == 2 && c == 'g' && strings.IndexByte(reflogLetters, two[1]) >= 0:
		return n + 2
	case c == 'x' && len(text) > 2 && isHex(text[1:3]):
		return n + 3
	case c == '(' && oneOf(prettyWords, wordOf(text[1:])), strings.IndexByte("Cw<>", c) >= 0:
		return n + shape(text)
	}
	return 0
}

// wordOf is the word at the start of text.
func wordOf(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz"))]
}

// shape is the length of a placeholder with arguments in brackets, %C(red) or
// %>>(20,trunc), and of a plain colour, %Cred. No argument of theirs is a
// placeholder.
func shape(text string) int {
	for _, colour := range [...]string{"Cred", "Cgreen", "Cblue", "Creset"} {
		if strings.HasPrefix(text, colour) {
			return len(colour)
		}
	}
	open, end := strings.IndexByte(text, '('), strings.IndexByte(text, ')')
	if open < 0 || end < open || strings.Trim(text[:open], "Cw<>|") != "" || strings.Contains(text[open:end], "%(") {
		return 0
	}
	return end + 1
}

func isHex(text string) bool { return strings.Trim(text, "0123456789abcdefABCDEF") == "" }
