//go:build unix

package safepath_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"septet/safepath"
)

// longAgo gives the name of a temporary file the time that it would have if
// its write had begun that much earlier.
func longAgo(name string, age time.Duration) string {
	const before = len(".~septet-")
	return fmt.Sprintf("%s%08x%s", name[:before], time.Now().Add(-age).Unix(), name[before+8:])
}

// sample is the name of a temporary file that was left that long ago.
func sample(age time.Duration) string {
	return longAgo(".~septet-00000000-"+strings.Repeat("0123456789abcdef", 2), age)
}

func TestSweepTakesWhatAKilledWriteLeft(t *testing.T) {
	w := newWorld(t, "f x=1")
	left := w.ws + "/" + sample(2*safepath.SweepAge)
	must(t, os.WriteFile(left, []byte("half"), 0o600))
	if _, err := w.write("x", "2"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(left); err == nil {
		t.Errorf("%s is still there", left)
	}
}

// Whatever else there is stays, and above all what only resembles a temporary
// file, however old it is.
func TestSweepLeavesEverythingElse(t *testing.T) {
	old := sample(2 * safepath.SweepAge)
	stays := []string{
		sample(0),                     // at work
		sample(safepath.SweepAge / 2), // at work
		".~0123456789abcdef", ".~notours", ".~lock.x#", ".~septet-", ".~septet-notes",
		old + "0", old[:len(old)-1], old + ".txt", "x" + old, strings.ToUpper(old), strings.Replace(old, "-0", "-g", 1),
	}
	w := newWorld(t, "f x=1", "f d/x=1", "l d/"+old+" -> x")
	must(t, os.Mkdir(w.ws+"/"+old, 0o700))
	ago := time.Now().Add(-1000 * time.Hour)
	for _, name := range stays {
		must(t, os.WriteFile(w.ws+"/"+name, []byte("mine"), 0o600))
		must(t, os.Chtimes(w.ws+"/"+name, ago, ago))
	}
	for _, path := range []string{"x", "d/x"} {
		if _, err := w.write(path, "2"); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range append(stays, old, "d/"+old) {
		if err := os.Remove(w.ws + "/" + name); err != nil {
			t.Errorf("%s was swept: %v", name, err)
		}
	}
}
