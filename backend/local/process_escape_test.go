//go:build linux

package local

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"septet/backend"
	"septet/safepath"
)

// This test binary plays other programs when roleVariable names one.
const roleVariable = "SEPTET_TEST_ROLE"

var roles = map[string]func() int{
	"server":  playServer,
	"sleeper": playSleeper,
	"waiters": playWaiters,
}

// playServer runs the scripts in its arguments, all at once, in its working
// directory, prints each result and exits. A subreaper, as main is.
func playServer() int {
	if os.Getenv("SEPTET_TEST_ADOPTS") != "" {
		if err := AdoptOrphans(); err != nil {
			return 1
		}
		ReserveThreads()
	}
	p := Processes(ProcessConfig{Shim: os.Getenv("SEPTET_TEST_SHIM")}).(*processes)
	results := make(chan backend.Completion)
	for _, script := range os.Args[1:] {
		go func() {
			dir, _ := os.Open(".")
			env := append(os.Environ(), roleVariable+"=")
			limit, err := time.ParseDuration(os.Getenv("SEPTET_TEST_TIMEOUT"))
			if err != nil {
				limit = time.Minute
			}
			ctx, stop := context.WithTimeout(context.Background(), limit)
			defer stop()
			c, err := p.runIn(ctx, backend.Command{Script: script, Env: env}, &safepath.WorkDir{File: dir, Path: "."})
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
			results <- c
		}()
	}
	for range os.Args[1:] {
		_ = json.NewEncoder(os.Stdout).Encode(<-results)
	}
	return 0
}

// server starts this binary as a server with scripts.
func (w *world) server(env []string, scripts ...string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", scripts...)
	cmd.Dir = w.dir
	cmd.Env = append(w.command.Env, roleVariable+"=server", "SEPTET_TEST_SHIM="+shimPath)
	cmd.Env = append(cmd.Env, "GORACE=atexit_sleep_ms=0") // it would sleep a second before it exits
	cmd.Env = append(cmd.Env, env...)
	cmd.Stderr = os.Stderr
	return cmd
}

// When the server is killed, everything its commands started dies.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	scripts := []string{
		"trap '' TERM HUP; for i in {1..20}; do setsid sleep 30 & done; touch a; wait",
		"(setsid sleep 30 & (setsid sleep 31 &) ); touch b; exec sleep 30",
		"yes & touch c; kill -STOP $$",
	}
	w := newWorld(t)
	for range repeats / len(scripts) {
		cmd := w.server(nil, scripts...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		eventually(t, "all are running", func() bool {
			return w.exists("a") && w.exists("b") && w.exists("c")
		})
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		eventually(t, "all are gone", func() bool { return len(survivors(w.mark)) == 0 })
		for _, name := range []string{"a", "b", "c"} {
			_ = os.Remove(w.path(name))
		}
	}
}

// A command that kills its supervisor leaves nothing either: the server adopts
// it. How the shell ended is only told when it is known: when two are killed at
// once, before they named their shells, it may not be.
func TestShimKilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range repeats / 2 {
		scripts := []string{
			"setsid sleep 30 & trap '' TERM; kill -9 $PPID; while :; do sleep 1; done",
			"(setsid sleep 30 & (setsid sleep 31 &) ); kill -9 $PPID; sleep 30",
			"sleep 0.3; echo unharmed",
		}
		out, err := w.server([]string{"SEPTET_TEST_ADOPTS=1"}, scripts...).Output()
		if err != nil {
			t.Fatal(err)
		}
		w.nothingLeft("kill -9 $PPID")
		var signaled, exited int
		for line := range strings.Lines(string(out)) {
			var c backend.Completion
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				t.Fatal(err)
			}
			switch {
			case c.Status == backend.Signaled && c.Signal == "SIGKILL", c.Status == backend.OutcomeUnknown && len(c.Alive) == 0:
				signaled++
			case c.Status == backend.Exited && c.Stdout.Head == "unharmed\n":
				exited++
			default:
				t.Errorf("got %+v", c)
			}
		}
		if signaled != 2 || exited != 1 {
			t.Errorf("%d signaled, %d exited", signaled, exited)
		}
	}
}

