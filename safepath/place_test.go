package safepath_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"septet/backend/memory"
	"septet/safepath"
)

// place is where a world lies: it does what another program would do there.
// Paths are absolute.
type place interface {
	volume() safepath.Volume
	mkdir(name string) error
	writeFile(name, text string) error
	symlink(target, name string) error
	readFile(name string) (string, error)
	// walk calls visit for everything below dir, which it may leave out.
	walk(dir string, visit func(name, kind string) (enter bool))
}

// eachPlace runs the test on the machine's disk and on a tree in memory.
func eachPlace(t *testing.T, test func(t *testing.T, at place, dir string)) {
	t.Run("disk", func(t *testing.T) {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		test(t, disk{}, dir)
	})
	t.Run("memory", func(t *testing.T) {
		test(t, inMemory{memory.NewVolume()}, "/tmp/test")
	})
}

type disk struct{}

func (disk) volume() safepath.Volume           { return safepath.OS() }
func (disk) mkdir(name string) error           { return os.MkdirAll(name, 0o755) }
func (disk) symlink(target, name string) error { return os.Symlink(target, name) }

func (disk) writeFile(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

func (disk) readFile(name string) (string, error) {
	b, err := os.ReadFile(name)
	return string(b), err
}

func (disk) walk(dir string, visit func(name, kind string) bool) {
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		info, err := d.Info()
		if err == nil && !visit(name, info.Mode().String()) && d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
}

type inMemory struct{ tree *memory.Volume }

func (m inMemory) volume() safepath.Volume              { return m.tree }
func (m inMemory) mkdir(name string) error              { return m.tree.MkdirAll(name, 0o755) }
func (m inMemory) symlink(target, name string) error    { return m.tree.Symlink(target, name) }
func (m inMemory) writeFile(name, text string) error    { return m.tree.WriteFile(name, text, 0o644) }
func (m inMemory) readFile(name string) (string, error) { return m.tree.ReadFile(name) }

func (m inMemory) walk(dir string, visit func(name, kind string) bool) {
	st, err := m.tree.Lstat(dir)
	letter := map[safepath.Kind]string{safepath.KindDirectory: "d", safepath.KindSymlink: "L", safepath.KindFile: "-"}[st.Kind]
	if err != nil || !visit(dir, letter+st.Mode.String()) || st.Kind != safepath.KindDirectory {
		return
	}
	names, _ := m.tree.Names(dir)
	for _, name := range names {
		m.walk(dir+"/"+name, visit)
	}
}

// snapshot describes everything in dir but what lies in except.
func snapshot(at place, dir, except string) string {
	var b strings.Builder
	at.walk(dir, func(name, kind string) bool {
		if name == except {
			return false
		}
		if name == filepath.Dir(except) {
			return true
		}
		text := ""
		if kind[0] == '-' {
			text, _ = at.readFile(name)
		}
		fmt.Fprintf(&b, "%s %s %x\n", name, kind, sha256.Sum256([]byte(text)))
		return true
	})
	return b.String()
}
