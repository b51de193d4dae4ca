//go:build linux

package bash_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"septet/session"
	"septet/toolset"
)

// call runs a command as a host does that asked nobody.
func (p *place) call(t testing.TB, command string) toolset.ToolResult {
	t.Helper()
	arguments, err := json.Marshal(map[string]any{"command": command, "timeoutMs": 20_000})
	if err != nil {
		t.Fatal(err)
	}
	result, err := p.set.Call(context.Background(), session.NewCall("call", nil).AsAuto(), "bash", arguments)
	if err != nil {
		t.Fatalf("%q: %v", command, err)
	}
	return result
}

// TestReadOnlyCommandsChangeNothing runs every row that is let through and
// compares all names, contents and times, those in .git too.
func TestReadOnlyCommandsChangeNothing(t *testing.T) {
	if _, err := exec.LookPath("xxd"); err != nil {
		t.Log("xxd is missing: its row runs into command not found")
	}
	p := newPlace(t, session.ModeDefault)
	before := snapshot(t, p.root)
	ran := 0
	for _, row := range readCommands(t) {
		if row.class != session.ShellReadOnly {
			continue
		}
		result := p.call(t, row.command)
		if result.Status != toolset.StatusSucceeded || result.Decision.Verdict != session.Allow {
			t.Errorf("%q: %s %s", row.command, result.Status, result.Text)
		}
		ran++
		if after := snapshot(t, p.root); after != before {
			t.Fatalf("%q changed the workspace: %s", row.command, difference(before, after))
		}
	}
	if ran < 50 {
		t.Errorf("only %d commands ran", ran)
	}
}

// TestAskIsNotRun asks for every row that needs a question and sees that
// nothing happened.
func TestAskIsNotRun(t *testing.T) {
	p := newPlace(t, session.ModeAcceptEdits)
	before := snapshot(t, filepath.Dir(p.root))
	for _, row := range readCommands(t) {
		if row.class != session.ShellAsk {
			continue
		}
		result := p.call(t, row.command)
		if result.Failure == nil || result.Failure.Code != toolset.NotAllowed || result.Status != toolset.StatusDenied {
			t.Errorf("%q: %s %s", row.command, result.Status, result.Text)
		}
		if result.Decision.Verdict != session.Ask {
			t.Errorf("%q: %+v", row.command, result.Decision)
		}
	}
	if after := snapshot(t, filepath.Dir(p.root)); after != before {
		t.Errorf("something changed: %s", difference(before, after))
	}
}

// snapshot describes every object below root.
func snapshot(t testing.TB, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		what := ""
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			what = fmt.Sprintf("%x", sha256.Sum256(data))
		}
		fmt.Fprintf(&b, "%s %s %d %s\n", name, info.Mode(), info.ModTime().UnixNano(), what)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// difference is the lines that only one of two snapshots has.
func difference(before, after string) string {
	var b strings.Builder
	for line := range strings.Lines(after) {
		if !strings.Contains(before, line) {
			b.WriteString("\n+ " + line)
		}
	}
	for line := range strings.Lines(before) {
		if !strings.Contains(after, line) {
			b.WriteString("\n- " + line)
		}
	}
	return b.String()
}

// TestWritesAreDeclared runs every row that writes and compares what changed
// with what was declared: nothing may change but that, what is in it, and the
// times of the directories it is in.
func TestWritesAreDeclared(t *testing.T) {
	for _, row := range readTable(t, "shell/testdata/commands.tsv") {
		if row.class != session.ShellWorkspaceWrite {
			continue
		}
		p := newPlace(t, session.ModeAcceptEdits)
		effects := p.effects(t, row.command)
		before := snapshot(t, filepath.Dir(p.root))
		if result := p.call(t, row.command); result.Status != toolset.StatusSucceeded || !strings.Contains(result.Text, "[exit 0;") {
			t.Errorf("%q: %s", row.command, result.Text)
		}
		changed := changedPaths(before, snapshot(t, filepath.Dir(p.root)))
		if len(changed) == 0 {
			t.Errorf("%q changed nothing", row.command)
		}
		for _, name := range changed {
			if rel, err := filepath.Rel(p.root, name); err != nil || !declaredChange(effects, rel) {
				t.Errorf("%q changed %s; declared %+v", row.command, name, effects)
			}
		}
	}
}

// changedPaths are the paths whose line differs between two snapshots.
func changedPaths(before, after string) []string {
	count := map[string]int{}
	for _, line := range strings.Split(strings.TrimSuffix(before+after, "\n"), "\n") {
		count[line]++
	}
	seen := map[string]bool{}
	var changed []string
	for line, n := range count {
		if name, _, _ := strings.Cut(line, " "); n == 1 && !seen[name] {
			seen[name] = true
			changed = append(changed, name)
		}
	}
	return changed
}

// declaredChange reports whether rel is a declared change, is in one, or is
// the directory of one.
func declaredChange(effects []session.Effect, rel string) bool {
	for _, e := range effects {
		switch e.Kind {
		case session.EffectWrite, session.EffectCreate, session.EffectDelete:
			if rel == e.Path || strings.HasPrefix(rel, e.Path+"/") || rel == filepath.Dir(e.Path) {
				return true
			}
		}
	}
	return false
}
