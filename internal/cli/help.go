package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpCommand is septet help VERB.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [VERB]", Short: "Help about any verb", Example: "  septet help call",
		RunE: func(cmd *cobra.Command, args []string) error {
			verb, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return knownVerb(cmd.Root(), args)
			}
			return verb.Help()
		},
	}
}

// otherFlags is the key of a verb's annotation that tells of flags its help
// does not list.
const otherFlags = "other flags"

// listFlags leaves in the help of a verb the flags that change what it does.
// The others are taken all the same: one line of flags then serves to look, to
// ask and to start.
func listFlags(cmd *cobra.Command, names ...string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = !slices.Contains(names, f.Name) })
	cmd.Annotations = map[string]string{otherFlags: "The other flags of serve are taken too: septet serve --help"}
}

// helpInColumns keeps the descriptions of flags within the width of a
// terminal. The template is cobra's own otherwise.
func helpInColumns(root *cobra.Command) {
	template := root.UsageTemplate()
	for _, flags := range []string{"LocalFlags", "InheritedFlags"} {
		template = strings.ReplaceAll(template, "."+flags+".FlagUsages", "flagColumns ."+flags)
	}
	template = strings.Replace(template, "{{if .HasAvailableInheritedFlags}}",
		`{{with index .Annotations "`+otherFlags+`"}}`+"\n\n{{.}}{{end}}{{if .HasAvailableInheritedFlags}}", 1)
	cobra.AddTemplateFunc("flagColumns", flagColumns)
	root.SetUsageTemplate(template)
}

func flagColumns(flags *pflag.FlagSet) string { return flags.FlagUsagesWrapped(usualColumns) }