// A command that writes a false end into its supervisor's pipe is not believed.
func TestForgedEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	script := `setsid sleep 30 & until echo '{"Ended":{"ExitCode":0}}' >/proc/$PPID/fd/4; do sleep 0.01; done; sleep 30`
	out, err := w.server([]string{"SEPTET_TEST_ADOPTS=1"}, script).Output()
	var c backend.Completion
	if err != nil || json.Unmarshal(out, &c) != nil || c.Status != backend.Signaled || c.Signal != "SIGKILL" {
		t.Errorf("%s, %v", out, err)
	}
	w.nothingLeft("a false end")
}

// A program that adopts nobody says that it does not know.
func TestShimKilledWithoutAdoption(t *testing.T) {
	w := newWorld(t)
	out, err := w.server(nil, "kill -9 $PPID; sleep 1").Output()
	var c backend.Completion
	if err != nil || json.Unmarshal(out, &c) != nil || c.Status != backend.OutcomeUnknown {
		t.Errorf("%s, %v", out, err)
	}
	eventually(t, "all are gone", func() bool { return len(survivors(w.mark)) == 0 })
}

// A command that stops its supervisor and kills the server leaves nothing: the
// supervisor is woken by the server's end.
func TestServerKilledBehindAStoppedShim(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	script := "setsid sleep 30 & read -r _ _ _ server _ </proc/$PPID/stat; touch ready; kill -STOP $PPID; kill -9 $server; sleep 30"
	for range repeats / 3 {
		cmd := w.server([]string{"SEPTET_TEST_ADOPTS=1"}, script)
		if out, err := cmd.Output(); err == nil || len(out) > 0 || !w.exists("ready") {
			t.Fatalf("the server was not killed: %q, %v", out, err)
		}
		eventually(t, "all are gone", func() bool { return len(survivors(w.mark)) == 0 })
		_ = os.Remove(w.path("ready"))
	}
}

// A stopped supervisor is woken, to see the end or to obey; one that a command
// keeps stopping is replaced by the server.
func TestShimStopped(t *testing.T) {
	w := newWorld(t)
	for range repeats {
		wantExit(t, w.run(w.within(20*time.Second), "kill -STOP $PPID; kill -STOP $PPID; exit 3"), 3)
	}
	wantStatus(t, w.run(w.within(200*time.Millisecond), "kill -STOP $PPID; sleep 30"), backend.TimedOut)
	t.Run("again and again", func(t *testing.T) {
		t.Parallel()
		cmd := w.server([]string{"SEPTET_TEST_ADOPTS=1", "SEPTET_TEST_TIMEOUT=200ms"},
			"trap '' TERM; (trap '' TERM; while kill -STOP $PPID; do :; done) & while kill -STOP $PPID; do :; done")
		out, err := cmd.Output()
		var c backend.Completion
		if err != nil || json.Unmarshal(out, &c) != nil || c.Status != backend.TimedOut {
			t.Errorf("%s, %v", out, err)
		}
		w.nothingLeft("kill -STOP $PPID")
	})
}

// Signals to the supervisor, short of KILL and STOP, do nothing.
func TestShimIgnoresSignals(t *testing.T) {
	c := newWorld(t).run(context.Background(), "for s in TERM INT HUP QUIT USR1 PIPE; do kill -$s $PPID; done; sleep 0.05; exit 8")
	wantExit(t, c, 8)
}

