package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is one word of a command line after quote removal. Nothing in it
// expands but, where glob is set, a file name pattern.
type word struct {
	text    string
	pattern []symbol // text as a pattern; only where glob is set
	glob    bool     // holds an unquoted * ? or [
	bare    bool     // written without any quote or backslash
	names   []string // what the pattern expanded to; nil before
}

// symbol is one character of a pattern.
type symbol struct {
	r      rune
	quoted bool
}

// wordReader turns a syntax.Word into a word.
type wordReader struct {
	symbols []symbol
	quotes  bool
}

func readWord(w *syntax.Word) (*word, error) {
	// The usual word is one plain run of letters.
	if len(w.Parts) == 1 {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && plain(lit.Value) {
			return &word{text: lit.Value, bare: true}, nil
		}
	}
	var r wordReader
	for _, part := range w.Parts {
		if err := r.part(part); err != nil {
			return nil, err
		}
	}
	return r.finish()
}

// plain reports whether no character of s means anything to the shell.
func plain(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("-_./,+@%^#", c) >= 0:
		default:
			return false
		}
	}
	return s != ""
}

func (r *wordReader) part(part syntax.WordPart) error {
	switch part := part.(type) {
	case *syntax.Lit:
		return r.literal(part.Value)
	case *syntax.SglQuoted:
		if part.Dollar {
			return refuse(expansion, "$'...' is decoded by the shell")
		}
		r.quote(part.Value)
		return nil
	case *syntax.DblQuoted:
		if part.Dollar {
			return refuse(expansion, `$"..." is translated by the shell`)
		}
		return r.doubleQuoted(part.Parts)
	}
	return refuse(expansion, "a word holds an expansion")
}

// literal reads unquoted text, in which a backslash quotes what follows.
func (r *wordReader) literal(text string) error {
	quoted := false
	for _, c := range text {
		switch {
		case quoted:
			r.symbols = append(r.symbols, symbol{c, true})
			quoted = false
		case c == '\\':
			quoted, r.quotes = true, true
		case c == '$' || c == '`':
			return refuse(expansion, "a word holds an unquoted %c", c)
		default:
			r.symbols = append(r.symbols, symbol{c, false})
		}
	}
	if quoted {
		return refuse(badSyntax, "a word ends with a backslash")
	}
	return nil
}

// doubleQuoted reads text in double quotes, in which a backslash quotes only
// the four characters that mean something there.
func (r *wordReader) doubleQuoted(parts []syntax.WordPart) error {
	r.quotes = true
	for _, part := range parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			return refuse(expansion, "a word holds an expansion")
		}
		text, err := unescape(lit.Value)
		if err != nil {
			return err
		}
		r.quote(text)
	}
	return nil
}

func unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '$' || c == '`' {
			return "", refuse(expansion, "a word holds an unescaped %c", c)
		}
		if c == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\", s[i+1]) >= 0 {
			i++
			c = s[i]
		}
		b.WriteByte(c)
	}
	return b.String(), nil
}

func (r *wordReader) quote(text string) {
	r.quotes = true
	for _, c := range text {
		r.symbols = append(r.symbols, symbol{c, true})
	}
}

// finish refuses what bash expands although the tree calls it literal: a tilde
// at the start or after = and :, and lists in braces.
func (r *wordReader) finish() (*word, error) {
	w := &word{bare: !r.quotes}
	var b strings.Builder
	brace := false
	for i, s := range r.symbols {
		b.WriteRune(s.r)
		if s.quoted {
			continue
		}
		switch s.r {
		case '*', '?':
			w.glob = true
		case '[': // alone it is a program, and without an end it is itself
			w.glob = w.glob || slices.ContainsFunc(r.symbols[i:], func(s symbol) bool { return s.r == ']' })
		case '{':
			brace = true
		case ',', '.':
			if brace && (s.r == ',' || i > 0 && r.symbols[i-1] == s) {
				return nil, refuse(expansion, "a word holds a list in braces")
			}
		case '~':
			if i == 0 || r.symbols[i-1] == (symbol{'=', false}) || r.symbols[i-1] == (symbol{':', false}) {
				return nil, refuse(expansion, "~ stands where the shell expands it")
			}
		}
	}
	w.text = b.String()
	if w.glob {
		w.pattern = r.symbols
	}
	return w, nil
}
