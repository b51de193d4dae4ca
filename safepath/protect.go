package safepath

import (
	"fmt"
	"path"
	"strings"
)

// builtinProtected are the places whose files run or steer programs later:
// hooks and configuration of git, instructions of an agent.
var builtinProtected = [...]string{".git", ".agents/skills"}

// pattern is a protected run of components, folded.
type pattern struct {
	text     string
	parts    []string
	anchored bool // only directly below a root
}

func newPatterns(extra []string) ([]pattern, error) {
	var patterns []pattern
	for _, text := range append(builtinProtected[:], extra...) {
		p := pattern{text: text, anchored: strings.HasPrefix(text, "/")}
		for _, part := range components(text) {
			p.parts = append(p.parts, foldName(part))
		}
		if len(p.parts) == 0 {
			return nil, fmt.Errorf("protected pattern %q names nothing", text)
		}
		for _, part := range p.parts {
			if _, err := path.Match(part, ""); err != nil {
				return nil, fmt.Errorf("protected pattern %q: %w", text, err)
			}
		}
		patterns = append(patterns, p)
	}
	return patterns, nil
}

// match reports whether parts lies at or in a place p protects. The match must
// end below the root, which is the first depth of parts: a root that was
// authorised is not protected itself.
func (p pattern) match(folded []string, depth int) bool {
	for start := range folded {
		if p.anchored && start != depth {
			continue
		}
		end := start + len(p.parts)
		if end > len(folded) {
			return false
		}
		if end > depth && p.matchAt(folded[start:end]) {
			return true
		}
	}
	return false
}

func (p pattern) matchAt(folded []string) bool {
	for i, part := range p.parts {
		if ok, _ := path.Match(part, folded[i]); !ok && !isShortName(part, folded[i]) {
			return false
		}
	}
	return true
}

// isShortName reports whether name may be the 8.3 name Windows made for the
// protected name: ".git" is also GIT~1.
func isShortName(protected, name string) bool {
	stem, digits, ok := strings.Cut(name, "~")
	if !ok || len(digits) != 1 || digits[0] < '1' || digits[0] > '9' {
		return false
	}
	plain := strings.TrimLeft(protected, ".")
	return plain != protected && stem == plain[:min(len(plain), 6)]
}

// protectedName returns the pattern that protects the path below the root
// whose path has depth components.
func (r *Resolver) protectedName(parts []string, depth int) (string, bool) {
	folded := make([]string, len(parts))
	for i, part := range parts {
		folded[i] = foldName(part)
	}
	for _, p := range r.protect {
		if p.match(folded, depth) {
			return p.text, true
		}
	}
	return "", false
}

func protectedError(shown, by string) error {
	return &Error{
		Code: ProtectedPath, By: by,
		Fact: fmt.Sprintf("%s is protected from writing (%s)", shown, Escape(by)),
		Hint: "choose another path; a protected place can only be changed by the user",
	}
}
