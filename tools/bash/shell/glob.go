package shell

import (
	"context"
	"slices"
	"strings"
)

// expand sets the names that the pattern w matches, as bash would in the
// command's directory: sorted by bytes, hidden names only where the pattern
// says the dot, the pattern itself where nothing matches. Later, when the
// command runs, the names may be others; therefore only programs that do no
// harm with any name get patterns.
func (c *call) expand(ctx context.Context, w *word) error {
	if err := checkName(w.text); err != nil {
		return err
	}
	if c.line.patterns++; c.line.patterns > MaxPatterns {
		return refuse(badGlob, "more than %d patterns", MaxPatterns)
	}
	found := []string{""}
	parts := splitPattern(w.pattern)
	for i, part := range parts {
		next, err := c.expandPart(ctx, found, part, i == len(parts)-1)
		if err != nil {
			return err
		}
		found = next
	}
	if len(found) == 0 {
		found = []string{w.text}
	}
	c.line.names += len(found)
	if c.line.names > MaxGlobNames {
		return refuse(badGlob, "a pattern matches more than %d names", MaxGlobNames)
	}
	slices.Sort(found)
	for _, name := range found {
		// A name that begins with a dash would be a flag.
		if strings.HasPrefix(name, "-") {
			return refuse(badGlob, "a pattern matches %s", name)
		}
	}
	w.names = found
	if first := w.pattern[0]; !first.quoted && strings.ContainsRune("*?[", first.r) {
		c.line.loose = true
	}
	return nil
}

// splitPattern cuts a pattern at its slashes. A slash cannot be quoted away.
func splitPattern(symbols []symbol) [][]symbol {
	parts := [][]symbol{nil}
	for _, s := range symbols {
		if s.r == '/' {
			parts = append(parts, nil)
			continue
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], s)
	}
	return parts
}

// expandPart extends each prefix found so far by one component.
func (c *call) expandPart(ctx context.Context, found []string, part []symbol, last bool) ([]string, error) {
	m, err := compile(part)
	if err != nil {
		return nil, err
	}
	var next []string
	for _, prefix := range found {
		names := []string{textOf(part)}
		if m != nil {
			names, err = c.match(ctx, prefix, m, !last)
		} else if last {
			names, err = c.present(prefix, names[0])
		}
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if !last {
				name += "/"
			}
			next = append(next, prefix+name)
		}
		if len(next) > MaxGlobNames {
			return nil, refuse(badGlob, "a pattern matches more than %d names", MaxGlobNames)
		}
	}
	return next, nil
}

// present returns name if prefix has it. It comes last and is plain text, so
// patterns stand before it; "" asks for a directory.
func (c *call) present(prefix, name string) ([]string, error) {
	full := strings.TrimSuffix(prefix, "/")
	if name != "" {
		full = prefix + name
	}
	place, err := c.line.workspace.Look(join(c.dirs[0], full))
	if err != nil || place.Kind == Missing || name == "" && place.Kind != Directory {
		return nil, err
	}
	return []string{name}, nil
}

// match lists the names in the directory prefix that m matches. A component
// in the middle matches directories only, and what may be one.
func (c *call) match(ctx context.Context, prefix string, m matcher, directories bool) ([]string, error) {
	if m.matches("..") {
		// Before version 5.2 bash lists "." and ".." for ".*".
		return nil, refuse(badGlob, "a pattern that may match the directory above")
	}
	at := prefix
	if at == "" {
		at = "."
	}
	place, err := c.line.workspace.Look(join(c.dirs[0], at))
	if err != nil || place.Kind != Directory {
		return nil, err
	}
	entries, err := c.line.workspace.List(ctx, place.Path, MaxTreeEntries)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if m.matches(e.Name) && (!directories || e.Kind == Directory || e.Kind == Link) {
			names = append(names, e.Name)
		}
	}
	return names, nil
}

func textOf(part []symbol) string {
	var b strings.Builder
	for _, s := range part {
		b.WriteRune(s.r)
	}
	return b.String()
}
