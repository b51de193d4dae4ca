package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

const (
	listed    = 1000   // entries of the directory that is listed
	readBytes = 10_000 // size of a file that is read, give or take a tenth
	editBytes = 20_000 // and of one that is written or edited
	sampled   = 40     // files and directories that take turns
)

// tree is what the servers work on.
type tree struct {
	dir     string
	count   int
	small   []string  // files of about readBytes
	large   []string  // files of about editBytes
	folders []listing // usual directories
	widest  listing   // the directory with the most entries
}

// listing is a directory and the names in it.
type listing struct {
	dir   string
	names []string
}

// generate makes 2,000 files of 1 to 24 KB in 50 directories, and a directory
// of 1,000 small ones.
func generate(dir string) error {
	for n := range 2000 {
		name := filepath.Join(dir, fmt.Sprintf("pkg%02d", n%50), fmt.Sprintf("file%02d.go", n/50))
		if err := create(name, prose(n, 1000*(1+n%24))); err != nil {
			return err
		}
	}
	for n := range listed {
		if err := create(filepath.Join(dir, "wide", fmt.Sprintf("entry-%04d.txt", n)), "x\n"); err != nil {
			return err
		}
	}
	return nil
}

// prose is text of exactly this many bytes, different for each n.
func prose(n, bytes int) string {
	var b strings.Builder
	for line := 0; b.Len() < bytes; line++ {
		fmt.Fprintf(&b, "// line %d of text %d says that a value is read, changed and written\n", line, n)
	}
	return b.String()[:bytes-1] + "\n"
}

func create(name, content string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(content), 0o644)
}

// survey finds in a directory what the work needs.
func survey(dir string) (*tree, error) {
	t := &tree{dir: dir}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return t.folder(path)
		default:
			t.count++
			return t.file(path, entry)
		}
	})
	if err == nil && (len(t.small) == 0 || len(t.large) == 0 || len(t.folders) == 0) {
		err = fmt.Errorf("%s has too little to measure", dir)
	}
	return t, err
}

func (t *tree) folder(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	found := listing{dir: path}
	for _, e := range entries {
		found.names = append(found.names, e.Name())
	}
	if len(found.names) > len(t.widest.names) {
		t.widest = found
	}
	if n := len(found.names); n >= 10 && n <= 100 && len(t.folders) < sampled {
		t.folders = append(t.folders, found)
	}
	return nil
}

func (t *tree) file(path string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err != nil || filepath.Ext(path) != ".go" {
		return err
	}
	for _, kind := range []struct {
		size int64
		list *[]string
	}{{readBytes, &t.small}, {editBytes, &t.large}} {
		near := info.Size() > kind.size*9/10 && info.Size() < kind.size*11/10
		if near && len(*kind.list) < sampled && isText(path) {
			*kind.list = append(*kind.list, path)
		}
	}
	return nil
}

// isText leaves out what a server may show in another way.
func isText(path string) bool {
	data, err := os.ReadFile(path)
	return err == nil && utf8.Valid(data) && !strings.ContainsAny(string(data), "\r\x00")
}
