//go:build linux

package safepath_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"septet/safepath"
)

// ordinaryUser is nobody on most systems; no file of a test belongs to it.
const ordinaryUser = 65534

// TestOrdinaryUser runs the tests below it as an ordinary user: for root no
// permission is denied.
func TestOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Run("tests", userTests)
		return
	}
	dir, err := os.MkdirTemp("", "user")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	copyFile(t, "/proc/self/exe", dir+"/test")
	prepareForeign(t, dir)
	cmd := exec.Command(dir+"/test", "-test.run=^TestOrdinaryUser$", "-test.v")
	cmd.Dir = dir
	cmd.Env = []string{"TMPDIR=" + dir, foreignDir + "=" + dir + "/foreign"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinaryUser, Gid: ordinaryUser}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("as user %d:\n%s", ordinaryUser, out)
}

// foreignDir, in the environment, is a directory of files that belong to root.
const foreignDir = "SAFEPATH_TEST_FOREIGN_DIR"

func prepareForeign(t *testing.T, dir string) {
	t.Helper()
	foreign := dir + "/foreign"
	if err := os.Mkdir(foreign, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(foreign, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"open": 0o666, "readable": 0o644, "closed": 0o600} {
		if err := os.WriteFile(foreign+"/"+name, []byte("1"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(foreign+"/"+name, mode); err != nil {
			t.Fatal(err)
		}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

func userTests(t *testing.T) {
	t.Run("directory that may be passed and not read", userPassDirectory)
	t.Run("directory that may not be written", userReadOnlyDirectory)
	t.Run("file that may not be written", userReadOnlyFile)
	t.Run("directory that may not be passed", userClosedDirectory)
	t.Run("file of another user", userForeignFile)
}

func chmod(t *testing.T, name string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(name, 0o755) })
}

func userPassDirectory(t *testing.T) {
	w := newWorld(t, "f d/sub/x=1")
	chmod(t, w.ws+"/d", 0o311)
	if got, err := w.read("d/sub/x"); got != "1" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := w.write("d/new", "2"); err != nil {
		t.Error(err)
	}
	if _, err := w.openDir("d").ReadNames(); !os.IsPermission(err) {
		t.Errorf("listed: %v", err)
	}
}

func userReadOnlyDirectory(t *testing.T) {
	w := newWorld(t, "f d/x=1", "f d/closed=1")
	chmod(t, w.ws+"/d/closed", 0o444)
	chmod(t, w.ws+"/d", 0o555)
	done, err := w.write("d/x", "2")
	if err != nil || !done.NonAtomic {
		t.Errorf("%+v, %v", done, err)
	}
	w.wantContent("d/x", "2")
	for _, raw := range []string{"d/new", "d/n/e/w", "d/closed"} {
		_, err = w.write(raw, "2")
		wantCode(t, err, safepath.PermissionDenied)
	}
	_, err = w.remove("d/x")
	wantCode(t, err, safepath.PermissionDenied)
	w.wantContent("d/closed", "1")
	if st, _ := os.Stat(w.ws + "/d"); st.Mode().Perm() != 0o555 {
		t.Errorf("the directory's mode was changed to %v", st.Mode())
	}
}

func userReadOnlyFile(t *testing.T) {
	w := newWorld(t, "f x=1", "f none=1")
	chmod(t, w.ws+"/x", 0o444)
	_, err := w.write("x", "2")
	wantCode(t, err, safepath.PermissionDenied)
	w.wantContent("x", "1")
	chmod(t, w.ws+"/none", 0)
	_, err = w.read("none")
	wantCode(t, err, safepath.PermissionDenied)
	_, err = w.write("none", "2")
	wantCode(t, err, safepath.PermissionDenied)
}

func userClosedDirectory(t *testing.T) {
	w := newWorld(t, "f d/x=1", "d $OUT/closed")
	chmod(t, w.ws+"/d", 0o644)
	chmod(t, w.out+"/closed", 0)
	_, err := w.read("d/x")
	wantCode(t, err, safepath.PermissionDenied)
	_, err = w.write("d/new", "2")
	wantCode(t, err, safepath.PermissionDenied)
	_, err = w.read("$OUT/closed/x")
	wantCode(t, err, safepath.OutsideRoots)
	os.Chmod(w.out+"/closed", 0o755)
}

// userForeignFile: a new file would belong to this user, so a file of another
// one that may be written is written in place and keeps its owner.
func userForeignFile(t *testing.T) {
	dir := os.Getenv(foreignDir)
	if dir == "" {
		t.Skip("needs files of another user, which only root can make")
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.config.Roots = append(w.config.Roots, safepath.Root{Path: dir, Writable: true})
	done, err := w.write(dir+"/open", "2")
	if err != nil || !done.NonAtomic {
		t.Errorf("%+v, %v", done, err)
	}
	w.wantContent(dir+"/open", "2")
	if st, _ := os.Stat(dir + "/open"); st.Sys().(*syscall.Stat_t).Uid != 0 {
		t.Errorf("the file changed its owner to %d", st.Sys().(*syscall.Stat_t).Uid)
	}
	for _, name := range []string{"readable", "closed"} {
		_, err = w.write(dir+"/"+name, "2")
		wantCode(t, err, safepath.PermissionDenied)
	}
	left, _ := filepath.Glob(dir + "/.~*")
	if len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
