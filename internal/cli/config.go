package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"septet/internal/cli/hostconfig"
	"septet/toolset"
)

// configOptions are the flags of config.
type configOptions struct {
	workspace string // "" is the current directory
	file      string // "" is the host's own
	write     bool
	asJSON    bool
}

func configCommand() *cobra.Command {
	var o configOptions
	cmd := &cobra.Command{
		Use:   "config HOST [-- FLAGS OF SERVE]",
		Short: "Print or write what makes a host start septet",
		Long: `Print what has to be in the configuration of a host so that it starts septet;
with --write, put it there. Nothing else in the file is touched, the old file is
kept as FILE` + hostconfig.BackupSuffix + `, and a file that is broken is left alone.

` + hostList() + `
What follows -- is given to septet serve.`,
		Example: "  septet config claude-code\n  septet config vscode --write\n  septet config codex --write -- --mode read-only",
		Args:    knownHost,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return hostconfig.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			host, _ := hostconfig.Find(args[0])
			return told(o.run(cmd, host, args[1:]))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.workspace, "workspace", "", "project `DIR` (default the current directory)")
	f.StringVar(&o.file, "file", "", "another `FILE` than the host's usual one")
	f.BoolVar(&o.write, "write", false, "put it into the file")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	return cmd
}

// hostList is a line for each host, and its place.
func hostList() string {
	var b strings.Builder
	for _, h := range hostconfig.Hosts() {
		fmt.Fprintf(&b, "  %-15s %-20s for %s\n", h.Name, h.Title, h.Scope())
	}
	return b.String()
}

// knownHost wants a host and, after "--", flags.
func knownHost(cmd *cobra.Command, args []string) error {
	names := hostconfig.Names()
	switch dash := cmd.ArgsLenAtDash(); {
	case len(args) == 0 || dash == 0:
		return usage("septet config "+names[0]+"; the hosts are "+strings.Join(names, ", "), "septet config needs the name of a host")
	case len(args) > 1 && dash != 1:
		return usage("septet config "+args[0]+" -- FLAGS OF SERVE", "septet config takes one host, got %q", strings.Join(args, " "))
	}
	if _, known := hostconfig.Find(args[0]); known {
		return nil
	}
	if near := toolset.Closest(args[0], names); near != "" {
		return usage("septet config "+near, "unknown host %q", args[0])
	}
	return usage("the hosts are "+strings.Join(names, ", "), "unknown host %q", args[0])
}

func (o *configOptions) run(cmd *cobra.Command, h hostconfig.Host, flags []string) error {
	workspace, err := directory(o.workspace)
	if err != nil {
		return err
	}
	launch, err := launchOf(h, workspace, flags)
	if err != nil {
		return err
	}
	if script := h.Script(workspace); script != "" && o.file == "" {
		return o.script(cmd, h, script, launch)
	}
	file, within := o.file, ""
	if file == "" {
		if file, err = h.File(hostconfig.ThisMachine(), workspace); err != nil {
			return err
		}
		if strings.HasPrefix(file, workspace+string(filepath.Separator)) && h.Scope() == "this project" {
			within = workspace
		}
	}
	if !o.write {
		return o.print(cmd, h, file, launch)
	}
	if isTemporaryBuild(launch.Command) {
		return usage("go build, then ./septet config "+h.Name+" --write", "%s is a temporary build of go run; it will be gone when %s wants it", launch.Command, h.Title)
	}
	written, err := h.Write(file, within, launch)
	if err != nil {
		return err
	}
	if o.asJSON {
		return printJSON(cmd.OutOrStdout(), written)
	}
	return sayWritten(cmd.OutOrStdout(), h, written)
}

// directory is the absolute path of a directory that is there; "" is the
// current one.
func directory(name string) (string, error) {
	dir, err := filepath.Abs(name)
	if err != nil {
		return "", usage("--workspace DIR", "the current directory cannot be told: %v", err)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", usage("--workspace names a directory that is there", "%s is no directory", dir)
	}
	return dir, nil
}

// launchOf is how the host starts this program. The flags are checked now,
// while somebody is there to read what is wrong with them.
func launchOf(h hostconfig.Host, workspace string, flags []string) (hostconfig.Launch, error) {
	known := settingFlags()
	if err := known.Parse(flags); err != nil {
		return hostconfig.Launch{}, flagFailure("septet serve", known, err)
	}
	if known.NArg() > 0 {
		return hostconfig.Launch{}, usage("septet serve --help", "septet serve takes no argument, got %q", known.Arg(0))
	}
	args := []string{"serve"}
	if dir := h.Workspace(workspace); dir != "" && !known.Changed("workspace") {
		args = append(args, "--workspace", dir)
	}
	program, err := thisProgram()
	return hostconfig.Launch{Command: program, Args: append(args, flags...)}, err
}

// thisProgram is the absolute path of the binary, by the name it was called
// by: packagers link that to a place that changes with each version.
func thisProgram() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	named, err := exec.LookPath(os.Args[0])
	if err != nil {
		return program, nil
	}
	named, err = filepath.Abs(named)
	if err != nil {
		return program, nil
	}
	a, errA := os.Stat(named)
	b, errB := os.Stat(program)
	if errA == nil && errB == nil && os.SameFile(a, b) {
		return named, nil
	}
	return program, nil
}

// isTemporaryBuild recognises where go run puts what it built.
func isTemporaryBuild(program string) bool {
	return strings.Contains(filepath.ToSlash(program), "/go-build") && strings.Contains(filepath.ToSlash(program), "/exe/")
}

func (o *configOptions) print(cmd *cobra.Command, h hostconfig.Host, file string, l hostconfig.Launch) error {
	if o.asJSON {
		return printJSON(cmd.OutOrStdout(), map[string]any{
			"host": h.Name, "file": file, "command": l.Command, "args": l.Args, "snippet": h.Snippet(l),
		})
	}
	where := fmt.Sprintf("%s reads this from %s; septet config %s --write puts it there", h.Title, file, h.Name)
	fmt.Fprintln(cmd.ErrOrStderr(), prose(where, columnsOf(cmd.ErrOrStderr()), 0))
	_, err := io.WriteString(cmd.OutOrStdout(), h.Snippet(l))
	return err
}

func sayWritten(w io.Writer, h hostconfig.Host, written hostconfig.Written) error {
	if !written.Changed {
		_, err := fmt.Fprintf(w, "%s is up to date\n", written.File)
		return err
	}
	text := "Wrote " + written.File + "\n"
	if written.Backup != "" {
		text += "The old file is " + written.Backup + "\n"
	}
	_, err := io.WriteString(w, text+prose(h.Note, columnsOf(w), 0)+"\n")
	return err
}
