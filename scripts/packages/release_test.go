package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// The tests look at a release that scripts/check made: SEPTET_RELEASE and
// SEPTET_RELEASE_AGAIN are two directories with the same one, made from two
// clones in two places.

// released is the directory of a release, and its version.
func released(t *testing.T) (dir, version string) {
	t.Helper()
	dir = os.Getenv("SEPTET_RELEASE")
	if dir == "" {
		t.Skip("SEPTET_RELEASE names no release; ./scripts/check release makes one")
	}
	found, err := filepath.Glob(filepath.Join(dir, "septet-v*.mcpb"))
	if err != nil || len(found) != 1 {
		t.Fatalf("bundles %v, %v", found, err)
	}
	return dir, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(found[0]), "septet-"), ".mcpb")
}

// packed is one entry of an archive.
type packed struct {
	name string
	mode fs.FileMode
	at   time.Time
	data []byte
}

// open reads an archive of either kind, in its own order.
func open(t *testing.T, name string) []packed {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var entries []packed
	if strings.HasSuffix(name, ".tar.gz") {
		var plain io.ReadCloser
		if plain, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			entries, err = readTar(plain)
		}
	} else {
		entries, err = readZip(data)
	}
	if err != nil || len(entries) == 0 {
		t.Fatalf("%s: %d entries, %v", name, len(entries), err)
	}
	return entries
}

// readTar reads up to the end, where a gzip stream has its checksum.
func readTar(plain io.Reader) ([]packed, error) {
	var entries []packed
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			_, err := io.Copy(io.Discard, plain)
			return entries, err
		}
		if err != nil {
			return nil, err
		}
		if h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.Gname != "" {
			return nil, fmt.Errorf("%s belongs to %d:%d %s:%s", h.Name, h.Uid, h.Gid, h.Uname, h.Gname)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		entries = append(entries, packed{h.Name, h.FileInfo().Mode(), h.ModTime.UTC(), data})
	}
}

func readZip(data []byte) ([]packed, error) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var entries []packed
	for _, f := range r.File {
		part, err := f.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		entries = append(entries, packed{f.Name, f.Mode(), f.Modified.UTC(), data})
	}
	return entries, nil
}

// TestReproducible compares every byte of two releases of one commit, which
// were made in different directories, with other temporary directories, file
// modes, languages and time zones.
func TestReproducible(t *testing.T) {
	one, _ := released(t)
	names, again := listing(t, one), listing(t, os.Getenv("SEPTET_RELEASE_AGAIN"))
	if !slices.Equal(names, again) {
		t.Fatalf("%v, then %v", names, again)
	}
	for _, name := range names {
		if a, b := content(t, one, name), content(t, os.Getenv("SEPTET_RELEASE_AGAIN"), name); !bytes.Equal(a, b) {
			t.Errorf("%s: %x, then %x", name, sha256.Sum256(a), sha256.Sum256(b))
		}
	}
}

