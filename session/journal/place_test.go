package journal_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"septet/backend"
	"septet/safepath"
	"septet/session"
	"septet/session/journal"
)

var _ session.History = (*journal.History)(nil)

// place is a workspace on disk with its journal, as one process has them.
type place struct {
	t         testing.TB
	workspace string
	state     string
	session   string
	store     *journal.Store
	paths     *safepath.Resolver
	plain     backend.FileSystem // without the journal
	files     backend.FileSystem
	history   *journal.History
	notices   []string // what the store told
}

// newPlace makes an empty workspace beside an empty state directory.
func newPlace(t testing.TB) *place {
	top := t.TempDir()
	workspace := filepath.Join(top, "workspace")
	must(t, os.Mkdir(workspace, 0o755))
	return openPlace(t, workspace, filepath.Join(top, "state"))
}

// openPlace is what another process does with the same workspace.
func openPlace(t testing.TB, workspace, state string) *place {
	p := &place{t: t, workspace: workspace, state: state, session: "s1", plain: backend.NewFiles(safepath.OS())}
	p.store = journal.New(journal.Config{State: state, Workspace: workspace, Notice: func(fact, hint string) {
		p.notices = append(p.notices, fact+"\nhint: "+hint)
	}})
	t.Cleanup(func() { p.store.Close() })
	p.files = p.store.Wrap(p.plain)
	var err error
	p.paths, err = safepath.NewResolver(p.plain.Volume(), safepath.Config{
		WorkingDirectory: workspace, Roots: []safepath.Root{{Path: workspace, Writable: true}}, State: state,
	})
	must(t, err)
	t.Cleanup(func() { p.paths.Close() })
	p.history = p.store.History(p.files, p.paths)
	return p
}

// again opens the same workspace as another process would.
func (p *place) again() *place {
	other := openPlace(p.t, p.workspace, p.state)
	other.session = p.session
	return other
}

func (p *place) call(turn string) context.Context {
	return backend.WithProvenance(p.t.Context(), backend.Provenance{Session: p.session, Turn: turn, CallID: "c1", Tool: "write"})
}

// change replaces a file by what make returns.
func (p *place) change(ctx context.Context, path string, make func(backend.Before) ([]byte, error)) (backend.Change, error) {
	checked, err := p.paths.Resolve(path, safepath.Write, safepath.File)
	if err != nil {
		return backend.Change{}, err
	}
	defer checked.Close()
	return p.files.Replace(ctx, checked, backend.Replacement{Make: make})
}

// write gives a file a content and wants that to succeed.
func (p *place) write(path, content string) backend.Change {
	p.t.Helper()
	return p.writeIn("", path, content)
}

func (p *place) writeIn(turn, path, content string) backend.Change {
	p.t.Helper()
	c, err := p.change(p.call(turn), path, func(backend.Before) ([]byte, error) { return []byte(content), nil })
	must(p.t, err)
	return c
}

func (p *place) undo(r backend.UndoRequest) backend.UndoResult {
	p.t.Helper()
	result, err := p.history.Undo(p.call(""), r)
	must(p.t, err)
	return result
}

func (p *place) list(q backend.RecordQuery) []backend.Record {
	p.t.Helper()
	page, err := p.history.List(p.t.Context(), q)
	must(p.t, err)
	return page.Records
}

func (p *place) at(path string) string { return filepath.Join(p.workspace, path) }

func (p *place) read(path string) string {
	p.t.Helper()
	content, err := os.ReadFile(p.at(path))
	must(p.t, err)
	return string(content)
}

// tree describes everything below the workspace: kind, mode and content.
func (p *place) tree() map[string]string {
	p.t.Helper()
	found := map[string]string{}
	must(p.t, filepath.WalkDir(p.workspace, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content := ""
		if info.Mode().IsRegular() {
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = string(raw)
		}
		found[strings.TrimPrefix(path, p.workspace)] = info.Mode().String() + " " + content
		return nil
	}))
	return found
}

func sameTree(t testing.TB, got, want map[string]string) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if got[path] != want[path] {
			t.Errorf("%s is %q, want %q", path, got[path], want[path])
		}
	}
	for _, path := range slices.Sorted(maps.Keys(got)) {
		if _, wanted := want[path]; !wanted {
			t.Errorf("%s should not be there: %q", path, got[path])
		}
	}
}

func wantCode(t testing.TB, err error, code safepath.Code) *backend.Error {
	t.Helper()
	var told *backend.Error
	if !errors.As(err, &told) {
		t.Fatalf("error is %v, want one with code %s", err, code)
	}
	if told.Code != code {
		t.Fatalf("code of %q is %s, want %s", told.Fact, told.Code, code)
	}
	return told
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// meddling is a file system on which somebody else does something before the
// replacement that comes after the given number.
type meddling struct {
	backend.FileSystem
	before int
	meddle func()
}

func (m *meddling) Replace(ctx context.Context, p *safepath.CheckedPath, r backend.Replacement) (backend.Change, error) {
	if m.before == 0 {
		m.meddle()
	}
	m.before--
	return m.FileSystem.Replace(ctx, p, r)
}
