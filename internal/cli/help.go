package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpInColumns keeps the descriptions of flags within the width of a
// terminal. The template is cobra's own otherwise.
func helpInColumns(root *cobra.Command) {
	template := root.UsageTemplate()
	for _, flags := range []string{"LocalFlags", "InheritedFlags"} {
		template = strings.ReplaceAll(template, "."+flags+".FlagUsages", "flagColumns ."+flags)
	}
	cobra.AddTemplateFunc("flagColumns", flagColumns)
	root.SetUsageTemplate(template)
}

func flagColumns(flags *pflag.FlagSet) string { return flags.FlagUsagesWrapped(usualColumns) }