// A server that was started with signals ignored or blocked or with descriptors
// open gives none of it to its commands.
func TestInheritance(t *testing.T) {
	w := newWorld(t)
	secret, err := os.Create(w.path("secret"))
	if err != nil {
		t.Fatal(err)
	}
	defer secret.Close()
	cmd := w.server(nil, "grep -E 'Sig(Ign|Blk)' /proc/self/status; ls /proc/$$/fd | tr '\\n' ' '; ulimit -c; cat /proc/$$/stat | cut -d' ' -f7; tty")
	cmd.ExtraFiles = make([]*os.File, 12)
	cmd.ExtraFiles[9], cmd.ExtraFiles[11] = secret, secret
	ignored := []os.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGPIPE, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU}
	signal.Ignore(ignored...)
	defer signal.Reset(ignored...)
	defer block(t, syscall.SIGTERM, syscall.SIGPIPE, syscall.SIGUSR1, syscall.SIGALRM, syscall.SIGCHLD)()
	out, err := cmd.Output()
	var c backend.Completion
	if err != nil || json.Unmarshal(out, &c) != nil {
		t.Fatalf("%s, %v", out, err)
	}
	lines := strings.Split(c.Stdout.Head, "\n")
	for i, want := range []string{"SigBlk:\t0000000000000000", "SigIgn:\t0000000000000000", "0 1 2 0", "0", "not a tty"} {
		if i >= len(lines) || lines[i] != want && !(i == 2 && strings.HasPrefix(lines[i], "0 1 2 ")) {
			t.Fatalf("line %d of %q, want %q", i, lines, want)
		}
	}
}

// block blocks signals in this thread, and so in what it starts, until undo.
func block(t *testing.T, signals ...syscall.Signal) (undo func()) {
	t.Helper()
	var set, before unix.Sigset_t
	for _, s := range signals {
		set.Val[0] |= 1 << (s - 1)
	}
	runtime.LockOSThread()
	if err := unix.PthreadSigmask(unix.SIG_BLOCK, &set, &before); err != nil {
		t.Fatal(err)
	}
	return func() {
		_ = unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil)
		runtime.UnlockOSThread()
	}
}

func TestTerminal(t *testing.T) {
	rows := []struct{ script, want string }{
		{"cat; echo $?", "0\n"},
		{"read x; echo $?", "1\n"},
		{"echo x 2>/dev/null >/dev/tty || echo none", "none\n"},
		{"[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || echo none", "none\n"},
		{"cut -d' ' -f5,6 /proc/$$/stat | grep -qx \"$$ $$\" && echo own session", "own session\n"},
	}
	for _, row := range rows {
		c := newWorld(t).run(context.Background(), row.script)
		if c.Stdout.Head != row.want {
			t.Errorf("%s: got %q", row.script, c.Stdout.Head)
		}
	}
}