func listing(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func content(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSumsAreWhole(t *testing.T) {
	dir, _ := released(t)
	sums := map[string]string{}
	for line := range strings.Lines(string(content(t, dir, "SHA256SUMS"))) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		sums[name] = sum
	}
	for _, name := range listing(t, dir) {
		if want := fmt.Sprintf("%x", sha256.Sum256(content(t, dir, name))); name != "SHA256SUMS" && sums[name] != want {
			t.Errorf("%s: %q, want %s", name, sums[name], want)
		}
		delete(sums, name)
	}
	if len(sums) > 0 {
		t.Errorf("sums of what is not there: %v", sums)
	}
}

// TestArchives looks at everything that is packed: order, times and modes, and
// in those for a target, whether all is there that belongs.
func TestArchives(t *testing.T) {
	dir, version := released(t)
	targets := 0
	for _, name := range listing(t, dir) {
		base, isTar := strings.CutSuffix(name, ".tar.gz")
		base, isZip := strings.CutSuffix(base, ".zip")
		if !isTar && !isZip && !strings.HasSuffix(name, ".mcpb") {
			continue
		}
		entries := open(t, filepath.Join(dir, name))
		checkPacking(t, name, entries)
		if target, found := strings.CutPrefix(base, "septet-"+version+"-"); found && target != "image" {
			targets++
			checkContents(t, base, entries)
		}
	}
	if targets < 2 {
		t.Errorf("archives for %d targets", targets)
	}
}

func checkPacking(t *testing.T, name string, entries []packed) {
	t.Helper()
	if !slices.IsSortedFunc(entries, func(a, b packed) int { return strings.Compare(a.name, b.name) }) {
		t.Errorf("%s is not sorted", name)
	}
	for _, e := range entries {
		if !e.at.Equal(entries[0].at) || e.at.Year() < 2020 {
			t.Errorf("%s: %s has the time %v, others %v", name, e.name, e.at, entries[0].at)
		}
		if path.IsAbs(e.name) || strings.Contains(e.name, "..") {
			t.Errorf("%s: %s leads out of it", name, e.name)
		}
	}
}

// checkContents looks for what an archive must hold, below its one directory.
func checkContents(t *testing.T, base string, entries []packed) {
	t.Helper()
	have := map[string]packed{}
	for _, e := range entries {
		name, found := strings.CutPrefix(e.name, base+"/")
		if !found {
			t.Errorf("%s: %s is beside the directory", base, e.name)
		}
		have[name] = e
	}
	program := "septet"
	if strings.Contains(base, "-windows-") {
		program = "septet.exe"
	}
	want := []string{program, "README.md", "docs/hosts.md", "docs/picture.svg", "man/man1/septet.1", "licenses/go/LICENSE"}
	for _, name := range completions {
		want = append(want, "completions/"+name)
	}
	for _, verb := range verbs(commandLine()) {
		want = append(want, "man/man1/"+pageName(verb)+".1")
	}
	for _, name := range want {
		if len(have[name].data) == 0 {
			t.Errorf("%s has no %s", base, name)
		}
	}
	for name, e := range have {
		if mode := map[bool]fs.FileMode{true: 0o755, false: 0o644}[name == program]; e.mode != mode {
			t.Errorf("%s: %s has the mode %v", base, name, e.mode)
		}
		if strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, "licenses/") {
			checkLinks(t, base, name, have)
		}
	}
	checkPlaces(t, base, entries)
}

// checkPlaces looks for names of the machine that the release was made on.
func checkPlaces(t *testing.T, base string, entries []packed) {
	t.Helper()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		for _, place := range []string{home + "/", root, strings.TrimSpace(output(t, ".", "go", "env", "GOROOT")) + "/src", "septet-release-"} {
			if bytes.Contains(e.data, []byte(place)) {
				t.Errorf("%s: %s names %s", base, e.name, place)
			}
		}
	}
}

// checkLinks follows the links of a document to files beside it.
func checkLinks(t *testing.T, base, name string, have map[string]packed) {
	t.Helper()
	for _, part := range strings.Split(string(have[name].data), "](")[1:] {
		link, _, _ := strings.Cut(part, ")")
		link, _, _ = strings.Cut(link, "#")
		if link == "" || strings.Contains(link, "://") {
			continue
		}
		if _, found := have[path.Join(path.Dir(name), link)]; !found {
			t.Errorf("%s: %s links to %s, which is not in it", base, name, link)
		}
	}
}

// unpack writes an archive below a new directory, with its modes.
func unpack(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	for _, e := range open(t, name) {
		to := filepath.Join(dir, e.name)
		if e.mode.IsDir() {
			if err := os.MkdirAll(to, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, e.data, e.mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// unpackHere unpacks the archive for this machine and gives its directory.
func unpackHere(t *testing.T) (dir, version string) {
	t.Helper()
	at, version := released(t)
	base := "septet-" + version + "-" + runtime.GOOS + "-" + runtime.GOARCH
	ending := ".tar.gz"
	if runtime.GOOS == "windows" {
		ending = ".zip"
	}
	if _, err := os.Stat(filepath.Join(at, base+ending)); err != nil {
		t.Skip("the release has no program for this machine")
	}
	return filepath.Join(unpack(t, filepath.Join(at, base+ending)), base), version
}

func jsonOf(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
