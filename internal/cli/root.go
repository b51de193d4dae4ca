// Package cli is what a person types: the verbs of the program, their flags
// and exit codes, and the wiring of the server behind them.
package cli

import (
	"context"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"septet/toolset"
)

// Main runs the command line of this process and returns its exit code.
func Main(p Program) int {
	root := Command(p)
	return report(os.Stderr, root.ExecuteContext(context.Background()))
}

// Command is the whole command line. Main runs it; manual pages and completions
// are made from it.
func Command(p Program) *cobra.Command {
	root := &cobra.Command{
		Use:   "septet",
		Short: "Seven tools for an agent, over one pipe",
		Long: `septet gives an agent host seven tools over one pipe: read, write, edit, grep,
glob, list and bash. A host starts "septet serve"; a person tries "septet demo".`,
		Example:       "  septet serve --workspace ~/project\n  septet call grep pattern=TODO",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownVerb,
		RunE:          func(cmd *cobra.Command, _ []string) error { return bare(cmd, p) },
	}
	root.PersistentPreRunE = refuseEmpty
	root.SetHelpCommand(helpCommand())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return flagFailure(cmd.CommandPath(), cmd.Flags(), err)
	})
	root.AddCommand(serveCommand(p), callCommand(p), effectsCommand(p), toolsCommand(p), changesCommand(), showCommand(), undoCommand(),
		configCommand(), doctorCommand(p), demoCommand(), versionCommand(), completionCommand())
	root.CompletionOptions.DisableDefaultCmd = true
	completeWords(root, p)
	helpInColumns(root)
	return root
}

// bare is the program without a verb: a server for a host, help for a person.
func bare(cmd *cobra.Command, p Program) error {
	if isatty.IsTerminal(os.Stdin.Fd()) {
		return cmd.Help()
	}
	serve := serveCommand(p)
	serve.SetArgs(nil)
	serve.SilenceErrors, serve.SilenceUsage = true, true // no verb inherits them here
	return serve.ExecuteContext(cmd.Context())
}

// knownVerb refuses a first word that is no verb and names the closest.
func knownVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, c := range cmd.Commands() {
		verbs = append(verbs, c.Name())
	}
	if near := toolset.Closest(args[0], verbs); near != "" {
		return usage("septet "+near, "unknown verb %q", args[0])
	}
	return usage("septet --help lists the verbs", "unknown verb %q", args[0])
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage(cmd.CommandPath()+" --help", "%s takes no argument, got %q", cmd.CommandPath(), strings.Join(args, " "))
}
