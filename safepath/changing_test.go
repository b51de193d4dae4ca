package safepath_test

import (
	"os"
	"testing"

	"septet/safepath"
)

// changingVolume is the machine's file system on which something happens just
// after a path was looked at by name.
type changingVolume struct {
	safepath.Volume
	after map[string][]func() // by path; one is run for each look
}

func (v *changingVolume) Lstat(abs string) (safepath.Stat, error) {
	st, err := v.Volume.Lstat(abs)
	if todo := v.after[abs]; len(todo) > 0 {
		v.after[abs] = todo[1:]
		todo[0]()
	}
	return st, err
}

// What changes between two looks is looked at again: it is neither a broken
// disk nor a wrong path.
func TestChangedBetweenTwoLooks(t *testing.T) {
	cases := []struct {
		name, path string
		change     []string
		back       []string
	}{
		{"a link that becomes a directory", "s", []string{"d s", "f s/f=1"}, nil},
		{"a directory that becomes a link to itself", "d", []string{"l d -> d"}, []string{"f d/f=1"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, "f d/f=1", "l s -> d")
			at := w.ws + "/" + c.path
			replace := func(by []string) func() {
				return func() {
					os.RemoveAll(at)
					w.make(by...)
				}
			}
			looks := []func(){replace(c.change)}
			if c.back != nil {
				looks = append(looks, replace(c.back))
			}
			r, err := safepath.NewResolver(&changingVolume{Volume: safepath.OS(), after: map[string][]func(){at: looks}}, w.config)
			if err != nil {
				t.Fatal(err)
			}
			w.r = r
			if got, err := w.read("s/f"); got != "1" || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}
