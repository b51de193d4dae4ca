package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// makeTrees makes what is missing and returns the directories by name.
func makeTrees(cache string) (map[string]string, error) {
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	trees := map[string]string{"go": filepath.Join(strings.TrimSpace(root), "src")}
	for name, fill := range map[string]func(dir string) error{"60k": fillTree, "log": fillLog} {
		dir := filepath.Join(cache, name)
		trees[name] = dir
		if _, err := os.Stat(dir); err == nil {
			continue
		}
		part := dir + ".part"
		os.RemoveAll(part)
		if err := os.MkdirAll(part, 0o755); err != nil {
			return nil, err
		}
		if err := fill(part); err != nil {
			return nil, err
		}
		if err := os.Rename(part, dir); err != nil {
			return nil, err
		}
	}
	return trees, nil
}

// words make up the generated text.
var words = strings.Fields("package func return error context buffer handle stream value string index count table entry reader writer config server client request response status update delete insert select commit branch merge")

func sentence(w *bufio.Writer, r *rand.Rand, n int) {
	for range n {
		w.WriteString(words[r.IntN(len(words))])
		w.WriteByte(' ')
	}
}

// fillTree makes 60,000 files in 4,000 directories, with ignore files.
func fillTree(dir string) error {
	r := rand.New(rand.NewPCG(1, 60))
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, ".git/HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		return err
	}
	for d := range 4000 {
		at := filepath.Join(dir, fmt.Sprintf("m%02d", d/400), fmt.Sprintf("p%02d", d/20%20), fmt.Sprintf("d%02d", d%20))
		if err := os.MkdirAll(at, 0o755); err != nil {
			return err
		}
		if d%100 == 0 {
			if err := os.WriteFile(filepath.Join(at, ".gitignore"), []byte("*.tmp\n/f03.*\n!f04.tmp\n"), 0o644); err != nil {
				return err
			}
		}
		for f := range 15 {
			name := filepath.Join(at, fmt.Sprintf("f%02d.%s", f, []string{"go", "txt", "tmp"}[f%3]))
			if err := writeText(name, r, 20+r.IntN(60)); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeText(name string, r *rand.Rand, lines int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for range lines {
		sentence(w, r, 3+r.IntN(8))
		w.WriteByte('\n')
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// fillLog makes a log of 1 GiB.
func fillLog(dir string) error {
	f, err := os.Create(filepath.Join(dir, "server.log"))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	r := rand.New(rand.NewPCG(2, 60))
	for size, n := 0, 0; size < 1<<30; n++ {
		level := "INFO"
		if n%1000 == 7 {
			level = "WARN"
		}
		line := fmt.Sprintf("2026-01-%02d 12:%02d:%02d %s [%s] request %d took %d ms\n", n%28+1, n/60%60, n%60, level, words[r.IntN(len(words))], n, r.IntN(900))
		size += len(line)
		w.WriteString(line)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
