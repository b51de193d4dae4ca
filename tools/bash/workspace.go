package bash

import (
	"context"
	"path"
	"strings"

	"septet/session"
	"septet/tools/bash/shell"
	"septet/toolset"
)

// workspace shows a session's files to one analysis, through the same path
// layer that the file tools use.
type workspace struct {
	sc       *session.SessionContext
	git      *gitScans
	versions *versions
	states   map[string]string // of repositories, by directory, when first asked
}

var _ shell.Workspace = (*workspace)(nil)

// Look resolves for reading. A path that does not exist is a Place.
func (w *workspace) Look(raw string) (shell.Place, error) {
	p, err := w.sc.Resolve(raw, session.Read, session.FileOrDirectory)
	switch code := codeOf(err); {
	case code == toolset.NotFound:
		return shell.Place{Path: raw}, nil
	case code == toolset.NotRegularFile:
		return shell.Place{Path: raw, Kind: shell.Other}, nil
	case err != nil:
		return shell.Place{}, err
	}
	return w.place(raw, p)
}

// Target resolves for writing. What is no file may be a directory.
func (w *workspace) Target(raw string) (shell.Place, error) {
	p, err := w.sc.Resolve(raw, session.Write, session.File)
	if codeOf(err) == toolset.NotRegularFile {
		p, err = w.sc.Resolve(raw, session.Write, session.Directory)
	}
	if err != nil {
		return shell.Place{}, err
	}
	return w.place(raw, p)
}

func codeOf(err error) toolset.Code {
	if err == nil {
		return ""
	}
	return toolset.AsError(err).Code
}

// place closes p: an analysis keeps no handle.
func (w *workspace) place(raw string, p *session.CheckedPath) (shell.Place, error) {
	defer p.Close()
	place := shell.Place{Path: p.String(), Linked: !w.same(raw, p.String())}
	info, err := w.sc.Files().Stat(context.Background(), p)
	switch {
	case codeOf(err) == toolset.NotFound:
		return place, nil
	case err != nil:
		return shell.Place{}, err
	}
	place.Kind = kindOf(info.KindName())
	return place, nil
}

// same reports whether the canonical path is the one that was named: then no
// link stands on it. Where the two cannot be compared it says no.
func (w *workspace) same(raw, canonical string) bool {
	return w.absolute(raw) == w.absolute(canonical)
}

func (w *workspace) absolute(name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(w.sc.WorkingDirectory(), name)
}

func kindOf(name string) shell.Kind {
	switch name {
	case "file":
		return shell.File
	case "directory":
		return shell.Directory
	case "symlink":
		return shell.Link
	}
	return shell.Other
}

// List reads a directory. A name that is shown escaped would be read as
// another one.
func (w *workspace) List(ctx context.Context, raw string, limit int) ([]shell.Entry, error) {
	p, err := w.sc.Resolve(raw, session.Read, session.Directory)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	page, err := w.sc.Files().ReadDir(ctx, p, 0, limit+1)
	if err != nil {
		return nil, err
	}
	if page.Total > limit {
		return nil, toolset.Errorf(toolset.TooLarge, "%s has more than %d names", p, limit)
	}
	entries := make([]shell.Entry, len(page.Entries))
	for i, info := range page.Entries {
		if strings.Contains(info.Name, `\`) {
			return nil, toolset.Errorf(toolset.InvalidPath, "a name in %s is not plain text", p)
		}
		entries[i] = shell.Entry{Name: info.Name, Kind: kindOf(info.KindName())}
	}
	return entries, nil
}

// Foreign asks the path layer for every place the program may be found in. A
// directory of the search path, or a link in it, may lead into a root.
func (w *workspace) Foreign(program string) bool {
	if !gnu {
		return false
	}
	for _, dir := range shell.SearchDirectories() {
		p, err := w.sc.Resolve(dir+"/"+program, session.Read, session.FileOrDirectory)
		if err == nil {
			p.Close()
		}
		if codeOf(err) != toolset.OutsideRoot {
			return false
		}
	}
	return true
}
