//go:build linux

package local

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"septet/backend"
	"septet/backend/backendtest"
	"septet/safepath"
	"septet/session"
)

// shimPath is this test binary as a shim.
var shimPath string

func TestMain(m *testing.M) {
	shimPath = ShimMain()
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(roles[role]())
	}
	// Most tests wait most of the time: more of them at once than processors.
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// repeats is how often a test runs whose outcome could depend on timing.
const repeats = 30

func TestEnding(t *testing.T) {
	rows := []struct {
		name, script string
		code         int
		leftover     string // names of what is killed at least
	}{
		{"exit code", "exit 7", 7, ""},
		{"not found", "no-such-command", 127, ""},
		{"begins with a dash", "-x", 127, ""},
		{"background child", "echo hi; sleep 30 &", 0, "sleep"},
		{"background server", "cat < <(sleep 30) & disown; exit 2", 2, "cat sleep"},
		{"setsid", "setsid sleep 30 & exit 1", 1, "sleep"},
		{"double fork and setsid", "(setsid sleep 30 & (setsid sleep 31 &) ); exit 3", 3, "sleep sleep"},
		{"nohup and disown", "nohup sleep 30 >/dev/null 2>&1 & disown; exit 7", 7, "sleep"},
		{"deaf child", "trap '' TERM HUP INT; (while :; do sleep 0.01; done) & exit 0", 0, "bash"},
		{"stopped child", "sleep 30 & until grep -q sleep /proc/$!/comm; do :; done; kill -STOP $!; exit 6", 6, "sleep"},
		{"closed output is not the end", "exec 1>&- 2>&-; sleep 0.1; exit 5", 5, ""},
		{"daemon", "(cd / && exec setsid sleep 30 </dev/null >/dev/null 2>&1 &) ; exit 4", 4, "sleep"},
		{"exit code of eight bits", "exit 257", 1, ""},
		{"not executable", "touch f; ./f", 126, ""},
		{"signal of a child", "bash -c 'kill $$'; exit $?", 128 + 15, ""},
		{"coprocess", "coproc sleep 30; exit 4", 4, "sleep"},
		{"process substitution", "echo a > >(sleep 30); exit 5", 5, "sleep"},
		{"jobs in groups of their own", "set -m; sleep 30 & sleep 31 & exit 3", 3, "sleep sleep"},
		{"stopped job", "set -m; (kill -STOP $BASHPID; exit 9); exit 6", 6, ""},
		{"lock that a child holds", "flock f sleep 30 & until [ -e f ]; do :; done; exit 1", 1, "flock"},
		{"brother of the shell", "exec python3 -c '" + brother + "'", 3, "python3"},
		{"orphan whose first thread has ended", "(setsid python3 -c '" + headless + "' &) ; until [ -e headless ]; do sleep 0.01; done; exit 3", 3, "python3"},
		{"first thread ends before the last", "exec python3 -c '" + secondThread + "'", 7, ""},
		{"short-lived child", "(sleep 0.05; echo late) & echo early", 0, ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := newWorld(t).run(context.Background(), row.script)
			wantExit(t, c, row.code)
			slices.Sort(c.Leftover)
			if got := strings.Join(c.Leftover, " "); got != row.leftover && !strings.HasPrefix(got, row.leftover+" ") {
				t.Errorf("leftover %q, want %q", got, row.leftover)
			}
			if row.name == "short-lived child" && c.Stdout.Head != "early\nlate\n" {
				t.Errorf("stdout %q", c.Stdout.Head)
			}
		})
	}
}

// brother makes a child of the supervisor: with CLONE_PARENT it has the parent
// of the process that made it.
const brother = `
import ctypes, os, time
if ctypes.CDLL(None).syscall(56 if os.uname().machine == "x86_64" else 220, 0x8000 | 17, 0, 0, 0, 0) == 0:
    os.setsid(); time.sleep(30)
os._exit(3)`

