package main

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"septet/tools"
	"septet/toolset"
)

//go:embed bundle/launcher
var launcher []byte

// manifestVersion is the oldest that has what is used here; hosts refuse those
// they do not know.
const manifestVersion = "0.3"

// manifest describes a bundle to a host.
type manifest struct {
	ManifestVersion string               `json:"manifest_version"`
	Name            string               `json:"name"`
	DisplayName     string               `json:"display_name"`
	Version         string               `json:"version"`
	Description     string               `json:"description"`
	LongDescription string               `json:"long_description"`
	Author          author               `json:"author"`
	Repository      repositoryAt         `json:"repository"`
	Server          bundleServer         `json:"server"`
	Tools           []bundleTool         `json:"tools"`
	Keywords        []string             `json:"keywords"`
	Compatibility   compatibility        `json:"compatibility"`
	UserConfig      map[string]userValue `json:"user_config"`
}

type author struct {
	Name string `json:"name"`
}

type repositoryAt struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

type bundleServer struct {
	Type       string        `json:"type"`
	EntryPoint string        `json:"entry_point"`
	Config     launchCommand `json:"mcp_config"`
}

type launchCommand struct {
	Command   string                   `json:"command"`
	Args      []string                 `json:"args,omitempty"`
	Overrides map[string]launchCommand `json:"platform_overrides,omitempty"`
}

type bundleTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type compatibility struct {
	Platforms []string `json:"platforms"`
}

type userValue struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Default     string `json:"default,omitempty"`
}

const longDescription = "septet reads, searches and changes files in the folder that you choose, and runs commands in it. " +
	"Files outside that folder are out of reach of its file tools. Commands are not held back: they run with your full rights, " +
	"so let the host ask you before it runs one, or choose the mode read-only. Every change of a file can be taken back."

// writeBundle writes one bundle for all systems and, because that needs its
// digest, the entry of the registry that points to it.
func (r *release) writeBundle() error {
	content, commands := r.bundlePrograms()
	if len(commands) == 0 {
		return nil // no program for a bundle
	}
	description, err := r.manifest(commands)
	if err != nil {
		return err
	}
	content.add("manifest.json", description)
	for _, t := range r.targets {
		if err := r.addLicenses(content, t); err != nil {
			return err
		}
	}
	packed, err := content.zip(r.time)
	if err != nil {
		return err
	}
	name := "septet-" + r.version + ".mcpb"
	if err := r.write(name, packed); err != nil {
		return err
	}
	return r.writeServer(name, packed)
}

// bundlePrograms gives the programs of a bundle and, by the name that hosts
// have for a system, the one to start there. macOS takes a program for both
// processors, Windows runs the one for amd64 on either, Linux needs a launcher.
func (r *release) bundlePrograms() (tree, map[string]string) {
	content, commands := tree{}, map[string]string{}
	var darwin []target
	for _, t := range r.targets {
		switch {
		case t.os == "linux":
			content.addProgram("server/septet-"+t.String(), t.program)
			content.addProgram("server/septet-linux", launcher)
			commands["linux"] = "server/septet-linux"
		case t.os == "darwin":
			darwin = append(darwin, t)
		case t.os == "windows" && t.arch == "amd64":
			content.addProgram("server/septet.exe", t.program)
			commands["win32"] = "server/septet.exe"
		}
	}
	if len(darwin) > 0 {
		content.addProgram("server/septet-darwin", universal(darwin))
		commands["darwin"] = "server/septet-darwin"
	}
	return content, commands
}

func (r *release) manifest(commands map[string]string) ([]byte, error) {
	platforms := slices.Sorted(maps.Keys(commands))
	overrides := map[string]launchCommand{}
	for system, program := range commands {
		overrides[system] = launchCommand{Command: "${__dirname}/" + program}
	}
	listed, err := bundleTools()
	if err != nil {
		return nil, err
	}
	return indented(manifest{
		ManifestVersion: manifestVersion, Name: "septet", DisplayName: title, Version: r.number(),
		Description: summary, LongDescription: longDescription,
		Author: author{publisher}, Repository: repositoryAt{"git", repository},
		Server: bundleServer{Type: "binary", EntryPoint: commands[platforms[0]], Config: launchCommand{
			Command:   "${__dirname}/" + commands[platforms[0]],
			Args:      []string{"serve", "--workspace", "${user_config.workspace}", "--mode", "${user_config.mode}"},
			Overrides: overrides,
		}},
		Tools: listed, Keywords: []string{"files", "search", "shell"}, Compatibility: compatibility{platforms},
		UserConfig: map[string]userValue{
			"workspace": {Type: "directory", Title: "Folder", Description: "The folder that the tools work in.", Required: true},
			"mode": {Type: "string", Title: "Mode", Default: "default",
				Description: "default, accept-edits, or read-only, which has no tool that changes or runs anything."},
		},
	})
}

// bundleTools are the tools, each with the first line of what a model is told.
func bundleTools() ([]bundleTool, error) {
	registry := &toolset.Registry{}
	tools.Register(registry, tools.Config{})
	set, err := registry.Finalize(nil, toolset.Selection{})
	if err != nil {
		return nil, err
	}
	var listed []bundleTool
	for _, d := range set.Definitions() {
		first, _, _ := strings.Cut(d.Description, "\n")
		listed = append(listed, bundleTool{d.Name, first})
	}
	return listed, nil
}

func indented(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err
}
