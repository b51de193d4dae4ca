package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A command of an ordinary user gets no secret out of its server that it was
// not given, although both are the same user's. It reads and kills as before:
// what it leaves when it kills its supervisor is still ended.
func TestServerKeepsItsSecrets(t *testing.T) {
	script := `server=$(cut -d' ' -f4 /proc/$PPID/stat)
for file in environ maps mem; do cat /proc/$server/$file && echo "$file was read"; done
ls /proc/$server/fd && echo the descriptors were listed
setsid sleep 60 & echo "$!" >left; kill -9 $PPID; sleep 60`
	dir := t.TempDir()
	// The binary is where only its owner gets, so it is called by its handle.
	call := &exec.Cmd{Path: "/proc/self/exe", Args: []string{"septet", "call", "--scrub-secrets", "bash", "command=" + script}, Dir: dir}
	call.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_STATE_HOME=" + dir, "LC_ALL=C", "HOST_TOKEN=s3cret"}
	if os.Getuid() == 0 { // root may read everything
		openTo(t, dir)
		call.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	out, _ := call.CombinedOutput()
	text := string(out)
	if strings.Contains(text, "s3cret") || strings.Contains(text, "was read") || strings.Contains(text, "were listed") {
		t.Errorf("got %q", text)
	}
	if strings.Count(text, "Permission denied") != 4 || !strings.Contains(text, "[killed by SIGKILL; ") {
		t.Errorf("got %q", text)
	}
	pid := strings.TrimSpace(string(check(os.ReadFile(filepath.Join(dir, "left")))(t)))
	if state, err := os.ReadFile("/proc/" + pid + "/stat"); err == nil && !strings.Contains(string(state), ") Z ") {
		t.Errorf("left: %s", state)
	}
}

// openTo lets everybody into a temporary directory.
func openTo(t *testing.T, dir string) {
	t.Helper()
	for ; len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
}
