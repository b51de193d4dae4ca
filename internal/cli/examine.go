package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"septet/internal/cli/hostconfig"
	"septet/internal/cli/machine"
	"septet/internal/cli/settings"
	"septet/safepath"
)

// examine looks at everything that a server with these options would use.
func (o *options) examine(cmd *cobra.Command, p Program) *checkup {
	c := &checkup{Findings: []finding{}, Settings: []settings.Setting{}}
	build := thisBuild()
	c.say("septet", fine, "", "%s, %s, %s", build.label(), build.Go, build.Platform)
	applied, err := o.settle(cmd.Flags())
	if err != nil {
		c.fail("configuration", err)
		return c
	}
	c.Settings = append(c.Settings, applied.Settings...)
	c.configuration(applied)
	if err := o.check(); err != nil {
		c.fail("settings", err)
		return c
	}
	at, err := o.places()
	if err != nil {
		c.fail("workspace", err)
		return c
	}
	for _, root := range at.paths.Roots {
		c.root(root)
	}
	c.state(o, at.paths.State)
	c.journal(cmd.Context(), o, at)
	c.server(cmd.Context(), o, p)
	c.git()
	c.limits()
	for _, feature := range machine.Features() {
		c.feature(feature)
	}
	c.hosts(at.paths.WorkingDirectory)
	return c
}

func (c *checkup) configuration(a settings.Applied) {
	switch def := settings.DefaultFile(); {
	case a.File != "":
		c.say("configuration", fine, "", "%s", a.File)
	case def == "":
		c.say("configuration", fine, "", "none: there is no home directory")
	default:
		c.say("configuration", fine, "", "none; it would be %s", def)
	}
	if len(a.Ignored) > 0 {
		c.say("variables", warn, "unset them if they were meant as settings", "%s are no settings", strings.Join(a.Ignored, ", "))
	}
}

func (c *checkup) root(root safepath.Root) {
	kind := "read only"
	if root.Writable {
		kind = "read and write"
	}
	info, err := os.Stat(root.Path)
	switch {
	case err != nil:
		c.say("root", broken, "create it, or name another directory", "%v", err)
	case !info.IsDir():
		c.say("root", broken, "name a directory", "%s is no directory", root.Path)
	case machine.Readable(root.Path) != nil:
		c.say("root", broken, "chmod u+rx "+root.Path, "%s cannot be read", root.Path)
	case root.Writable && machine.Writable(root.Path) != nil:
		c.say("root", warn, "--read "+root.Path+" says so, or chmod u+w", "%s cannot be written", root.Path)
	case root.Writable && tooWide(root.Path):
		c.say("root", warn, "--workspace with the directory of one project", "%s, %s: everything of yours is in it", root.Path, kind)
	default:
		c.say("root", fine, "", "%s, %s", root.Path, kind)
	}
}

// tooWide reports whether a directory is no project: the whole disk, or the
// home directory.
func tooWide(dir string) bool {
	home, err := os.UserHomeDir()
	return dir == filepath.Dir(dir) || (err == nil && filepath.Clean(home) == dir)
}

// state looks at the place of the journal, or at the nearest directory above
// it that is there.
func (c *checkup) state(o *options, dir string) {
	if o.noJournal {
		c.say("state", fine, "", "no journal: nothing can be undone")
		return
	}
	if dir == "" {
		c.say("state", broken, "--state DIR, or --no-journal", "there is no home directory to keep the journal in; write and edit will refuse")
		return
	}
	parent := dir
	info, err := os.Stat(parent)
	for os.IsNotExist(err) && parent != filepath.Dir(parent) {
		parent = filepath.Dir(parent)
		info, err = os.Stat(parent)
	}
	switch {
	case err != nil:
		c.say("state", broken, "--state DIR, or --no-journal", "%v; write and edit will refuse", err)
	case !info.IsDir():
		c.say("state", broken, "--state DIR, or --no-journal", "%s is no directory; write and edit will refuse", parent)
	case machine.Writable(parent) == nil:
		c.say("state", fine, "", "%s", dir)
	case parent == dir && machine.Readable(dir) == nil:
		c.say("state", broken, "--state DIR, or --no-journal", "%s cannot be written; write and edit will refuse, changes and show work", dir)
	default:
		c.say("state", broken, "--state DIR, or --no-journal", "%s cannot be written; write and edit will refuse", parent)
	}
}

// maxTrial is how long the trial of the server may take; a healthy one takes
// a few milliseconds.
const maxTrial = 20 * time.Second

// server has a conversation with a real one: the handshake, the list of tools
// and a command.
func (c *checkup) server(ctx context.Context, o *options, p Program) {
	ctx, cancel := context.WithTimeout(ctx, maxTrial)
	defer cancel()
	quiet := *o
	quiet.logLevel, quiet.logFile = "disabled", ""
	log, closeLog, err := quiet.openLog(os.Stderr)
	if err != nil {
		c.fail("server", err)
		return
	}
	h := &host{closeLog: closeLog}
	if err := h.configure(&quiet, p, log); err != nil {
		c.fail("server", err)
		return
	}
	defer h.close()
	err = withServer(ctx, h.serve, func(server *pipe) error {
		tools, err := listTools(server)
		if err != nil {
			return err
		}
		names := make([]string, len(tools))
		for i, t := range tools {
			names[i] = t.Name
		}
		c.say("server", fine, "", "answers, with %s", strings.Join(names, " "))
		c.bash(server, names)
		return nil
	})
	if err != nil {
		c.fail("server", err)
	}
}

