package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"septet/backend"
	"septet/backend/local"
	"septet/safepath"
	"septet/session/journal"
)

// kills is how often TestKill kills a server: enough that every step of a
// change is met, and half a minute on a slow machine.
const kills = 200

// TestKill kills servers while they write. Nothing that they answered is lost,
// and what they did not answer is applied in the journal exactly when it is on
// disk.
func TestKill(t *testing.T) {
	n := kills
	if testing.Short() {
		n = 20
	}
	v := newVictims(t)
	r := rand.New(rand.NewPCG(3, 4))
	for round := range n {
		v.round(round, r)
		if round%10 == 0 { // mostly nobody looks before the next one starts
			v.check()
		}
	}
	v.check()
	v.checkIntegrity()
	t.Logf("%d kills, %d answered changes, %d records", n, len(v.answered), v.records)
}

// victims are servers of one session, one after the other.
type victims struct {
	t         *testing.T
	program   string
	workspace string
	state     string
	answered  map[string]string // digest after, by id of the change
	records   int
}

func newVictims(t *testing.T) *victims {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	v := &victims{t: t, program: program, workspace: filepath.Join(top, "w"), state: filepath.Join(top, "state"), answered: map[string]string{}}
	if err := os.Mkdir(v.workspace, 0o755); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestTwoServersOfOneSession: every change of two servers that write the same
// files is recorded once, whoever was faster.
func TestTwoServersOfOneSession(t *testing.T) {
	const calls = 300 // of each server
	v := newVictims(t)
	type change struct{ id, digest string }
	done := make(chan []change)
	for name := range 2 {
		server, in, answers := v.serve()
		go func() {
			for i := range calls {
				fmt.Fprintln(in, writeFrame(i, fmt.Sprintf("dir/%d.txt", i%3), fmt.Sprintf("%d %d\n", name, i)))
			}
		}()
		go func() {
			var made []change
			for range calls + 1 { // and the handshake
				line, err := answers.ReadBytes('\n')
				a, refused := parseAnswer(line)
				if err != nil || refused != "" && refused != "stale" && refused != "exists" && refused != "path_changed" {
					t.Errorf("answer %s: %v", line, err)
					break
				}
				for _, c := range a {
					made = append(made, change{c.ChangeID, c.AfterSHA256})
				}
			}
			in.Close()
			_ = server.Wait() // its answers are all there
			done <- made
		}()
	}
	for range 2 {
		for _, c := range <-done {
			v.answered[c.id] = c.digest
		}
	}
	v.check()
	v.checkIntegrity()
	if v.records != len(v.answered) || v.records < calls {
		t.Errorf("%d records of %d answered changes", v.records, len(v.answered))
	}
}

// round starts a server, sends it a number of writes and kills it at some
// moment.
func (v *victims) round(round int, r *rand.Rand) {
	v.t.Helper()
	server, in, answers := v.serve()
	for i := range 12 {
		fmt.Fprintln(in, writeFrame(i, fmt.Sprintf("dir/%d.txt", i%4), fmt.Sprintf("%d %d\n", round, i)))
	}
	for range 1 + r.IntN(8) {
		v.take(answers)
	}
	// Nothing is waited for here: the moment of the kill is what varies.
	time.Sleep(time.Duration(r.IntN(6000)) * time.Microsecond)
	if err := server.Process.Kill(); err != nil {
		v.t.Fatal(err)
	}
	for v.take(answers) {
	}
	_ = server.Wait() // killed
}

// serve starts a server and says hello.
func (v *victims) serve() (*exec.Cmd, io.WriteCloser, *bufio.Reader) {
	v.t.Helper()
	// The test binary is the program when it is called by its name.
	server := &exec.Cmd{Path: v.program, Args: []string{"septet", "serve", "--workspace", v.workspace, "--state", v.state, "--session", "s"}}
	in, err := server.StdinPipe()
	if err != nil {
		v.t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		v.t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		v.t.Fatal(err)
	}
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	v.t.Cleanup(func() { server.Process.Kill() })
	return server, in, bufio.NewReader(out)
}

func writeFrame(id int, path, content string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"write","arguments":{"path":%q,"content":%q}}}`, id, path, content)
}

// take reads one answer and remembers the changes it tells of; false at the
// end, also when it is in the middle of a frame.
func (v *victims) take(answers *bufio.Reader) bool {
	line, err := answers.ReadBytes('\n')
	if err != nil {
		return false
	}
	made, refused := parseAnswer(line)
	if refused != "" {
		v.t.Errorf("answer %s", line)
	}
	for _, a := range made {
		v.answered[a.ChangeID] = a.AfterSHA256
	}
	return true
}

// artifact is what a change is known by.
type artifact struct{ ChangeID, AfterSHA256 string }

// parseAnswer returns the changes that an answer tells of, or the code of a
// refusal.
func parseAnswer(line []byte) (made []artifact, refused string) {
	var frame struct {
		Result *struct {
			Meta struct {
				Artifacts []artifact            `json:"septet/artifacts"`
				Error     struct{ Code string } `json:"septet/error"`
			} `json:"_meta"`
		}
	}
	if err := json.Unmarshal(line, &frame); err != nil || frame.Result == nil {
		return nil, "no result"
	}
	return frame.Result.Meta.Artifacts, frame.Result.Meta.Error.Code
}

// check wants every answered change among the applied records, and the records
// of each file to lead, one from the other, from no file to what is on disk.
func (v *victims) check() {
	v.t.Helper()
	wanted := map[string]string{} // digest that the next older record of a path left
	missing := len(v.answered)
	records := v.all()
	v.records = len(records)
	for _, r := range records {
		want, seen := wanted[r.Path]
		if !seen {
			want = v.digest(r.Path)
		}
		if r.State != backend.Applied || r.AfterSHA256 != want {
			v.t.Fatalf("change %s of %s is %s and left %.8s, then it was %.8s", r.ID, r.Path, r.State, r.AfterSHA256, want)
		}
		wanted[r.Path] = r.BeforeSHA256
		if digest, answered := v.answered[r.ID]; answered {
			missing--
			if digest != r.AfterSHA256 {
				v.t.Errorf("change %s was answered with %.8s and recorded with %.8s", r.ID, digest, r.AfterSHA256)
			}
		}
	}
	if missing != 0 {
		v.t.Fatalf("%d of %d answered changes are not recorded", missing, len(v.answered))
	}
	for path, digest := range wanted {
		if digest != "" {
			v.t.Errorf("the first change of %s started from %.8s, not from no file", path, digest)
		}
	}
}

// all lists every record, newest first, as a later process does.
func (v *victims) all() []backend.Record {
	v.t.Helper()
	files := local.Files()
	paths, err := safepath.NewResolver(files.Volume(), safepath.Config{
		WorkingDirectory: v.workspace, Roots: []safepath.Root{{Path: v.workspace, Writable: true}},
	})
	if err != nil {
		v.t.Fatal(err)
	}
	defer paths.Close()
	store := journal.New(journal.Config{State: v.state, Workspace: paths.WorkingDirectory()})
	defer store.Close()
	history := store.History(store.Wrap(files), paths)
	var found []backend.Record
	q := backend.RecordQuery{Session: "s", Limit: backend.MaxRecords}
	for {
		page, err := history.List(context.Background(), q)
		if err != nil {
			v.t.Fatal(err)
		}
		found = append(found, page.Records...)
		if q.Before = page.Next; q.Before == 0 {
			return found
		}
	}
}

func (v *victims) digest(path string) string {
	v.t.Helper()
	content, err := os.ReadFile(filepath.Join(v.workspace, path))
	if err != nil {
		v.t.Fatal(err)
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// checkIntegrity asks the database itself.
func (v *victims) checkIntegrity() {
	v.t.Helper()
	found, err := filepath.Glob(filepath.Join(v.state, "journal", "*", "changes.db"))
	if err != nil || len(found) != 1 {
		v.t.Fatalf("databases %v, %v", found, err)
	}
	db, err := sql.Open("sqlite", found[0])
	if err != nil {
		v.t.Fatal(err)
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		v.t.Errorf("integrity: %s, %v", verdict, err)
	}
}
