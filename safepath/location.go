package safepath

// Location says where a checked path lies: for backends that decide by the
// names around it, such as a search that honours ignore files. It is no way to
// the object itself: that is the CheckedPath.
type Location struct {
	Volume Volume
	Root   string   // canonical, absolute, "/" between components
	Below  []string // components from the root to the path, as stored
}

// LocationOf returns the place of p. Nothing is known of a zero CheckedPath.
func LocationOf(p *CheckedPath) Location {
	if p == nil || p.resolver == nil {
		return Location{}
	}
	full := p.path
	if p.base != "" {
		full = joinPath(full, p.base)
	}
	parts, _ := below(p.root.canon, full)
	return Location{Volume: p.resolver.volume, Root: p.root.canon, Below: parts}
}
