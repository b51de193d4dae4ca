//go:build linux

package safepath_test

import (
	"bufio"
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"septet/safepath"
)

// crashDir, in the environment, makes the test binary a writer to be killed.
const crashDir = "SAFEPATH_TEST_CRASH_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		writeForever(dir)
	}
	os.Exit(m.Run())
}

// writeForever replaces a file by two contents in turn, and says when it has
// begun.
func writeForever(dir string) {
	r, err := safepath.NewResolver(safepath.OS(), safepath.Config{WorkingDirectory: dir, Roots: []safepath.Root{{Path: dir, Writable: true}}})
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString("begun\n")
	for i := 0; ; i++ {
		if _, err := writeVia(r, "f", string(crashContent(i))); err != nil {
			panic(err)
		}
	}
}

func crashContent(i int) []byte { return bytes.Repeat([]byte{byte('a' + i%2)}, 100_000+i%2) }

// TestCrash kills a writer again and again: the target is always one of the
// contents, whole, and what the killed writers left is swept.
func TestCrash(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 20
	}
	w := newWorld(t)
	if err := os.WriteFile(w.ws+"/f", crashContent(0), 0o644); err != nil {
		t.Fatal(err)
	}
	for range kills {
		killWriter(t, w.ws)
		b, err := os.ReadFile(w.ws + "/f")
		if err != nil || !bytes.Equal(b, crashContent(0)) && !bytes.Equal(b, crashContent(1)) {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
	}
	left, _ := filepath.Glob(w.ws + "/.~*")
	t.Logf("%d temporary files left by %d kills", len(left), kills)
	if len(left) == 0 {
		t.Error("no kill hit a write: nothing was tested")
	}
	for _, name := range left {
		if err := os.Rename(name, w.ws+"/"+longAgo(filepath.Base(name), 2*safepath.SweepAge)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.write("f", "end"); err != nil {
		t.Fatal(err)
	}
	w.checkNoTemporaries()
}

func killWriter(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), crashDir+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Duration(rand.IntN(5000)) * time.Microsecond) // where it is hit is the point
	cmd.Process.Kill()
	cmd.Wait()
}