// secondThread ends its process after its first thread has ended: the process
// then looks dead, and is not.
const secondThread = `
import ctypes, os, threading, time
first = threading.get_native_id()
def last():
    while open("/proc/%d/stat" % first).read().split()[2] != "Z": time.sleep(0.01)
    os._exit(7)
threading.Thread(target=last).start()
ctypes.CDLL(None).pthread_exit(None)`

// headless goes on after its first thread has ended.
const headless = `
import ctypes, threading, time
first = threading.get_native_id()
def last():
    while open("/proc/%d/stat" % first).read().split()[2] != "Z": time.sleep(0.01)
    open("headless", "w"); time.sleep(30)
threading.Thread(target=last).start()
ctypes.CDLL(None).pthread_exit(None)`

func TestOwnSignal(t *testing.T) {
	for signal, script := range map[string]string{
		"SIGSEGV": "kill -SEGV $$", "SIGKILL": "kill -KILL $$", "SIGTERM": "kill $$", "SIGPIPE": "kill -PIPE $$",
		"SIGINT": "trap - INT; kill -INT 0", "SIGABRT": "sleep 30 & kill -ABRT 0",
		"SIG34": "kill -34 $$", "SIG64": "kill -64 $$", // real-time signals have no names
	} {
		if c := newWorld(t).run(context.Background(), script); c.Status != backend.Signaled || c.Signal != signal {
			t.Errorf("%s: got %s %s", script, c.Status, c.Signal)
		}
	}
}

// Output that arrives after the shell has ended is not lost: process
// substitution writes its last words then.
func TestLateOutput(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range repeats {
		c := w.run(context.Background(), "exec > >(sort); echo b; echo a")
		if wantExit(t, c, 0); c.Stdout.Head != "a\nb\n" {
			t.Fatalf("stdout %q", c.Stdout.Head)
		}
	}
}

