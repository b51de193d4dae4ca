package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// blocks are the commands of the README that need a release: those fenced as
// "sh KIND".
func blocks(t *testing.T, kind string) []string {
	t.Helper()
	var found []string
	for _, part := range strings.Split(string(content(t, "../..", "README.md")), "\n```sh "+kind+"\n")[1:] {
		block, _, _ := strings.Cut(part, "\n```\n")
		found = append(found, block)
	}
	if len(found) == 0 {
		t.Fatalf("the README has no block of %q", kind)
	}
	return found
}

// TestInstallFromArchive does what the README says, beside a release.
func TestInstallFromArchive(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the README shows it for linux-amd64")
	}
	dir, version := released(t)
	home := t.TempDir()
	for _, block := range blocks(t, "archive") {
		out := shell(t, downloads(t, dir), block, "HOME="+home)
		if !strings.Contains(out, "septet "+version+" ") {
			t.Errorf("no version in %s", out)
		}
	}
	for _, name := range []string{"bin/septet", ".local/share/man/man1/septet-serve.1"} {
		if _, err := os.Stat(filepath.Join(home, name)); err != nil {
			t.Error(err)
		}
	}
}

// downloads is a directory with links to the files of the release, to which
// commands may add others.
func downloads(t *testing.T, release string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range listing(t, release) {
		if err := os.Symlink(filepath.Join(release, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func shell(t *testing.T, dir, text string, env ...string) string {
	t.Helper()
	cmd := exec.Command(lookPath(t, "bash"), "-euo", "pipefail", "-c", text)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, text, out)
	}
	return string(out)
}

// engine puts a "docker" into a directory that is podman with a store of its
// own, as it works without a daemon, a network and the right to raise limits.
const engine = `#!/bin/sh
verb=$1
shift
case $verb in
build) set -- --isolation chroot "$@" ;;
run) set -- --network none --ulimit nofile=$(ulimit -Sn):$(ulimit -Hn) --ulimit nproc=1000:1000 "$@" ;;
esac
exec %q --root %q --runroot %q --storage-driver vfs --cgroup-manager cgroupfs --runtime runc "$verb" "$@"
`

// TestImage builds the image and runs it, as the README says.
func TestImage(t *testing.T) {
	linuxOnly(t)
	podman := lookPath(t, "podman")
	lookPath(t, "runc")
	if os.Geteuid() != 0 {
		t.Skip("a store of images of its own takes root")
	}
	dir, version := released(t)
	bin, store := t.TempDir(), t.TempDir()
	script := fmt.Sprintf(engine, podman, filepath.Join(store, "root"), filepath.Join(store, "run"))
	if err := os.WriteFile(filepath.Join(bin, "docker"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	for _, block := range blocks(t, "image") {
		out := shell(t, downloads(t, dir), block)
		if !strings.Contains(out, "septet "+version+" ") {
			t.Errorf("no version in %s", out)
		}
	}
	project := t.TempDir()
	if err := os.Chown(project, 4711, 4711); err != nil {
		t.Fatal(err)
	}
	t.Run("as the owner of the project", func(t *testing.T) {
		c := connect(t, exec.Command("docker", "run", "--rm", "-i", "--user", "4711:4711", "-v", project+":/work", "septet"))
		if got := c.tools(); got != "read write edit grep glob list" {
			t.Errorf("the tools are %s", got)
		}
		c.fileWork()
		if got := string(content(t, project, "dir/a.txt")); got != "one\nthree\n" {
			t.Errorf("the file has %q", got)
		}
	})
	t.Run("as it is", func(t *testing.T) {
		c := connect(t, exec.Command("docker", "run", "--rm", "-i", "-v", project+":/work:ro", "septet"))
		if text, failed := c.call("read", `{"path":"dir/a.txt"}`); failed || !strings.Contains(text, "three") {
			t.Errorf("read: %s", text)
		}
		if text, failed := c.call("write", `{"path":"b.txt","content":"x"}`); !failed || !strings.Contains(text, "\nhint: ") {
			t.Errorf("write: %s", text)
		}
	})
}
