package backend

import (
	"cmp"
	"context"
	"slices"

	"septet/safepath"
)

// Stat describes the path as it was when it was checked.
func (f *Files) Stat(ctx context.Context, p *safepath.CheckedPath) (Info, error) {
	if err := f.own(ctx, p); err != nil {
		return Info{}, err
	}
	st := safepath.StatOf(p)
	if st.Kind == safepath.KindUnknown {
		return Info{}, &Error{Code: safepath.NotFound, Fact: p.String() + " does not exist"}
	}
	return Info{Name: p.String(), Kind: st.Kind, Size: st.Size, Mode: st.Mode.Perm()}, nil
}

// ReadDir returns one page of a directory. Only the names on the page are
// looked at.
func (f *Files) ReadDir(ctx context.Context, p *safepath.CheckedPath, offset, limit int) (Page, error) {
	if err := f.own(ctx, p); err != nil {
		return Page{}, err
	}
	d, err := safepath.OpenDir(p)
	if err != nil {
		return Page{}, err
	}
	defer d.Close()
	entries, err := d.ReadNames()
	if err != nil {
		return Page{}, coded("list", p.String(), err)
	}
	slices.SortFunc(entries, func(a, b safepath.Entry) int { return cmp.Compare(a.Name, b.Name) })
	page := Page{Total: len(entries)}
	start := min(offset, len(entries))
	for _, e := range entries[start:min(start+limit, len(entries))] {
		if err := ctx.Err(); err != nil {
			return Page{}, err
		}
		page.Entries = append(page.Entries, describe(d, e))
	}
	return page, nil
}

// describe looks at one name. One that is gone or closed to us keeps the kind
// that the directory told.
func describe(d safepath.Dir, e safepath.Entry) Info {
	info := Info{Name: safepath.Escape(e.Name), Kind: e.Kind}
	st, err := d.Lookup(e.Name)
	if err != nil {
		return info
	}
	info.Kind, info.Mode = st.Kind, st.Mode.Perm()
	switch st.Kind {
	case safepath.KindFile:
		info.Size = st.Size
	case safepath.KindSymlink:
		target, _ := d.Readlink(e.Name) // gone meanwhile: shown without target
		info.Target = safepath.Escape(target)
	}
	return info
}
