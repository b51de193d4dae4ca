//go:build linux

package safepath_test

import (
	"io"
	"net"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"septet/safepath"
)

// wantNotRegular asserts that the name is refused at once by a read and by a
// write, and when it is opened below a directory.
func wantNotRegular(t *testing.T, w *world, name string) {
	t.Helper()
	start := time.Now()
	_, err := w.read(name)
	wantCode(t, err, safepath.NotRegularFile)
	_, err = w.write(name, "x")
	wantCode(t, err, safepath.NotRegularFile)
	if _, err := w.openDir(".").OpenFile(name); safepath.CodeOf(err) != safepath.NotRegularFile {
		t.Errorf("opened below a directory: %v", err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestPipe(t *testing.T) {
	w := newWorld(t)
	if err := unix.Mkfifo(w.ws+"/pipe", 0o644); err != nil {
		t.Fatal(err)
	}
	wantNotRegular(t, w, "pipe")
}

func TestPipeSwappedIn(t *testing.T) {
	w := newWorld(t, "f f=1")
	p := w.mustResolve("f", safepath.Read, safepath.File)
	if err := os.Remove(w.ws + "/f"); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(w.ws+"/f", 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := safepath.Open(p)
	wantCode(t, err, safepath.PathChanged)
	_, _, err = safepath.ReadVersion(p, readLimit)
	wantCode(t, err, safepath.PathChanged)
}

func TestSocket(t *testing.T) {
	w := newWorld(t)
	t.Chdir(w.ws) // the address of a socket is limited to 107 bytes
	l, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	wantNotRegular(t, w, "socket")
}

func TestDevices(t *testing.T) {
	needRoot(t)
	w := newWorld(t)
	for name, device := range map[string]struct{ mode, major, minor uint32 }{
		"zero":     {unix.S_IFCHR, 1, 5},
		"tape":     {unix.S_IFCHR, 9, 0},
		"watchdog": {unix.S_IFCHR, 10, 130},
		"loop":     {unix.S_IFBLK, 7, 0},
	} {
		if err := unix.Mknod(w.ws+"/"+name, device.mode|0o666, int(unix.Mkdev(device.major, device.minor))); err != nil {
			t.Skipf("cannot make devices: %v", err)
		}
		wantNotRegular(t, w, name)
	}
}

func TestKernelFiles(t *testing.T) {
	for _, name := range []string{"/proc/self/status", "/proc/version", "/sys/kernel/mm/transparent_hugepage/enabled"} {
		if _, err := os.Stat(name); err != nil {
			t.Logf("not here: %v", err)
			continue
		}
		w := newWorld(t)
		w.roots(safepath.Root{Path: "/", Writable: true})
		_, err := w.read(name)
		wantCode(t, err, safepath.NotRegularFile)
	}
}

func TestLinksOfTheKernelInsideTheRoot(t *testing.T) {
	w := newWorld(t, "f f=1")
	w.roots(safepath.Root{Path: "/"})
	_, err := w.read("/proc/self/fd/0/x")
	if safepath.CodeOf(err) == "" {
		t.Error("went through a descriptor")
	}
	// A link of the kernel is resolved to the path it shows, and that is walked.
	if got, err := w.read("/proc/self/root$WS/f"); got != "1" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestGrowingFileIsBounded(t *testing.T) {
	w := newWorld(t, "f log=start")
	p := w.mustResolve("log", safepath.Read, safepath.File)
	h, err := safepath.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	w.make("f log=start and more than that")
	b, err := io.ReadAll(io.LimitReader(h, 10))
	if err != nil || string(b) != "start and " {
		t.Errorf("%q, %v", b, err)
	}
	_, _, err = safepath.ReadVersion(p, 10)
	wantCode(t, err, safepath.TooLarge)
}

func TestAttributesAreCarriedOver(t *testing.T) {
	w := newWorld(t, "f x=1")
	x := w.ws + "/x"
	if err := unix.Setxattr(x, "user.note", []byte("keep"), 0); err != nil {
		t.Skipf("no user attributes on this file system: %v", err)
	}
	acl := posixACL(1234)
	if err := unix.Setxattr(x, "system.posix_acl_access", acl, 0); err != nil {
		t.Skipf("no ACLs on this file system: %v", err)
	}
	root := os.Geteuid() == 0
	if root {
		if err := unix.Setxattr(x, "security.capability", fileCapability(), 0); err != nil {
			t.Logf("no file capabilities here: %v", err)
		}
		if err := os.Chown(x, 4321, 8765); err != nil {
			t.Fatal(err)
		}
		unix.Setxattr(x, "security.capability", fileCapability(), 0) // chown drops it
	}
	var before, after unix.Stat_t
	unix.Lstat(x, &before)
	if _, err := w.write("x", "2"); err != nil {
		t.Fatal(err)
	}
	unix.Lstat(x, &after)
	if before.Ino == after.Ino {
		t.Error("the file was not replaced")
	}
	if before.Uid != after.Uid || before.Gid != after.Gid || before.Mode != after.Mode {
		t.Errorf("owner %d:%d mode %o, was %d:%d %o", after.Uid, after.Gid, after.Mode, before.Uid, before.Gid, before.Mode)
	}
	if got := xattr(x, "user.note"); got != "keep" {
		t.Errorf("user attribute %q", got)
	}
	if got := xattr(x, "system.posix_acl_access"); got != string(acl) {
		t.Errorf("ACL %x, want %x", got, acl)
	}
	if got := xattr(x, "security.capability"); got != "" {
		t.Errorf("the capabilities of the old content were carried over: %x", got)
	}
}

// A directory's default ACL must not widen a file that had none.
func TestDefaultACLIsNotInherited(t *testing.T) {
	w := newWorld(t, "f d/x=1")
	if err := unix.Setxattr(w.ws+"/d", "system.posix_acl_default", posixACL(1234), 0); err != nil {
		t.Skipf("no ACLs on this file system: %v", err)
	}
	if _, err := w.write("d/x", "2"); err != nil {
		t.Fatal(err)
	}
	if got := xattr(w.ws+"/d/x", "system.posix_acl_access"); got != "" {
		t.Errorf("the file got an ACL: %x", got)
	}
}

func xattr(name, attr string) string {
	buf := make([]byte, 256)
	n, err := unix.Getxattr(name, attr, buf)
	if err != nil {
		return ""
	}
	return string(buf[:n])
}

// posixACL is u::rw-, u:uid:r--, g::r--, m::r--, o::--- in the kernel's form:
// version 2, then tag, permission and id of each entry.
func posixACL(uid uint32) []byte {
	b := []byte{2, 0, 0, 0}
	const none = 0xffffffff
	for _, e := range [][3]uint32{{1, 6, none}, {2, 4, uid}, {4, 4, none}, {16, 4, none}, {32, 0, none}} {
		b = append(b, byte(e[0]), byte(e[0]>>8), byte(e[1]), byte(e[1]>>8), byte(e[2]), byte(e[2]>>8), byte(e[2]>>16), byte(e[2]>>24))
	}
	return b
}

// fileCapability is cap_net_raw+ep, version 2.
func fileCapability() []byte {
	b := make([]byte, 20)
	b[0], b[3] = 1, 2
	b[5] = 0x20
	return b
}

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
}

// mount mounts for the time of the test.
func mount(t *testing.T, source, target, kind string, flags uintptr, data string) {
	t.Helper()
	needRoot(t)
	if err := unix.Mount(source, target, kind, flags, data); err != nil {
		t.Skipf("cannot mount: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(target, unix.MNT_DETACH) })
}

func TestFileThatIsAMount(t *testing.T) {
	w := newWorld(t, "f hosts=1", "f $WS/source=1")
	mount(t, w.ws+"/source", w.ws+"/hosts", "", unix.MS_BIND, "")
	done, err := w.write("hosts", "2")
	if err != nil || !done.NonAtomic {
		t.Errorf("%+v, %v", done, err)
	}
	w.wantContent("hosts", "2")
	// shorter, and longer
	for _, text := range []string{"", "a longer text than before"} {
		if _, err := w.write("hosts", text); err != nil {
			t.Error(err)
		}
		w.wantContent("hosts", text)
	}
	// It may have been set-user-ID: root's write would leave that.
	os.Chmod(w.ws+"/hosts", os.ModeSetuid|0o755)
	done, err = w.write("hosts", "3")
	if st, _ := os.Stat(w.ws + "/hosts"); err != nil || st.Mode() != 0o755 || !done.DroppedSetID || done.ModeAfter != 0o755 {
		t.Errorf("%v, %+v, %v", st.Mode(), done, err)
	}
	// Nothing is written in place under a second name.
	if err := os.Link(w.ws+"/source", w.ws+"/second"); err != nil {
		t.Fatal(err)
	}
	_, err = w.write("hosts", "4")
	wantCode(t, err, safepath.PermissionDenied)
	w.wantContent("hosts", "3")
	_, err = w.remove("hosts")
	wantCode(t, err, safepath.IOError)
	w.wantContent("hosts", "3")
	os.Remove(w.ws + "/second")
}

func TestReadOnlyMount(t *testing.T) {
	w := newWorld(t, "d m", "f $WS/source/x=1")
	mount(t, w.ws+"/source", w.ws+"/m", "", unix.MS_BIND, "")
	if err := unix.Mount("", w.ws+"/m", "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("cannot remount: %v", err)
	}
	_, err := w.write("m/x", "2")
	wantCode(t, err, safepath.PermissionDenied)
	_, err = w.write("m/new", "2")
	wantCode(t, err, safepath.PermissionDenied)
	w.wantContent("m/x", "1")
}

func TestDiskFull(t *testing.T) {
	w := newWorld(t, "d m")
	mount(t, "tmpfs", w.ws+"/m", "tmpfs", 0, "size=64k")
	if _, err := w.write("m/x", "old"); err != nil {
		t.Fatal(err)
	}
	_, err := w.write("m/x", string(make([]byte, 256<<10)))
	wantCode(t, err, safepath.NoSpace)
	w.wantContent("m/x", "old")
	_, err = w.write("m/a/new", string(make([]byte, 256<<10)))
	wantCode(t, err, safepath.NoSpace)
	w.wantMissing("$WS/m/a")
	w.checkNoTemporaries() // the mount is gone at the end of the test
}

func TestImmutableAndAppendOnly(t *testing.T) {
	needRoot(t)
	for name, flag := range map[string]int{"immutable": unix.STATX_ATTR_IMMUTABLE, "append-only": unix.STATX_ATTR_APPEND} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "f x=1")
			f, err := os.Open(w.ws + "/x")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			flags, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
			if err == nil {
				err = unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags|flag)
			}
			if err != nil {
				t.Skipf("this file system has no such flag: %v", err)
			}
			defer unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags)
			_, err = w.write("x", "2")
			wantCode(t, err, safepath.PermissionDenied)
			_, err = w.remove("x")
			wantCode(t, err, safepath.PermissionDenied)
			w.wantContent("x", "1")
		})
	}
}

