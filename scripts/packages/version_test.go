package main

import (
	"debug/buildinfo"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestProgramsAreStaticAndNamed(t *testing.T) {
	dir, version := released(t)
	for _, name := range listing(t, dir) {
		if !strings.Contains(name, "-linux-") && !strings.Contains(name, "-darwin-") && !strings.Contains(name, "-windows-") {
			continue
		}
		unpacked := unpack(t, filepath.Join(dir, name))
		programs, err := filepath.Glob(filepath.Join(unpacked, "*", "septet*"))
		if err != nil || len(programs) != 1 {
			t.Fatalf("%s: programs %v, %v", name, programs, err)
		}
		info, err := buildinfo.ReadFile(programs[0])
		if err != nil {
			t.Fatal(err)
		}
		settings := map[string]string{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		if info.Main.Version != version || settings["CGO_ENABLED"] != "0" || settings["-trimpath"] != "true" || settings["vcs.modified"] != "false" {
			t.Errorf("%s: %s with %v", name, info.Main.Version, settings)
		}
		if strings.Contains(name, "-linux-") {
			checkStatic(t, programs[0])
		}
	}
}

// checkStatic holds a program to ask for no loader and no library.
func checkStatic(t *testing.T, name string) {
	t.Helper()
	f, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("%s has a segment %v", name, p.Type)
		}
	}
	if f.Section(".symtab") != nil || f.Section(".debug_info") != nil {
		t.Errorf("%s has symbols", name)
	}
}

func TestReleasedProgramTellsItsVersion(t *testing.T) {
	dir, version := unpackHere(t)
	if got := output(t, dir, "./septet", "version"); !strings.HasPrefix(got, "septet "+version+" go1.") {
		t.Errorf("%q, want %s", got, version)
	}
	if got := output(t, dir, "./septet", "version", "--json"); !strings.Contains(got, `"version":"`+version+`"`) || !strings.Contains(got, `"commit":"`) {
		t.Errorf("%s, want %s and its commit", got, version)
	}
}

// TestPlainBuildTellsItsVersion builds as a person does in a clone: at a commit,
// at a tag, with changes, and without a build.
func TestPlainBuildTellsItsVersion(t *testing.T) {
	_, version := released(t)
	clone := filepath.Join(t.TempDir(), "clone")
	output(t, ".", "git", "clone", "-q", "../..", clone)
	// The default; "go env -w" may have set another here.
	for name, value := range map[string]string{"GOFLAGS": "-buildvcs=auto", "CGO_ENABLED": "0"} {
		t.Setenv(name, value)
	}
	built := func() string {
		program := filepath.Join(t.TempDir(), "septet.exe")
		output(t, clone, "go", "build", "-o", program, ".")
		return output(t, clone, program, "version")
	}
	for _, step := range []struct {
		want string
		do   func()
	}{
		{"septet " + version + " ", func() {}},
		{"septet v1.98.7 ", func() { output(t, clone, "git", "tag", "v1.98.7") }},
		{"septet v1.98.7+dirty ", func() {
			if err := os.WriteFile(filepath.Join(clone, "new.txt"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		step.do()
		if got := built(); !strings.HasPrefix(got, step.want) {
			t.Errorf("%q, want %q", got, step.want)
		}
	}
	if got := output(t, clone, "go", "run", ".", "version"); !strings.HasPrefix(got, "septet devel (commit unknown) ") {
		t.Errorf("go run: %q", got)
	}
}

// output runs a command in a directory and gives all that it says.
func output(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", program, args, err, out)
	}
	return string(out)
}

func lookPath(t *testing.T, program string) string {
	t.Helper()
	found, err := exec.LookPath(program)
	if err != nil {
		t.Skip(program + " is not installed")
	}
	return found
}

func linuxOnly(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("for Linux")
	}
}
