package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// release is one version of the program, for some targets.
type release struct {
	root    string    // the checkout
	out     string    // an existing directory, for the result
	time    time.Time // of the commit, in UTC; every file in an archive has it
	version string    // a tag or a pseudo-version, "" until the first build
	targets []target
	files   []string // what was written to out, by name
}

// target is a system and a processor, with the program for it.
type target struct {
	os, arch string
	program  []byte
}

func (t target) String() string { return t.os + "-" + t.arch }

// programName is the file name of the program on the target.
func (t target) programName() string {
	if t.os == "windows" {
		return "septet.exe"
	}
	return "septet"
}

// build adds a target, named "os/arch". The symbol table is left out: stacks of
// panics do not need it.
func (r *release) build(name string) error {
	t := target{}
	t.os, t.arch, _ = strings.Cut(name, "/")
	file, err := os.CreateTemp("", "septet-release-")
	if err != nil {
		return err
	}
	file.Close()
	defer os.Remove(file.Name())
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", file.Name(), ".")
	cmd.Dir, cmd.Env = r.root, t.environment()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	if t.program, err = os.ReadFile(file.Name()); err != nil {
		return err
	}
	r.targets = append(r.targets, t)
	return r.checkVersion(file.Name())
}

func (t target) environment() []string {
	return append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch)
}

// checkVersion takes the version from the program itself, so that the names of
// the files cannot say another one.
func (r *release) checkVersion(program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	version := info.Main.Version
	if !strings.HasPrefix(version, "v") || strings.HasSuffix(version, "+dirty") {
		return fmt.Errorf("the toolchain gave it the version %q; a release is built from a clean clone", version)
	}
	if strings.Contains(info.GoVersion, " ") {
		return fmt.Errorf("it is built with %s; unset GOEXPERIMENT", info.GoVersion)
	}
	if r.version != "" && r.version != version {
		return fmt.Errorf("its version is %s, that of others %s", version, r.version)
	}
	r.version = version
	return nil
}

// number is the version as formats want it that know semantic versions only.
func (r *release) number() string { return strings.TrimPrefix(r.version, "v") }

// write keeps a file of the release.
func (r *release) write(name string, data []byte) error {
	r.files = append(r.files, name)
	fmt.Printf("%6.1f MB  %s\n", float64(len(data))/1e6, name)
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}

// writeSums goes last. The format is that of sha256sum.
func (r *release) writeSums() error {
	var sums strings.Builder
	for _, name := range r.files {
		data, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
	}
	return r.write("SHA256SUMS", []byte(sums.String()))
}
