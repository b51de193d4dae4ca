package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"septet/backend"
	"septet/backend/memory"
	"septet/safepath"
	"septet/server"
	"septet/session"
	"septet/session/journal"
	"septet/toolset"
)

// past is a workspace in memory with a real journal.
type past struct {
	t       *testing.T
	volume  *memory.Volume
	paths   *safepath.Resolver
	files   backend.FileSystem
	history session.History
	pause   func() // called within each replacement; nil for none
}

func newPast(t *testing.T) *past {
	p := &past{t: t, volume: memory.NewVolume()}
	const root = "/w"
	if err := p.volume.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	var err error
	p.paths, err = safepath.NewResolver(p.volume, safepath.Config{
		WorkingDirectory: root, Roots: []safepath.Root{{Path: root, Writable: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.paths.Close() })
	store := journal.New(journal.Config{State: t.TempDir(), Workspace: root})
	t.Cleanup(func() { store.Close() })
	p.files = store.Wrap(paused{memory.New(p.volume, nil).Files, p})
	p.history = store.History(p.files, p.paths)
	return p
}

// paused is the file system below the journal.
type paused struct {
	backend.FileSystem
	past *past
}

func (f paused) Replace(ctx context.Context, p *safepath.CheckedPath, r backend.Replacement) (backend.Change, error) {
	if f.past.pause != nil {
		f.past.pause()
	}
	return f.FileSystem.Replace(ctx, p, r)
}

func (p *past) start() *host {
	h := start(p.t, func(c *server.Config) { c.History = p.history })
	h.initialize(server.Revision20251125)
	return h
}

func (p *past) write(from session.Provenance, path, content string) backend.Change {
	p.t.Helper()
	checked, err := p.paths.Resolve(path, safepath.Write, safepath.File)
	if err != nil {
		p.t.Fatal(err)
	}
	defer checked.Close()
	c, err := p.files.Replace(session.WithProvenance(p.t.Context(), from), checked, backend.Replacement{
		Make: func(backend.Before) ([]byte, error) { return []byte(content), nil },
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

var own = session.Provenance{Session: "s", Turn: "t1", CallID: "c1", Tool: "write"}

func request(id int, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"septet/changes/%s","params":%s}`, id, method, params)
}

// listed is the answer of septet/changes/list.
type listed struct {
	Changes    []map[string]any
	NextCursor string
}

func (h *host) list(params string) listed {
	h.t.Helper()
	a := h.ask(request(1, "list", params))
	var l listed
	if a.Error != nil || json.Unmarshal(a.Result, &l) != nil || l.Changes == nil {
		h.t.Fatalf("list %s: %s", params, a.raw)
	}
	return l
}

func TestChangesListHasTheRecordsWithoutHunks(t *testing.T) {
	p := newPast(t)
	c := p.write(own, "src/a.txt", "one\n")
	h := p.start()
	got := h.list(`{}`)
	want := artifact(t, c, own)
	delete(want, "hunks")
	want["state"] = "applied"
	if len(got.Changes) != 1 || !sameJSON(got.Changes[0], want) {
		t.Errorf("listed %v, want %v", got.Changes, want)
	}
}

func TestChangesGetIsTheArtifactOfTheCall(t *testing.T) {
	p := newPast(t)
	p.write(own, "a.txt", "one\ntwo")
	c := p.write(own, "a.txt", "one\n<&>\n")
	a := p.start().ask(request(1, "get", `{"changeId":"`+c.ID+`"}`))
	var got struct{ Change map[string]any }
	if a.Error != nil || json.Unmarshal(a.Result, &got) != nil {
		t.Fatal(a.raw)
	}
	want := artifact(t, c, own)
	want["state"] = "applied"
	if !sameJSON(got.Change, want) {
		t.Errorf("got %v\nwant %v", got.Change, want)
	}
	if !strings.Contains(a.raw, "+<&>") {
		t.Errorf("text was escaped: %s", a.raw)
	}
}

func TestChangesListFiltersAndPages(t *testing.T) {
	p := newPast(t)
	for i := range 5 {
		p.write(own, fmt.Sprintf("dir/%d.txt", i), "x\n")
	}
	p.write(session.Provenance{Session: "s", Turn: "t2"}, "dirt.txt", "x\n")
	p.write(session.Provenance{Session: "other"}, "dir/other.txt", "x\n")
	h := p.start()
	for params, want := range map[string]int{
		`{}`: 7, `{"session":"s"}`: 6, `{"session":"other"}`: 1, `{"session":null}`: 7, `{"turn":"t2"}`: 1, `{"path":"dir"}`: 6, `{"path":"dir/","session":"s"}`: 5,
		`{"path":"dir/3.txt"}`: 1, `{"path":"di"}`: 0, `{"path":".","session":""}`: 7, `{"turn":"none"}`: 0,
	} {
		if got := h.list(params); len(got.Changes) != want {
			t.Errorf("%s lists %d, want %d", params, len(got.Changes), want)
		}
	}
	var paths []string
	for cursor := ""; ; {
		page := h.list(`{"session":"s","limit":4,"cursor":"` + cursor + `"}`)
		for _, c := range page.Changes {
			paths = append(paths, c["path"].(string))
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	if want := "dirt.txt dir/4.txt dir/3.txt dir/2.txt dir/1.txt dir/0.txt"; strings.Join(paths, " ") != want {
		t.Errorf("pages give %v, want %s", paths, want)
	}
}

func TestChangesRefuse(t *testing.T) {
	p := newPast(t)
	c := p.write(own, "a.txt", "x\n")
	h := p.start()
	for frame, want := range map[string]string{
		request(1, "list", `{"limit":0}`):                       `-32602 `,
		request(1, "list", `{"limit":1001}`):                    `-32602 `,
		request(1, "list", `{"cursor":"-"}`):                    `-32602 `,
		request(1, "list", `{"Turn":"x"}`):                      `-32602 `,
		request(1, "list", `{"turn":7}`):                        `-32602 `,
		request(1, "get", `{}`):                                 `-32602 `,
		request(1, "get", `{"changeId":"nothing"}`):             `2 not_found`,
		request(1, "undo", `{}`):                                `-32602 `,
		request(1, "undo", `{"last":-1}`):                       `-32602 `,
		request(1, "undo", `{"last":1,"turn":"t1"}`):            `-32602 `,
		request(1, "undo", `{"turn":"none"}`):                   `2 not_found`,
		request(1, "undo", `{"changeIds":["nothing"]}`):         `2 not_found`,
		request(1, "undo", `{"changeIds":"`+c.ID+`"}`):          `-32602 `,
		request(1, "undo", `{"changeIds":[],"dryRun":"false"}`): `-32602 `,
	} {
		if got := code(h.ask(frame)); got != want {
			t.Errorf("%s gives %q, want %q", frame, got, want)
		}
	}
	if got := h.list(`{}`); len(got.Changes) != 1 || got.Changes[0]["state"] != "applied" {
		t.Errorf("something was changed: %v", got.Changes)
	}
}

// code is the code of an error answer and that of its data.
func code(a answer) string {
	var data struct{ Code, Message string }
	if a.Error == nil {
		return "none: " + a.raw
	}
	json.Unmarshal(a.Error.Data, &data)
	return fmt.Sprintf("%d %s", a.Error.Code, data.Code)
}

func TestChangesUndo(t *testing.T) {
	p := newPast(t)
	a := p.write(own, "a.txt", "one\n")
	b := p.write(own, "b.txt", "one\n")
	h := p.start()
	h.send(request(1, "undo", `{"turn":"t1","dryRun":true}`))
	h.expect(`{"jsonrpc":"2.0","id":1,"result":{"undone":["` + b.ID + `","` + a.ID + `"],"recorded":[],"conflicts":[],"dryRun":true}}`)
	p.write(session.Provenance{Session: "else"}, "a.txt", "two\n")
	h.send(request(2, "undo", `{"turn":"t1"}`))
	h.expect(`{"jsonrpc":"2.0","id":2,"result":{"undone":[],"recorded":[],"conflicts":[{"changeId":"` + a.ID + `","path":"a.txt",` +
		`"expected":"` + a.AfterSHA256 + `","found":"27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a","reason":"the content was changed"}]}}`)
	h.send(request(3, "undo", `{"last":1}`))
	newest := h.recv
	if got := newest(); !strings.Contains(got, `"undone":["`+b.ID+`"]`) {
		t.Errorf("undo of the last: %s", got)
	}
	undo := h.list(`{"limit":1}`).Changes[0]
	if undo["tool"] != "undo" || undo["undoes"] != b.ID || undo["change"] != "deleted" || undo["turn"] != nil || undo["afterSha256"] != nil {
		t.Errorf("the undo is recorded as %v", undo)
	}
	h.send(request(4, "undo", `{"changeIds":["`+b.ID+`"]}`))
	if got := code(h.next()); got != "4 not_undoable" {
		t.Errorf("undoing twice gives %s", got)
	}
}

func TestUndoIsRefusedWhileACallRuns(t *testing.T) {
	p := newPast(t)
	p.write(own, "a.txt", "one\n")
	h := p.start()
	h.send(toolCall("7", "wait", `{"text":"x"}`, ""))
	<-h.fake.running
	a := h.ask(request(1, "undo", `{"last":1}`))
	if code(a) != "1 turn_active" || !strings.Contains(a.raw, `"retryable":true`) {
		t.Errorf("undo gives %s", a.raw)
	}
	h.fake.releaseAll()
	h.next() // of the call
	if a := h.ask(request(2, "undo", `{"last":1}`)); a.Error != nil {
		t.Errorf("undo after the call gives %s", a.raw)
	}
}

func TestACallDuringAnUndoWaitsAndThenRuns(t *testing.T) {
	p := newPast(t)
	p.write(own, "a.txt", "one\n")
	h := p.start()
	inside, goOn := make(chan struct{}), make(chan struct{})
	p.pause = func() { close(inside); <-goOn }
	h.send(request(1, "undo", `{"last":1}`))
	<-inside
	h.send(toolCall("2", "wait", `{"text":"x"}`, ""))
	h.send(request(3, "undo", `{"last":1}`))
	if got := code(h.next()); got != "1 turn_active" {
		t.Errorf("a second undo gives %s", got)
	}
	h.silence()
	select {
	case <-h.fake.running:
		t.Error("the call ran beside the undo")
	default:
	}
	close(goOn)
	if a := h.next(); string(a.ID) != "1" || a.Error != nil {
		t.Errorf("the undo gives %s", a.raw)
	}
	<-h.fake.running
}

func TestUndoIsRefusedInAReadOnlySession(t *testing.T) {
	p := newPast(t)
	p.write(own, "a.txt", "one\n")
	h := start(t, func(c *server.Config) {
		c.History, c.Selection = p.history, toolset.Selection{Mode: session.ModeReadOnly}
	})
	h.initialize(server.Revision20251125)
	if got := code(h.ask(request(1, "undo", `{"last":1}`))); got != "5 not_allowed" {
		t.Errorf("undo gives %s", got)
	}
	if a := h.ask(request(2, "undo", `{"last":1,"dryRun":true}`)); a.Error != nil {
		t.Errorf("a dry run gives %s", a.raw)
	}
}

func TestWithoutAJournalThereIsNoUndo(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20251125)
	if got := h.list(`{}`); len(got.Changes) != 0 {
		t.Errorf("listed %v", got)
	}
	if got := code(h.ask(request(1, "get", `{"changeId":"abcdef"}`))); got != "2 not_found" {
		t.Errorf("get gives %s", got)
	}
	if got := code(h.ask(request(2, "undo", `{"last":1}`))); got != "4 not_undoable" {
		t.Errorf("undo gives %s", got)
	}
}

func TestAChangeTooLargeForAnAnswerIsRefused(t *testing.T) {
	p := newPast(t)
	p.write(own, "a.txt", strings.Repeat("\x01", backend.MaxTextBytes))
	c := p.write(own, "a.txt", strings.Repeat("\x02", backend.MaxTextBytes))
	h := p.start()
	if got := code(h.ask(request(1, "get", `{"changeId":"`+c.ID+`"}`))); got != "6 frame_too_large" {
		t.Errorf("get gives %.200s", got)
	}
	if got := h.list(`{}`); len(got.Changes) != 2 {
		t.Errorf("listed %v", got)
	}
}

func TestModernChangesNeedTheExtension(t *testing.T) {
	p := newPast(t)
	p.write(own, "a.txt", "one\n")
	h := start(t, func(c *server.Config) { c.History = p.history })
	if a := h.ask(request(1, "list", `{`+modernMeta+`}}`)); a.Error == nil || a.Error.Code != -32021 {
		t.Errorf("without the extension: %s", a.raw)
	}
	declared := strings.Replace(modernMeta, `clientCapabilities":{}`, `clientCapabilities":{"extensions":{"septet/host":{}}}`, 1)
	a := h.ask(request(2, "list", `{`+declared+`}}`))
	if a.Error != nil || !strings.Contains(a.raw, `"resultType":"complete"`) || !strings.Contains(a.raw, `"path":"a.txt"`) {
		t.Errorf("with the extension: %s", a.raw)
	}
}

// artifact is a change as its call answers it.
func artifact(t *testing.T, c backend.Change, from session.Provenance) map[string]any {
	t.Helper()
	raw, err := json.Marshal(toolset.NewFileChange(c, from))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func sameJSON(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}
