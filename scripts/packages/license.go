package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// licenseName matches the files that a module asks to be passed on with it.
var licenseName = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice|patents)`)

// addLicenses adds the terms of everything that was built into the program of
// the target: most ask to be in whatever is distributed.
func (r *release) addLicenses(content tree, t target) error {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}", ".")
	cmd.Dir, cmd.Env, cmd.Stderr = r.root, t.environment(), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	modules := map[string]string{"go": strings.TrimSpace(string(goroot))}
	for line := range strings.Lines(string(out)) {
		if module, dir, found := strings.Cut(strings.TrimSpace(line), " "); found {
			modules[module] = dir
		}
	}
	for module, dir := range modules {
		if err := addLicense(content, module, dir); err != nil {
			return err
		}
	}
	return nil
}

func addLicense(content tree, module, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		if e.IsDir() || !licenseName.MatchString(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		content.add("licenses/"+module+"/"+e.Name(), data)
		found = true
	}
	if !found {
		return fmt.Errorf("%s has no license file", module)
	}
	return nil
}
