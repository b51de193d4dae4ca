//go:build linux

package local

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"septet/backend"
)

// shimPath is this test binary as a shim.
var shimPath string

func TestMain(m *testing.M) {
	shimPath = ShimMain()
	os.Exit(m.Run())
}

func TestEnding(t *testing.T) {
	rows := []struct {
		name, script string
		code         int
		leftover     string
	}{
		{"exit code", "exit 7", 7, ""},
		{"not found", "no-such-command", 127, ""},
		{"begins with a dash", "-x", 127, ""},
		{"background child", "echo hi; sleep 30 &", 0, "sleep"},
		{"double fork and setsid", "(setsid sleep 30 & (setsid sleep 31 &) ); exit 3", 3, "sleep sleep"},
		{"nohup and disown", "nohup sleep 30 >/dev/null 2>&1 & disown; exit 7", 7, "sleep"},
		{"deaf child", "trap '' TERM HUP INT; (while :; do sleep 0.01; done) & exit 0", 0, "bash"},
		{"closed output is not the end", "exec 1>&- 2>&-; sleep 0.1; exit 5", 5, ""},
		{"daemon", "(cd / && exec setsid sleep 30 </dev/null >/dev/null 2>&1 &) ; exit 4", 4, "sleep"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := newWorld(t).run(context.Background(), row.script)
			wantExit(t, c, row.code)
			if got := leftover(c); got != row.leftover && !strings.HasPrefix(got, row.leftover+" ") {
				t.Errorf("leftover %q, want %q", got, row.leftover)
			}
		})
	}
}

func leftover(c backend.Completion) string {
	slices.Sort(c.Leftover)
	return strings.Join(c.Leftover, " ")
}

func TestOwnSignal(t *testing.T) {
	c := newWorld(t).run(context.Background(), "kill -SEGV $$")
	if c.Status != backend.Signaled || c.Signal != "SIGSEGV" {
		t.Errorf("got %s %s", c.Status, c.Signal)
	}
}

func TestTimeout(t *testing.T) {
	for _, script := range []string{"sleep 30", "yes", "kill -STOP $$", "kill -STOP $PPID; sleep 30"} {
		t.Run(script, func(t *testing.T) {
			w := newWorld(t)
			wantStatus(t, w.run(w.within(100*time.Millisecond), script), backend.TimedOut)
		})
	}
}