func TestNeverStarted(t *testing.T) {
	background := context.Background()
	t.Run("no shell", func(t *testing.T) {
		for _, shim := range []string{shimPath, ""} {
			w := newWorldWith(t, ProcessConfig{Shim: shim, Shell: "/no/such/bash"})
			_, err := w.start(background, "exit 0")
			wantSpawnFailed(t, err, "start /no/such/bash: no such file or directory")
			w.nothingLeft("exit 0")
		}
	})
	t.Run("no bash in PATH", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		_, err := newWorld(t).start(background, "exit 0")
		wantSpawnFailed(t, err, "bash was not found in PATH")
	})
	t.Run("no shim", func(t *testing.T) {
		_, err := newWorldWith(t, ProcessConfig{Shim: "/no/such/septet"}).start(background, "exit 0")
		wantSpawnFailed(t, err, "supervisor")
	})
	t.Run("environment too large", func(t *testing.T) {
		w := newWorld(t)
		w.command.Env = append(w.command.Env, "HUGE="+strings.Repeat("x", 200<<10))
		_, err := w.start(background, "exit 0")
		wantSpawnFailed(t, err, "argument list too long")
	})
	t.Run("script", func(t *testing.T) {
		wantSpawnFailed(t, checkScript(strings.Repeat("#", backend.MaxScriptBytes+1)), "at most 65536")
		wantSpawnFailed(t, checkScript("a\x00b"), "NUL")
		w := newWorld(t)
		wantExit(t, w.run(background, "exit 3\n"+strings.Repeat("#", backend.MaxScriptBytes-7)), 3)
	})
	t.Run("directory is gone", func(t *testing.T) {
		w := newWorld(t)
		dir, err := os.Open(w.dir)
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		if err := os.Remove(w.dir); err != nil {
			t.Fatal(err)
		}
		_, err = w.process.runIn(background, backend.Command{Script: "pwd"}, &safepath.WorkDir{File: dir, Path: w.dir})
		if safepath.CodeOf(err) != safepath.NotFound || !strings.Contains(err.Error(), w.dir) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("cancelled before", func(t *testing.T) {
		w := newWorld(t)
		ctx, cancel := context.WithCancel(background)
		cancel()
		c := w.run(ctx, "touch started")
		wantStatus(t, c, backend.Cancelled)
		if w.exists("started") {
			t.Error("it was started")
		}
	})
}

// The shell starts in the directory that was checked, also when another took
// its name meanwhile, and is told its present name.
func TestDirectoryByHandle(t *testing.T) {
	w := newWorld(t)
	inner := w.path("inner")
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err := os.Open(inner)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := errors.Join(os.Rename(inner, w.path("moved")), os.Mkdir(inner, 0o755)); err != nil {
		t.Fatal(err)
	}
	for _, shim := range []string{shimPath, ""} {
		p := Processes(ProcessConfig{Shim: shim}).(*processes)
		c, err := p.runIn(context.Background(), backend.Command{Script: "touch here; pwd", Env: os.Environ()}, &safepath.WorkDir{File: dir, Path: inner})
		if err != nil || c.Stdout.Head != w.path("moved")+"\n" || !w.exists("moved/here") {
			t.Errorf("shim %q: %q, %v", shim, c.Stdout.Head, err)
		}
		_ = os.Remove(w.path("moved/here"))
	}
}

// Each call is a new shell.
func TestNothingCarriesOver(t *testing.T) {
	w := newWorld(t)
	w.run(context.Background(), "mkdir sub; cd sub; x=1; export y=2; f() { echo f; }; alias a=b; umask 077; ulimit -n 50")
	c := w.run(context.Background(), `pwd; echo "[$x$y]"; f; alias; ulimit -n`)
	if want := w.dir + "\n[]\n"; !strings.HasPrefix(c.Stdout.Head, want) || strings.HasSuffix(c.Stdout.Head, "\n50\n") || !strings.Contains(c.Stderr.Head, "f: command not found") {
		t.Errorf("stdout %q, stderr %q", c.Stdout.Head, c.Stderr.Head)
	}
}

// A reader that does not come back holds nothing up: the command runs to its
// end while its first chunk of progress is still being delivered.
func TestSlowReader(t *testing.T) {
	w := newWorld(t)
	release := make(chan struct{})
	var once atomic.Bool
	w.command.Output = func(backend.StreamName, string, int64) {
		if once.CompareAndSwap(false, true) {
			<-release
		}
	}
	done := make(chan backend.Completion)
	go func() {
		c, _ := w.start(context.Background(), "echo first; head -c 20000000 /dev/zero | tr '\\0' x; touch written")
		done <- c
	}()
	eventually(t, "the command wrote all while nobody read", func() bool { return w.exists("written") })
	close(release)
	if c := <-done; c.Stdout.Bytes != 20_000_006 {
		t.Errorf("%d bytes", c.Stdout.Bytes)
	}
	w.nothingLeft("")
}

func TestProgress(t *testing.T) {
	w := newWorld(t)
	var text strings.Builder
	var calls int
	var last int64
	w.command.Output = func(s backend.StreamName, chunk string, total int64) {
		calls++
		text.WriteString(chunk)
		if s != backend.Stdout || total < last {
			t.Errorf("%s: total %d after %d", s, total, last)
		}
		last = total
	}
	began := time.Now()
	c := w.run(context.Background(), "for i in {1..60}; do printf 'é\\e[1m'; sleep 0.01; done")
	if text.String() != strings.Repeat("é", 60) || last != c.Stdout.Bytes {
		t.Errorf("told %q, %d of %d bytes", text.String(), last, c.Stdout.Bytes)
	}
	if most := int(time.Since(began)/progressInterval) + 2; calls > most || calls < 3 {
		t.Errorf("%d chunks, want at most %d", calls, most)
	}
}

func TestProgressOfBothStreams(t *testing.T) {
	w := newWorld(t)
	told := map[backend.StreamName]string{}
	w.command.Output = func(s backend.StreamName, chunk string, _ int64) { told[s] += chunk }
	c := w.run(context.Background(), "echo out; echo err >&2; sleep 0.2; echo out2; echo err2 >&2")
	if told[backend.Stdout] != "out\nout2\n" || told[backend.Stderr] != "err\nerr2\n" {
		t.Errorf("told %q", told)
	}
	if c.Stdout.Head != "out\nout2\n" || c.Stderr.Head != "err\nerr2\n" {
		t.Errorf("got %q, %q", c.Stdout.Head, c.Stderr.Head)
	}
}

// What a command wrote before and while it was killed is in its result.
func TestOutputBeforeTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 5 {
		ctx, cancel := context.WithCancel(context.Background())
		w.command.Output = func(_ backend.StreamName, chunk string, _ int64) {
			if strings.Contains(chunk, "before") {
				cancel()
			}
		}
		c := w.run(ctx, "trap 'echo after; exit 3' TERM; echo before; while :; do sleep 0.01; done")
		wantStatus(t, c, backend.Cancelled)
		if c.Stdout.Head != "before\nafter\n" {
			t.Fatalf("stdout %q", c.Stdout.Head)
		}
	}
}