func (c *checkup) bash(server *pipe, names []string) {
	if !strings.Contains(" "+strings.Join(names, " ")+" ", " bash ") {
		c.say("bash", fine, "", "not selected")
		return
	}
	raw, err := server.request("tools/call", callParams{Name: "bash", Arguments: object{"command": "echo $BASH_VERSION"}}, nil)
	if err != nil {
		c.fail("bash", err)
		return
	}
	var result callResult
	if err := json.Unmarshal(raw, &result); err != nil || len(result.Content) == 0 {
		c.say("bash", broken, "report it", "the answer cannot be read: %v", err)
		return
	}
	fact, hint, _ := strings.Cut(result.Content[0].Text, "\nhint: ")
	fact, _, _ = strings.Cut(fact, "\n")
	if result.IsError {
		c.say("bash", broken, forPerson(strings.TrimSpace(hint)), "%s", fact)
		return
	}
	path, _ := exec.LookPath("bash")
	c.say("bash", fine, "", "%s %s", path, fact)
}

// minGit has git config --show-scope, by which it is found out what a
// repository would have git execute.
var minGit = [2]int{2, 26}

var gitVersion = regexp.MustCompile(`(\d+)\.(\d+)`)

func (c *checkup) git() {
	const effect = "every git command asks, even git status"
	path, err := exec.LookPath("git")
	if err != nil {
		c.say("git", warn, "install git", "not found in PATH; %s", effect)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxTrial)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	m := gitVersion.FindStringSubmatch(string(out))
	if err != nil || m == nil {
		c.say("git", warn, "git --version shows why", "%s does not tell its version; %s", path, effect)
		return
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	if major < minGit[0] || (major == minGit[0] && minor < minGit[1]) {
		c.say("git", warn, fmt.Sprintf("install %d.%d or newer", minGit[0], minGit[1]), "%s is %s; %s", path, m[0], effect)
		return
	}
	c.say("git", fine, "", "%s %s", path, strings.TrimSpace(strings.TrimPrefix(string(out), "git version")))
}

func (c *checkup) limits() {
	switch n := machine.OpenFiles(); {
	case n == 0:
	case n < machine.MinOpenFiles:
		c.say("open files", warn, fmt.Sprintf("ulimit -n %d", machine.MinOpenFiles), "at most %d; many calls at once can fail", n)
	default:
		c.say("open files", fine, "", "at most %d", n)
	}
}

func (c *checkup) feature(f machine.Feature) {
	if f.Works {
		c.say("kernel", fine, "", "%s", f.Name)
		return
	}
	c.say("kernel", warn, "a newer kernel, or a filter that lets it through", "no %s: %s", f.Name, f.Without)
}

// hosts looks into the files of the hosts for this project and this user.
func (c *checkup) hosts(workspace string) {
	program, err := thisProgram()
	if err != nil {
		c.fail("hosts", err)
		return
	}
	found := 0
	for _, h := range hostconfig.Hosts() {
		file, err := h.File(hostconfig.ThisMachine(), workspace)
		if err != nil {
			continue // there is no home, which is said above
		}
		text, err := hostconfig.Read(file)
		if err == nil && text == nil {
			continue
		}
		found++
		if err != nil {
			c.say(h.Name, warn, "look at the file", "%v", err)
			continue
		}
		c.hostFile(h, file, text, program)
	}
	if found == 0 {
		c.say("hosts", warn, "septet config HOST --write; septet config --help lists the hosts", "no configuration of a host was found here")
	}
}

func (c *checkup) hostFile(h hostconfig.Host, file string, text []byte, program string) {
	command, err := h.Installed(text)
	fix := "septet config " + h.Name + " --write"
	switch {
	case err != nil:
		f := asPrinted(told(err))
		c.say(h.Name, warn, f.hint, "%s: %s", file, f.fact)
	case command == "":
		c.say(h.Name, fine, "", "%s does not start septet; %s would", file, fix)
	case !startable(command):
		c.say(h.Name, broken, fix, "%s starts %s, which is not there", file, command)
	case !sameFile(command, program):
		c.say(h.Name, warn, fix, "%s starts another one, %s", file, command)
	default:
		c.say(h.Name, fine, "", "%s starts this program", file)
	}
}

func startable(command string) bool {
	_, err := exec.LookPath(command)
	return err == nil
}

func sameFile(command, program string) bool {
	path, err := exec.LookPath(command)
	if err != nil {
		return false
	}
	a, errA := os.Stat(path)
	b, errB := os.Stat(program)
	return errA == nil && errB == nil && os.SameFile(a, b)
}
