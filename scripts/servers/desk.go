package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// desk is where one server works in one round: the tree, and a directory of
// its own in it. It knows what must be in the files.
type desk struct {
	tree    *tree
	words   dialect
	dir     string
	edited  []string          // files that are edited by turns
	content map[string]string // what the files hold now
	edits   int
	writes  int
}

// check tells whether an answer is right.
type check func(answer string) error

// newDesk clears the directory of the server and copies into it the files to
// edit, each with a line that counts its edits.
func newDesk(t *tree, c *contestant) (*desk, error) {
	d := &desk{tree: t, words: c.words, dir: filepath.Join(t.dir, "desk-"+c.name), content: map[string]string{}}
	if err := os.RemoveAll(d.dir); err != nil {
		return nil, err
	}
	for n, original := range t.large {
		data, err := os.ReadFile(original)
		if err != nil {
			return nil, err
		}
		lines := strings.SplitAfter(string(data), "\n")
		half := len(lines) / 2
		name := filepath.Join(d.dir, fmt.Sprintf("edited-%02d.go", n))
		d.content[name] = strings.Join(lines[:half], "") + counter(0) + "\n" + strings.Join(lines[half:], "")
		d.edited = append(d.edited, name)
		if err := create(name, d.content[name]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func counter(n int) string { return fmt.Sprintf("// edited %d times by the bench", n) }

func (d *desk) read(n int) (call, check) {
	name := d.tree.small[n%len(d.tree.small)]
	return d.words.read(name), func(answer string) error {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		// One of the servers leaves out the last line end.
		if !strings.Contains(answer, strings.TrimSuffix(string(data), "\n")) {
			return fmt.Errorf("%s was not read: %.200s", name, answer)
		}
		return nil
	}
}

func (d *desk) listWidest(int) (call, check) { return d.list(d.tree.widest) }

// sizes lists with sizes, for the servers that leave them out otherwise.
func (d *desk) sizes(int) (call, check) {
	_, right := d.list(d.tree.widest)
	return d.words.sizes(d.tree.widest.dir), right
}

func (d *desk) list(of listing) (call, check) {
	return d.words.list(of.dir), func(answer string) error {
		for _, name := range of.names {
			if !strings.Contains(answer, name) {
				return fmt.Errorf("%s is not listed: %.200s", name, answer)
			}
		}
		return nil
	}
}

// write makes a file the first time and replaces it later on.
func (d *desk) write(int) (call, check) {
	d.writes++
	name, content := filepath.Join(d.dir, fmt.Sprintf("written-%d.txt", d.writes%10)), prose(d.writes, editBytes)
	return d.words.write(name, content), onDisk(name, content)
}

func (d *desk) edit(int) (call, check) {
	name := d.edited[d.edits%len(d.edited)]
	turn := d.edits / len(d.edited)
	d.edits++
	d.content[name] = strings.Replace(d.content[name], counter(turn), counter(turn+1), 1)
	return d.words.edit(name, counter(turn), counter(turn+1)), onDisk(name, d.content[name])
}

func onDisk(name, content string) check {
	return func(string) error {
		data, err := os.ReadFile(name)
		if err == nil && string(data) != content {
			err = fmt.Errorf("%s does not hold what was written", name)
		}
		return err
	}
}

func (d *desk) bash(int) (call, check) {
	return d.words.bash("true"), func(answer string) error {
		if !strings.Contains(answer, d.words.ended) {
			return fmt.Errorf("the command did not end well: %.200s", answer)
		}
		return nil
	}
}

// mixed is half reads, a fifth lists, a tenth writes and a fifth edits.
func (d *desk) mixed(n int) (call, check) {
	switch n % 10 {
	case 1, 6:
		return d.list(d.tree.folders[n%len(d.tree.folders)])
	case 3:
		return d.write(n)
	case 4, 8:
		return d.edit(n)
	default:
		return d.read(n)
	}
}
