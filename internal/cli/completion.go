package cli

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"septet/backend"
	"septet/session"
	"septet/tools"
	"septet/toolset"
)

// maxCompletedIDs is as many as a person would look through.
const maxCompletedIDs = 50

// shells are those that a completion script can be made for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// bashWords takes the place of what the script otherwise needs from the package
// bash-completion: without that, every press of the key printed "command not
// found". Where the package is loaded, also later, its own function is called.
//
//go:embed completion.bash
var bashWords string

func completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print what makes a shell complete verbs, flags and ids",
		Long: `Print a script that makes bash, zsh, fish or powershell complete the verbs and
flags of septet, tools and their arguments, hosts and the ids of changes.`,
		Example:   "  source <(septet completion bash)\n  septet completion zsh > ~/.zfunc/_septet",
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && slices.Contains(shells, args[0]) {
				return nil
			}
			if len(args) == 1 {
				return usage("the shells are "+strings.Join(shells, ", "), "unknown shell %q", args[0])
			}
			if len(args) > 1 {
				return usage("septet completion "+args[0], "septet completion takes one shell, got %q", strings.Join(args, " "))
			}
			return usage("septet completion bash; the shells are "+strings.Join(shells, ", "), "septet completion needs the name of a shell")
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			if err := root.GenBashCompletionV2(out, true); err != nil {
				return err
			}
			_, err := io.WriteString(out, bashWords)
			return err
		},
	}
}

// completeWords lets shells complete what is not a verb: values of flags,
// tools and their arguments, ids of changes.
func completeWords(root *cobra.Command, p Program) {
	values := map[string][]string{
		"mode": {"default", "accept-edits", "read-only"}, "framing": {"auto", "line", "header"},
		"log-level": {"debug", "info", "warn", "error", "disabled"},
	}
	for _, cmd := range root.Commands() {
		for name, words := range values {
			if cmd.Flags().Lookup(name) != nil {
				// It fails for a flag that is not there, and this one is.
				_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
			}
		}
		if cmd.Flags().Lookup("tools") != nil {
			// The tools are asked for when a shell asks: making their schemas
			// would delay the first answer to every host.
			_ = cmd.RegisterFlagCompletionFunc("tools", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return toolNames(p), cobra.ShellCompDirectiveNoFileComp
			})
		}
		switch cmd.Name() {
		case "call", "effects":
			cmd.ValidArgsFunction = completeCall(p)
		case "show", "undo":
			cmd.ValidArgsFunction = completeChange
		}
	}
}

// definitions are all tools, for no session.
func definitions(p Program) []toolset.Definition {
	registry := &toolset.Registry{}
	p.Register(registry, tools.Config{})
	set, err := registry.Finalize(nil, toolset.Selection{Mode: session.ModeDefault})
	if err != nil {
		return nil
	}
	return set.Definitions()
}

func toolNames(p Program) []string {
	var names []string
	for _, d := range definitions(p) {
		names = append(names, d.Name)
	}
	return names
}

// completeCall completes the tool, then the names of its arguments.
func completeCall(p Program) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return toolNames(p), cobra.ShellCompDirectiveNoFileComp
		}
		if strings.Contains(word, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var keys []string
		for _, d := range definitions(p) {
			if d.Name == args[0] {
				keys = argumentNames(d)
			}
		}
		return keys, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
}

// completeChange completes the ids of the newest changes.
func completeChange(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	var o pastOptions
	typed := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
	o.register(typed)
	for _, name := range []string{"workspace", "state"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			_ = typed.Set(name, f.Value.String()) // it was parsed as the same flag
		}
	}
	if _, err := o.options.settle(typed); err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var ids []string
	err := o.open(nil, func(past *past) error {
		page, err := past.history.List(cmd.Context(), session.RecordQuery{Limit: maxCompletedIDs})
		for _, r := range page.Records {
			ids = append(ids, describe(r))
		}
		return err
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// describe is an id and, after a tab, what shells show beside it.
func describe(r backend.Record) string {
	return fmt.Sprintf("%s\t%s %s", shortID(r.ID), counts(r), r.Path)
}

// argumentNames are the arguments of a tool, as "key=".
func argumentNames(d toolset.Definition) []string {
	var schema inputSchema
	if json.Unmarshal(d.InputSchema, &schema) != nil {
		return nil
	}
	var names []string
	for name := range schema.Properties {
		names = append(names, name+"=")
	}
	slices.Sort(names)
	return names
}
