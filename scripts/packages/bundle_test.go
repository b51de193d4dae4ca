package main

import (
	"bytes"
	"debug/macho"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// bundler is the program that hosts' makers publish for bundles: it holds the
// schema, and the code with which a host starts what is in a bundle.
func bundler(t *testing.T) (node, dir string) {
	t.Helper()
	node = lookPath(t, "node")
	dir = os.Getenv("SEPTET_MCPB")
	if dir == "" {
		t.Skip("SEPTET_MCPB names no directory with the npm package; ./scripts/check release installs it")
	}
	return node, dir
}

func bundleCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	node, dir := bundler(t)
	return exec.Command(node, append([]string{filepath.Join(dir, "dist", "cli", "cli.js")}, args...)...)
}

// unpackBundle lets the bundler unpack the bundle of the release.
func unpackBundle(t *testing.T) string {
	t.Helper()
	dir, version := released(t)
	to := filepath.Join(t.TempDir(), "a bundle") // macOS has blanks in the place
	if out, err := bundleCommand(t, "unpack", filepath.Join(dir, "septet-"+version+".mcpb"), to).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return to
}

func TestManifestFollowsTheSchema(t *testing.T) {
	unpacked := unpackBundle(t)
	good := content(t, unpacked, "manifest.json")
	name := filepath.Join(unpacked, "manifest.json")
	if out, err := bundleCommand(t, "validate", name).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	// The bundler is seen to refuse.
	for what, with := range map[string]string{
		`"manifest_version": "0.3"`: `"manifest_version": "9.9"`,
		`"type": "binary"`:          `"type": "program"`,
		`"entry_point"`:             `"entrypoint"`,
		`"type": "directory"`:       `"type": "folder"`,
	} {
		broken := bytes.Replace(good, []byte(what), []byte(with), 1)
		if err := os.WriteFile(name, broken, 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := bundleCommand(t, "validate", name).CombinedOutput(); err == nil || bytes.Equal(broken, good) {
			t.Errorf("%s instead of %s is accepted, or was not there\n%s", with, what, out)
		}
	}
}

// launch asks the bundler what a host starts, and how.
const launch = `
const [, unpacked, workspace] = process.argv
const { getMcpConfigForManifest } = await import(process.env.BUNDLER)
const manifest = JSON.parse((await import("node:fs")).readFileSync(unpacked + "/manifest.json"))
const config = await getMcpConfigForManifest({ manifest, extensionPath: unpacked, systemDirs: {}, userConfig: { workspace }, pathSeparator: "/" })
console.log(JSON.stringify(config))`

func TestBundleRunsInAHost(t *testing.T) {
	linuxOnly(t)
	node, dir := bundler(t)
	unpacked, workspace := unpackBundle(t), t.TempDir()
	cmd := exec.Command(node, "--input-type=module", "-e", launch, unpacked, workspace)
	cmd.Env = append(os.Environ(), "BUNDLER="+filepath.Join(dir, "dist", "index.js"))
	out, err := cmd.Output()
	var config launchCommand
	if err != nil || json.Unmarshal(out, &config) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server := exec.Command(config.Command, config.Args...)
	server.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
	c := connect(t, server)
	if got := c.tools(); got != "read write edit grep glob list bash" {
		t.Errorf("the tools are %s", got)
	}
	c.fileWork()
	if got := string(content(t, workspace, "dir/a.txt")); got != "one\nthree\n" {
		t.Errorf("the file has %q", got)
	}
}

// TestManifestNamesWhatIsThere follows every command of the manifest.
func TestManifestNamesWhatIsThere(t *testing.T) {
	dir, version := released(t)
	entries := map[string]packed{}
	for _, e := range open(t, filepath.Join(dir, "septet-"+version+".mcpb")) {
		entries[e.name] = e
	}
	var m manifest
	if err := json.Unmarshal(entries["manifest.json"].data, &m); err != nil {
		t.Fatal(err)
	}
	named := []string{m.Server.EntryPoint, strings.TrimPrefix(m.Server.Config.Command, "${__dirname}/")}
	for system, command := range m.Server.Config.Overrides {
		named = append(named, strings.TrimPrefix(command.Command, "${__dirname}/"))
		if !strings.Contains(strings.Join(m.Compatibility.Platforms, " "), system) {
			t.Errorf("%s is not among %v", system, m.Compatibility.Platforms)
		}
	}
	for _, name := range named {
		if e, found := entries[name]; !found || e.mode != 0o755 {
			t.Errorf("%s: mode %v, in the bundle: %v", name, e.mode, found)
		}
	}
	if len(m.Tools) != 7 || m.Version != strings.TrimPrefix(version, "v") {
		t.Errorf("%d tools, version %s", len(m.Tools), m.Version)
	}
}

// TestLauncherRefusesOtherProcessors runs it with a uname that says another.
func TestLauncherRefusesOtherProcessors(t *testing.T) {
	linuxOnly(t)
	dir := t.TempDir()
	for name, text := range map[string]string{"septet-linux": string(launcher), "uname": "#!/bin/sh\necho mips\n", "septet-linux-amd64": "#!/bin/sh\necho \"amd64 $*\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(filepath.Join(dir, "septet-linux"), "serve")
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "septet: this bundle has no program for mips\nhint: ") {
		t.Errorf("%v: %s", err, out)
	}
	if runtime.GOARCH == "amd64" {
		if got := output(t, dir, filepath.Join(dir, "septet-linux"), "serve", "a b"); got != "amd64 serve a b\n" {
			t.Errorf("%q", got)
		}
	}
}

// TestUniversalIsReadAsOne puts two programs for macOS together; any file with
// their header will do, and a linker makes one for each processor.
func TestUniversalIsReadAsOne(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var both []target
	for _, arch := range []string{"amd64", "arm64"} {
		cmd := exec.Command("go", "build", "-trimpath", "-o", arch, "main.go")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOOS=darwin", "GOARCH="+arch, "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		both = append(both, target{os: "darwin", arch: arch, program: content(t, dir, arch)})
	}
	whole := universal(both)
	fat, err := macho.NewFatFile(bytes.NewReader(whole))
	if err != nil || len(fat.Arches) != 2 {
		t.Fatal(fat, err)
	}
	for i, cpu := range []macho.Cpu{macho.CpuAmd64, macho.CpuArm64} {
		a := fat.Arches[i]
		if a.Cpu != cpu || a.File.Cpu != cpu || a.Offset%(1<<a.Align) != 0 || !bytes.Equal(whole[a.Offset:a.Offset+a.Size], both[i].program) {
			t.Errorf("part %d: %+v", i, a.FatArchHeader)
		}
	}
	if one := universal(both[:1]); !bytes.Equal(one, both[0].program) {
		t.Error("one program is not left as it is")
	}
}
