//go:build linux

// Command picture runs the commands of a short session in a terminal and
// draws what they print as an SVG:
//
//	go run ./scripts/picture docs/picture.svg
//
// Nothing in the picture is written by hand but the commands; ids and times are
// replaced by others that stay the same from run to run.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// session is what is typed. Each line is run by bash in the same directory.
var session = []string{
	`septet call edit path=greet.sh oldText='hello $1' newText='hello ${1:-world}'`,
	`septet effects bash command='grep -c hello greet.sh'`,
	`septet effects bash command='sh greet.sh | tee out.txt'`,
	`septet changes`,
	`septet show $(septet changes --json | sed -n 's/.*"changeId": "\(.*\)",/\1/p' | head -1)`,
	`septet undo --last`,
	`septet call read path=gret.sh`,
}

// shown is what the picture shows for a command that says more than it should.
var shown = map[int]string{4: "septet show %s"}

const before = "#!/bin/sh\n# greets\necho \"hello $1\"\n"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "picture: it needs the name of the file to write\nhint: go run ./scripts/picture docs/picture.svg")
		os.Exit(2)
	}
	if err := draw(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func draw(file string) error {
	top, err := os.MkdirTemp("", "septet-picture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(top)
	if out, err := exec.Command("go", "build", "-o", filepath.Join(top, "bin", "septet"), ".").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	project := filepath.Join(top, "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(project, "greet.sh"), []byte(before), 0o755); err != nil {
		return err
	}
	var lines []string
	for i, command := range session {
		output, err := inTerminal(command, project, environment(top))
		if err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
		said := strings.Split(strings.TrimRight(output, "\r\n"), "\r\n")
		lines = append(append(lines, prompt(i, command, said)), said...)
		lines = append(lines, "")
	}
	return os.WriteFile(file, []byte(svg(stable{}.lines(lines[:len(lines)-1]))), 0o644)
}

func environment(top string) []string {
	return []string{
		"PATH=" + filepath.Join(top, "bin") + ":" + os.Getenv("PATH"), "TERM=xterm-256color", "PAGER=cat", "TZ=UTC",
		"HOME=" + top, "XDG_STATE_HOME=" + filepath.Join(top, "state"), "XDG_CONFIG_HOME=" + filepath.Join(top, "config"),
	}
}

// prompt is the line on which a command was typed.
func prompt(i int, command string, said []string) string {
	if form, found := shown[i]; found {
		id := said[0][strings.LastIndexByte(said[0], ' ')+1:]
		command = fmt.Sprintf(form, id[:8])
	}
	return "\x1b[2m$\x1b[0m \x1b[1m" + command + "\x1b[0m"
}
