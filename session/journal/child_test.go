package journal_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"septet/backend"
	"septet/safepath"
)

// childVariable makes this test binary another process of a workspace: its
// value is what TestChild is to do there.
const childVariable = "SEPTET_JOURNAL_CHILD"

// TestChild is no test: it is the body of the processes that others start.
func TestChild(t *testing.T) {
	task := os.Getenv(childVariable)
	if task == "" {
		t.Skip("only in a process that another test starts")
	}
	var workspace, state, name string
	var edits int
	if _, err := fmt.Sscan(task, &workspace, &state, &name, &edits); err != nil {
		t.Fatal(err)
	}
	p := openPlace(t, workspace, state)
	for i := range edits {
		c := p.appendLine("shared.txt", fmt.Sprintf("%s %d %d\n", name, os.Getpid(), i))
		acknowledge(c)
		c = p.write(name+"/own.txt", fmt.Sprintf("%d %d\n", os.Getpid(), i))
		acknowledge(c)
	}
}

// acknowledge tells the parent what was answered, in one write: the process
// can be killed anywhere but in the middle of a line.
func acknowledge(c backend.Change) {
	os.Stdout.WriteString(c.ID + " " + c.Path + " " + c.AfterSHA256 + "\n")
}

// appendLine edits a file that others edit as well: it starts over when one of
// them was faster.
func (p *place) appendLine(path, line string) backend.Change {
	p.t.Helper()
	for {
		c, err := p.change(p.call(""), path, func(b backend.Before) ([]byte, error) {
			lines := strings.SplitAfter(string(b.Content), "\n")
			kept := lines[max(0, len(lines)-40):] // stays small
			return []byte(strings.Join(kept, "") + line), nil
		})
		switch safepath.CodeOf(err) {
		case safepath.Stale, safepath.Exists, safepath.PathChanged:
			continue
		}
		must(p.t, err)
		return c
	}
}

// child is a running process of a workspace.
type child struct {
	command *exec.Cmd
	output  io.ReadCloser
}

func (p *place) start(name string, edits int) child {
	p.t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestChild$", "-test.count=1")
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %s %d", childVariable, p.workspace, p.state, name, edits))
	output, err := c.StdoutPipe()
	must(p.t, err)
	must(p.t, c.Start())
	p.t.Cleanup(func() { c.Process.Kill() })
	return child{c, output}
}

// answer is an acknowledged change.
type answer struct{ id, path, digest string }

// answers reads at most max acknowledgements; fewer when the process ends.
func (c child) answers(lines *bufio.Scanner, max int) []answer {
	var got []answer
	for len(got) < max && lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 3 {
			got = append(got, answer{fields[0], fields[1], fields[2]})
		}
	}
	return got
}

// A process that is killed at any moment loses nothing that it answered, and
// what it did not answer is shown as applied only when the file says so.
func TestKill(t *testing.T) {
	kills := 60 // of the whole program, more are killed elsewhere
	if testing.Short() {
		kills = 20
	}
	p := newPlace(t)
	r := rand.New(rand.NewPCG(1, 2))
	answered := map[string]answer{}
	for range kills {
		c := p.start("a", 1000)
		lines := bufio.NewScanner(c.output)
		for _, a := range c.answers(lines, 1+r.IntN(6)) {
			answered[a.id] = a
		}
		// Nothing is waited for here: the moment of the kill is what varies.
		time.Sleep(time.Duration(r.IntN(4000)) * time.Microsecond)
		must(t, c.command.Process.Kill())
		for _, a := range c.answers(lines, 1000) { // written before the kill, read after it
			answered[a.id] = a
		}
		c.command.Wait()
		if r.IntN(3) == 0 { // sometimes nobody looks before the next one starts
			p.checkChains(answered)
		}
	}
	p.checkChains(answered)
	p.checkIntegrity()
	t.Logf("%d kills, %d answered changes, %d records", kills, len(answered), len(p.all()))
}

// Two processes of one session: every change is recorded once.
func TestTwoProcessesOfOneSession(t *testing.T) {
	const edits = 150 // of either file
	p := newPlace(t)
	children := []child{p.start("a", edits), p.start("b", edits)}
	done := make(chan []answer)
	for _, c := range children {
		go func() { done <- c.answers(bufio.NewScanner(c.output), 10*edits) }()
	}
	answered := map[string]answer{}
	for range children {
		for _, a := range <-done {
			answered[a.id] = a
		}
	}
	for _, c := range children {
		must(t, c.command.Wait())
	}
	if len(answered) != 4*edits {
		t.Errorf("%d changes were answered, want %d", len(answered), 4*edits)
	}
	if found := p.all(); len(found) != 4*edits {
		t.Errorf("%d records, want %d", len(found), 4*edits)
	}
	p.checkChains(answered)
	p.checkIntegrity()
}

// all lists every record, newest first.
func (p *place) all() []backend.Record {
	p.t.Helper()
	var found []backend.Record
	q := backend.RecordQuery{Session: "s1", Limit: backend.MaxRecords}
	for {
		page, err := p.history.List(context.Background(), q)
		must(p.t, err)
		found = append(found, page.Records...)
		if page.Next == 0 {
			return found
		}
		q.Before = page.Next
	}
}

// checkChains wants every answered change among the applied records, and the
// applied records of each file to lead, one from the other, from no file to
// what is on disk.
func (p *place) checkChains(answered map[string]answer) {
	p.t.Helper()
	next := map[string]string{} // per path, what the record after this one started from
	seen := 0
	for _, r := range p.all() {
		if r.State != backend.Applied {
			p.t.Errorf("%s of %s is %s", r.ID, r.Path, r.State)
		}
		after, known := next[r.Path]
		if !known {
			after = sum(p.read(r.Path))
		}
		if r.AfterSHA256 != after {
			p.t.Fatalf("%s left %s as %.8s, and then it was %.8s", r.ID, r.Path, r.AfterSHA256, after)
		}
		next[r.Path] = r.BeforeSHA256
		if a, ok := answered[r.ID]; ok {
			seen++
			if a.digest != r.AfterSHA256 || a.path != r.Path {
				p.t.Errorf("answered %v, recorded %+v", a, r)
			}
		}
	}
	if seen != len(answered) {
		p.t.Fatalf("%d of %d answered changes are recorded", seen, len(answered))
	}
	for path, start := range next {
		if start != "" {
			p.t.Errorf("the first record of %s starts from %.8s, not from no file", path, start)
		}
	}
}

// checkIntegrity asks the database itself, and that no dead process has left
// its lock behind once another has begun.
func (p *place) checkIntegrity() {
	p.t.Helper()
	db, err := sql.Open("sqlite", p.store.Path())
	must(p.t, err)
	defer db.Close()
	var verdict string
	must(p.t, db.QueryRow("PRAGMA integrity_check").Scan(&verdict))
	if verdict != "ok" {
		p.t.Errorf("integrity: %s", verdict)
	}
	other := p.again()
	other.write("last.txt", "x\n")
	owners, err := os.ReadDir(filepath.Join(filepath.Dir(p.store.Path()), "owners"))
	must(p.t, err)
	if len(owners) > 2 { // of other, and of p when it has written
		p.t.Errorf("%d owners are left", len(owners))
	}
}
