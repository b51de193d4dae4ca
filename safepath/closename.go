package safepath

import (
	"fmt"
	"slices"
	"strings"
)

// notFound says what is missing, and which names in the same directory differ
// from it only in case, composition or the kind of blank.
func (p *CheckedPath) notFound() error {
	first := p.base
	if len(p.missing) > 0 {
		first = p.missing[0]
	}
	err := fail(NotFound, p.display+" does not exist", "")
	var close []string
	for _, name := range closeNames(p.parent, first) {
		rest := append(slices.Clone(p.missing), p.base)
		rest[0] = name
		full := p.path
		for _, part := range rest {
			full = joinPath(full, part)
		}
		close = append(close, fmt.Sprintf("%q", p.resolver.display(full)))
	}
	switch {
	case len(close) > 0:
		err.Hint = "there is " + strings.Join(close, ", ")
	case len(p.missing) > 0:
		err.Hint = fmt.Sprintf("%s does not exist either; list with path=%q shows what does", p.resolver.display(joinPath(p.path, first)), p.resolver.display(p.path))
	default:
		err.Hint = fmt.Sprintf("list with path=%q shows the names there", p.resolver.display(p.path))
	}
	return err
}

// closeNames leaves a huge directory unread: a suggestion is not worth it.
func closeNames(dir Dir, name string) []string {
	if st, err := dir.Stat(); err != nil || st.Size > MaxReadDirBytes {
		return nil
	}
	entries, err := dir.ReadNames()
	if err != nil {
		return nil
	}
	want := foldLoosely(name)
	var names []string
	for _, e := range entries {
		if foldLoosely(e.Name) == want {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return names[:min(len(names), MaxCloseNames)]
}