func TestBindMountOfProtectedDirectory(t *testing.T) {
	w := newWorld(t, "f .git/config=1", "d alias")
	mount(t, w.ws+"/.git", w.ws+"/alias", "", unix.MS_BIND, "")
	_, err := w.write("alias/config", "2")
	wantCode(t, err, safepath.ProtectedPath)
	w.wantContent(".git/config", "1")
	if got, err := w.read("alias/config"); got != "1" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestCommandDir(t *testing.T) {
	w := newWorld(t, "f d/x=1")
	p := w.mustResolve("d", safepath.Read, safepath.Directory)
	dir, err := safepath.CommandDir(p)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if dir.Path != w.ws+"/d" {
		t.Errorf("path %q", dir.Path)
	}
	// The handle leads to the checked directory, whatever its name is by now.
	if err := os.Rename(w.ws+"/d", w.ws+"/moved"); err != nil {
		t.Fatal(err)
	}
	w.make("l d -> $OUT")
	t.Chdir(w.ws) // comes back at the end of the test
	if err := unix.Fchdir(int(dir.File.Fd())); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile("x"); string(b) != "1" {
		t.Errorf("%q, %v", b, err)
	}
	_, err = safepath.CommandDir(p)
	wantCode(t, err, safepath.PathChanged)
	root, err := safepath.CommandDir(w.mustResolve(".", safepath.Read, safepath.Directory))
	if err != nil || root.Path != w.ws {
		t.Errorf("%+v, %v", root, err)
	}
	root.Close()
}