// Nothing in the environment makes the shell run or load something, and the
// supervisor's own environment shows no more than the command's.
func TestShellEnvironment(t *testing.T) {
	w := newWorld(t)
	hook := w.path("hook")
	if err := os.WriteFile(hook, []byte("echo hooked\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.command.Env = append(w.command.Env, "BASH_ENV="+hook, "ENV="+hook, "BASH_FUNC_ls%%=() { echo hooked; }",
		"SHELLOPTS=xtrace", "PS4=$(echo hooked >&2)", "CDPATH=/", "HOME="+w.dir)
	for _, name := range []string{".bashrc", ".bash_profile", ".profile"} {
		if err := os.WriteFile(w.path(name), []byte("echo hooked\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("SERVER_SECRET", "s3cret")
	c := w.run(context.Background(), "ls >/dev/null; cd tmp; tr '\\0' '\\n' </proc/$PPID/environ; tr '\\0' ' ' </proc/$PPID/cmdline")
	if got := c.Stdout.Head + c.Stderr.Head; strings.Contains(got, "hooked\n") || strings.Contains(got, "+ ls") || strings.Contains(got, "s3cret") {
		t.Errorf("got %q", got)
	}
	if !strings.HasSuffix(c.Stdout.Head, shimName+" "+shimVerb+" ") {
		t.Errorf("the supervisor's arguments: %q", c.Stdout.Head)
	}
}

// A command that hides its name and environment is found by its parentage.
func TestDisguise(t *testing.T) {
	w := newWorld(t)
	c := w.run(context.Background(), `env -i bash -c 'echo $$ >pid; exec -a kworker setsid sleep 30' & while [ ! -s pid ]; do sleep 0.01; done; exit 2`)
	wantExit(t, c, 2)
	text, _ := os.ReadFile(w.path("pid"))
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	if p := processOf(pid); pid == 0 || !p.dead() {
		t.Errorf("pid %d is %+v", pid, p)
	}
}

// A traced process is killed as any other.
func TestTraced(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed")
	}
	w := newWorld(t)
	c, _ := w.runReady("strace -f -o /dev/null bash -c 'touch ready; sleep 30'", errAsked)
	wantStatus(t, c, backend.Cancelled)
	c = w.run(context.Background(), "strace -f -o /dev/null sleep 30 & sleep 0.1; exit 1")
	wantExit(t, c, 1)
}

// A plain group is what a program gets that has no shim: the same results for
// what stays in the group.
func TestPlainGroup(t *testing.T) {
	w := newWorldWith(t, ProcessConfig{})
	wantExit(t, w.run(context.Background(), "echo hi; exit 7"), 7)
	c := w.run(context.Background(), "echo hi; sleep 30 & exit 3")
	if wantExit(t, c, 3); len(c.Leftover) != 1 || c.Leftover[0] != "sleep" {
		t.Errorf("leftover %v", c.Leftover)
	}
	wantStatus(t, second(w.runReady(waiting("trap '' TERM; sleep 30 &"), backend.ErrShutdown)), backend.Cancelled)
	wantStatus(t, w.run(w.within(50*time.Millisecond), "sleep 30"), backend.TimedOut)
}

// playSleeper gives up the right to be killed and waits until its argument, a
// file, exists.
func playSleeper() int {
	if err := unix.Setresuid(0, 0, 0); err != nil {
		return 3
	}
	fmt.Println("unkillable")
	for {
		if _, err := os.Stat(os.Args[1]); err == nil {
			return 5
		}
		time.Sleep(time.Millisecond)
	}
}

// A process of another user cannot be killed: the outcome is unknown, says so,
// and its late end is told.
func TestForeignUser(t *testing.T) {
	t.Parallel()
	if os.Getenv("SEPTET_TEST_SLEEPER") != "" {
		killForeign(t)
		return
	}
	if os.Getuid() != 0 {
		t.Skip("needs root to make a set-user-ID program")
	}
	w := newWorld(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for dir := w.dir; len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		_ = os.Chmod(dir, 0o777)
	}
	setup := exec.Command("bash", "-c", `cp "$0" server && cp "$0" sleeper && chmod 755 server && chmod 4755 sleeper`, exe)
	setup.Dir = w.dir
	if out, err := setup.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	cmd := exec.Command(w.path("server"), "-test.run=^TestForeignUser$", "-test.v")
	cmd.Dir = w.dir
	cmd.Env = append(w.command.Env, "SEPTET_TEST_SLEEPER="+w.path("sleeper"), "TMPDIR="+w.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestForeignUser") {
		t.Errorf("%v\n%s", err, out)
	}
	w.nothingLeft("sleeper")
}

// killForeign is the other half of TestForeignUser, as nobody.
func killForeign(t *testing.T) {
	late := make(chan backend.Completion, 1)
	w := newWorldWith(t, ProcessConfig{Shim: shimPath, Late: func(_ string, c backend.Completion) { late <- c }})
	w.command.Env = append(w.command.Env, roleVariable+"=sleeper")
	ctx, cancel := context.WithCancelCause(context.Background())
	w.command.Output = func(_ backend.StreamName, chunk string, _ int64) {
		if strings.Contains(chunk, "unkillable") {
			cancel(backend.ErrShutdown)
		}
	}
	c := w.run(ctx, "exec "+os.Getenv("SEPTET_TEST_SLEEPER")+" release")
	if wantStatus(t, c, backend.OutcomeUnknown); len(c.Alive) != 1 || c.Alive[0].Name != "sleeper" || c.Stdout.Head != "unkillable\n" {
		t.Errorf("got %+v", c)
	}
	if len(late) != 0 {
		t.Errorf("ended while nobody could end it: %+v", <-late)
	}
	if err := os.WriteFile(w.path("release"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	wantExit(t, <-late, 5)
}

// A process that the kernel does not let go (here: it writes to a frozen file
// system) is not called dead. It is told when it is.
func TestUninterruptible(t *testing.T) {
	t.Parallel()
	late := make(chan backend.Completion, 1)
	w := newWorldWith(t, ProcessConfig{Shim: shimPath, Late: func(id string, c backend.Completion) {
		if id == "7" {
			late <- c
		}
	}})
	w.command.CallID = "7"
	thaw := frozen(t, w)
	ctx, cancel := context.WithCancel(context.Background())
	stuck := make(chan time.Time, 1)
	go func() {
		for !slices.ContainsFunc(survivors(w.mark), func(p process) bool { return p.state == 'D' }) {
			time.Sleep(time.Millisecond)
		}
		stuck <- time.Now()
		cancel()
	}()
	c := w.run(ctx, "echo before; echo x >mount/file; echo after")
	wantStatus(t, c, backend.OutcomeUnknown)
	if len(c.Alive) == 0 || c.Alive[0].Name != "bash" || c.Alive[0].State != "D" || c.Stdout.Head != "before\n" {
		t.Errorf("got %+v", c)
	}
	if took := time.Since(<-stuck); took < askedGrace+confirmTime {
		t.Errorf("gave up after %v", took)
	}
	thaw()
	if c := <-late; c.Status != backend.Signaled || c.Signal != "SIGKILL" && c.Signal != "SIGTERM" || c.Stdout.Head != "before\n" {
		t.Errorf("late: %+v", c)
	}
	w.nothingLeft("echo x >mount/file")
}

// frozen makes a file system at mount that takes no writes until thaw.
func frozen(t *testing.T, w *world) (thaw func()) {
	if os.Getuid() != 0 {
		t.Skip("needs root to mount and freeze a file system")
	}
	setup := "truncate -s 16M image && mkfs.ext4 -q image && mkdir mount && mount -o loop image mount && fsfreeze -f mount"
	cmd := exec.Command("bash", "-c", setup)
	cmd.Dir = w.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("cannot mount and freeze a file system here: %s", out)
	}
	thawed := false
	thaw = func() {
		if !thawed {
			thawed = true
			_ = exec.Command("fsfreeze", "-u", w.path("mount")).Run()
		}
	}
	t.Cleanup(func() {
		thaw()
		eventually(t, "unmounted", func() bool { return exec.Command("umount", w.path("mount")).Run() == nil })
	})
	return thaw
}

// Without /proc the group is still killed, and every child waited for.
func TestNoProc(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("needs root to hide /proc")
	}
	if err := exec.Command("unshare", "-m", "true").Run(); err != nil {
		t.Skip("cannot make a mount namespace here: ", err)
	}
	w := newWorld(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := w.server([]string{"SEPTET_TEST_SHIM=" + exe}, "trap '' TERM; sleep 30 & echo hi; exit 6")
	cmd.Args = append([]string{"unshare", "-m", "bash", "-c", `mount -t tmpfs none /proc && exec "$0" "$@"`, exe}, cmd.Args[1:]...)
	cmd.Path, _ = exec.LookPath("unshare")
	stdout, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var c backend.Completion
	if err := json.NewDecoder(bufio.NewReader(stdout)).Decode(&c); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	wantExit(t, c, 6)
	w.nothingLeft("without /proc")
}