func TestLongOutput(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "spill", "s")
	w := newWorldWith(t, ProcessConfig{Shim: shimPath, SpillDir: dir})
	w.command.CallID = "7"
	c := w.run(context.Background(), "seq 300000; seq 9 >&2")
	kept, err := os.ReadFile(filepath.Join(dir, "7.out"))
	if err != nil || int64(len(kept)) != c.Stdout.Bytes || c.Stdout.SpillPath != filepath.Join(dir, "7.out") {
		t.Errorf("kept %d of %d bytes in %q, %v", len(kept), c.Stdout.Bytes, c.Stdout.SpillPath, err)
	}
	if c.Stdout.Lines != 300_000 || !strings.HasPrefix(c.Stdout.Head, "1\n2\n") || !strings.HasSuffix(c.Stdout.Tail, "\n300000\n") {
		t.Errorf("%d lines", c.Stdout.Lines)
	}
	if c.Stderr.SpillPath != "" || c.Stderr.Tail != "" {
		t.Errorf("stderr %+v", c.Stderr)
	}
}

func TestBinaryOutput(t *testing.T) {
	w := newWorld(t)
	c := w.run(context.Background(), "head -c 3000000 /dev/urandom; sleep 0")
	if !c.Stdout.Binary || c.Stdout.Bytes != 3_000_000 || len(c.Stdout.Head) > maxTextBytes+8 || strings.ContainsRune(c.Stdout.Head, '\x1b') {
		t.Errorf("binary %t, %d bytes, %d shown", c.Stdout.Binary, c.Stdout.Bytes, len(c.Stdout.Head))
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	files := Files()
	resolver, err := safepath.NewResolver(files.Volume(), safepath.Config{WorkingDirectory: root, Roots: []safepath.Root{{Path: root}}})
	if err != nil {
		t.Fatal(err)
	}
	defer resolver.Close()
	for name, shim := range map[string]string{"shim": shimPath, "plain group": ""} {
		t.Run(name, func(t *testing.T) {
			backendtest.TestProcess(t, backendtest.ProcessPlace{
				Process: Processes(ProcessConfig{Shim: shim}),
				Env:     os.Environ(),
				Install: install(t.TempDir()),
				Dir: func(t *testing.T) *safepath.CheckedPath {
					dir, err := resolver.Resolve(".", safepath.Read, safepath.Directory)
					if err != nil {
						t.Error(err)
					}
					return dir
				},
			})
		})
	}
}

// A script reaches the shell byte for byte.
func TestScriptAsItIs(t *testing.T) {
	rows := []struct{ script, want string }{
		{"cat <<'EOF'\n$x `y` \\z\nEOF", "$x `y` \\z\n"},
		{"cat <<EOF\nno newline after the end\nEOF", "no newline after the end\n"},
		{"echo a # comment", "a\n"},
		{"echo a; # {", "a\n"},
		{`echo "wow!" '!!'`, "wow! !!\n"},
		{"echo a \\\n  b", "a b\n"},
		{"printf '%s\\n' \"$0\" $#", "bash\n0\n"},
		{"echo 漢 'é'", "漢 é\n"},
		{"printf '\xff' | od -An -tx1", " ff\n"},
		{"\n\n  echo indented\n\n", "indented\n"},
		{"exec echo replaced", "replaced\n"},
		{"x=$(cat <(echo sub)); echo $x", "sub\n"},
	}
	w := newWorld(t)
	for _, row := range rows {
		if c := w.run(context.Background(), row.script); c.Stdout.Head != row.want || c.Stderr.Head != "" {
			t.Errorf("%q: got %q, %q", row.script, c.Stdout.Head, c.Stderr.Head)
		}
	}
}

// Endless output runs into the timeout and is counted to the byte.
func TestEndless(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, ProcessConfig{Shim: shimPath, SpillDir: filepath.Join(t.TempDir(), "s")})
	w.command.CallID = "1"
	c := w.run(w.within(time.Second), "yes")
	wantStatus(t, c, backend.TimedOut)
	out := c.Stdout
	shown := int64(len(out.Head) + len(out.Tail))
	if out.Bytes == 0 || shown+out.OmittedBytes != out.Bytes || out.Lines != (out.Bytes+1)/2 || strings.Trim(out.Head+out.Tail, "y\n") != "" {
		t.Errorf("%d bytes, %d lines, %d shown, %d omitted", out.Bytes, out.Lines, shown, out.OmittedBytes)
	}
	if info, err := os.Stat(out.SpillPath); err != nil || info.Size() != min(out.Bytes, backend.MaxSpillBytes) {
		t.Errorf("kept %v, %v", info, err)
	}
}

