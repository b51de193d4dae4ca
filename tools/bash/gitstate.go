package bash

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"septet/backend"
	"septet/session"
	"septet/toolset"
)

const (
	// maxGitConfigBytes bounds a configuration file that is watched. A larger
	// one is looked at anew each time.
	maxGitConfigBytes = 64 << 10
	// maxGitNames bounds the names in a ".git" that is watched; git makes
	// about a dozen.
	maxGitNames = 256
)

// watched is how many directories, from dir up to the working directory, may
// hold the repository for its files to be watched. Elsewhere none is.
func watched(dir string) int {
	switch {
	case dir == ".":
		return 1
	case path.IsAbs(dir):
		return 0
	}
	return strings.Count(dir, "/") + 2
}

// watches reports whether gitState of dir describes a repository that begins in
// top.
func watches(dir, top string) bool {
	for range watched(dir) {
		if dir == top {
			return true
		}
		dir = path.Dir(dir)
	}
	return false
}

// gitStateOnce is gitState of the moment the analysis first asked.
func (w *workspace) gitStateOnce(ctx context.Context, dir string) string {
	if w.states == nil {
		w.states = map[string]string{}
	}
	state, ok := w.states[dir]
	if !ok {
		state = w.gitState(ctx, dir)
		w.states[dir] = state
	}
	return state
}

// gitState describes the files that decide what git does in dir: the
// configuration and the index of every repository from there up. "" means that
// they cannot be told.
func (w *workspace) gitState(ctx context.Context, dir string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%p %s\n", w.sc, dir)
	for range watched(dir) {
		if !w.repositoryState(ctx, path.Join(dir, ".git"), &b) {
			return ""
		}
		dir = path.Dir(dir)
	}
	return b.String()
}

// repositoryState describes one ".git". What is no directory, or has one of
// the files that lead elsewhere, is not watched.
func (w *workspace) repositoryState(ctx context.Context, dir string, b *strings.Builder) bool {
	p, err := w.sc.Resolve(dir, session.Read, session.Directory)
	if codeOf(err) == toolset.NotFound {
		b.WriteString("none\n")
		return true
	}
	if err != nil {
		return false
	}
	defer p.Close()
	page, err := w.sc.Files().ReadDir(ctx, p, 0, maxGitNames)
	if err != nil || page.Total > maxGitNames {
		return false
	}
	ok := true
	for _, info := range page.Entries {
		switch info.Name {
		case "config":
			ok = ok && w.configState(ctx, path.Join(dir, info.Name), b)
		case "index":
			ok = ok && w.indexState(ctx, path.Join(dir, info.Name), b)
		case "commondir", "config.worktree":
			ok = false
		}
	}
	return ok
}

// configState is the whole text of a configuration.
func (w *workspace) configState(ctx context.Context, name string, b *strings.Builder) bool {
	f, err := w.open(ctx, name)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxGitConfigBytes+1))
	fmt.Fprintf(b, "config %d\n%s\n", len(text), text)
	return err == nil && len(text) <= maxGitConfigBytes
}

// indexState is the size of an index and the checksum at its end. An index
// without one (index.skipHash) cannot be told from the next.
func (w *workspace) indexState(ctx context.Context, name string, b *strings.Builder) bool {
	f, err := w.open(ctx, name)
	if err != nil {
		return false
	}
	defer f.Close()
	var sum [20]byte
	_, err = f.ReadAt(sum[:], max(0, f.Size()-int64(len(sum))))
	fmt.Fprintf(b, "index %d %x\n", f.Size(), sum)
	return (err == nil || err == io.EOF) && sum != [20]byte{}
}

func (w *workspace) open(ctx context.Context, name string) (backend.File, error) {
	p, err := w.sc.Resolve(name, session.Read, session.File)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return w.sc.Files().Open(ctx, p)
}
