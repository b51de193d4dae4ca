package main

import (
	"bytes"
	"maps"
	"os"
	"path"
	"path/filepath"

	"septet/internal/cli"
	"septet/tools"
)

// documents are the files of the checkout that go into every archive: the
// README, what it links to, and the license, should there be one.
var documents = []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/*.md", "docs/*.svg", "LICENSE*"}

// completions are the shells and the names that they look for.
var completions = map[string]string{"bash": "septet.bash", "zsh": "_septet", "fish": "septet.fish", "powershell": "septet.ps1"}

// writeArchives writes one archive for each target, in the format that its
// system can open.
func (r *release) writeArchives() error {
	shared, err := r.contents()
	if err != nil {
		return err
	}
	for _, t := range r.targets {
		content := maps.Clone(shared)
		content.addProgram(t.programName(), t.program)
		if err := r.addLicenses(content, t); err != nil {
			return err
		}
		name := "septet-" + r.version + "-" + t.String()
		pack, ending := tree.tarGz, ".tar.gz"
		if t.os == "windows" {
			pack, ending = tree.zip, ".zip"
		}
		packed, err := pack(content.below(name), r.time)
		if err != nil {
			return err
		}
		if err := r.write(name+ending, packed); err != nil {
			return err
		}
	}
	return nil
}

// contents is what does not differ between targets.
func (r *release) contents() (tree, error) {
	content := tree{}
	for _, pattern := range documents {
		names, err := filepath.Glob(filepath.Join(r.root, pattern))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			content.add(path.Join(path.Dir(pattern), filepath.Base(name)), data)
		}
	}
	for shell, name := range completions {
		script, err := completion(shell)
		if err != nil {
			return nil, err
		}
		content.add("completions/"+name, script)
	}
	for name, page := range manual(cli.Command(program()), r.time) {
		content.add("man/man1/"+name, page)
	}
	return content, nil
}

// program is the command line with every tool, for its documents; it starts
// nothing.
func program() cli.Program { return cli.Program{Register: tools.Register} }

func completion(shell string) ([]byte, error) {
	var script bytes.Buffer
	command := cli.Command(program())
	command.SetArgs([]string{"completion", shell})
	command.SetOut(&script)
	err := command.Execute()
	return script.Bytes(), err
}