// Programs that would ask somebody fail at once in the environment of
// commands.
func TestNobodyIsAsked(t *testing.T) {
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", "Basic")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer refuses.Close()
	w := newWorld(t)
	env, err := session.CommandEnvironment(session.EnvironmentConfig{Base: append(os.Environ(), w.mark, "EDITOR=sleep 60",
		"GIT_ASKPASS=/bin/echo", "HOME="+w.dir, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")})
	if err != nil {
		t.Fatal(err)
	}
	w.command.Env = env
	wantExit(t, w.run(context.Background(), "git init -q . && git commit -q --allow-empty -m one && git commit -q --allow-empty -m two"), 0)
	rows := []struct{ script, stderr string }{
		{"git commit --allow-empty", "problem with the editor 'false'"},
		{"git rebase -i --root", "problem with the editor 'false'"},
		{"git ls-remote " + refuses.URL + "/x.git", "terminal prompts disabled"},
	}
	for _, row := range rows {
		c := w.run(w.within(30*time.Second), row.script)
		if c.Status != backend.Exited || c.ExitCode == 0 || !strings.Contains(c.Stderr.Head, row.stderr) {
			t.Errorf("%s: %s %d %q", row.script, c.Status, c.ExitCode, c.Stderr.Head)
		}
	}
	if c := w.run(w.within(30*time.Second), "git log --oneline | cat; git log --format=%s; git diff HEAD~1"); c.Status != backend.Exited || !strings.HasSuffix(c.Stdout.Head, "two\none\n") {
		t.Errorf("pager: %s %q", c.Status, c.Stdout.Head)
	}
}

// A timeout ends what does not listen, too, and what has stopped.
func TestTimeout(t *testing.T) {
	for _, script := range []string{"sleep 30", "trap '' TERM; while :; do sleep 1; done", "kill -STOP $$", "sleep 30 | cat | cat",
		"trap 'while :; do :; done' EXIT; exit 3", "f() { trap f TERM; sleep 30 & wait; }; trap f TERM; f", "set -m; suspend -f",
		"mkfifo p; cat p", "cat </proc/self/fd/1"} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			wantStatus(t, w.run(w.within(100*time.Millisecond), script), backend.TimedOut)
		})
	}
}

// install writes files below base.
func install(base string) func(*testing.T, string, string, string, bool) string {
	return func(t *testing.T, key, name, content string, executable bool) string {
		dir, mode := filepath.Join(base, key), os.FileMode(0o644)
		if executable {
			mode = 0o755
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return dir
	}
}
