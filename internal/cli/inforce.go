package cli

import (
	"errors"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"septet/internal/cli/hostconfig"
	"septet/internal/cli/settings"
)

// settingFlags are all flags that variables and the configuration file may
// set.
func settingFlags() *pflag.FlagSet {
	var o options
	all := pflag.NewFlagSet("settings", pflag.ContinueOnError)
	o.register(all)
	return all
}

// settle gives the flags that were not typed what variables and the
// configuration file say. It comes before anything reads an option.
func (o *options) settle(flags *pflag.FlagSet) (settings.Applied, error) {
	applied, err := settings.Apply(flags, settingFlags(), os.Environ())
	if err != nil {
		return applied, told(err)
	}
	return applied, told(settings.CheckOutside(applied.File, o.writableDirectories()))
}

// writableDirectories are where tools may write.
func (o *options) writableDirectories() []string {
	workspace := o.workspace
	if workspace == "" {
		workspace = "."
	}
	return append([]string{workspace}, o.write...)
}

// settle leaves --session alone: for the verbs about changes it only narrows
// what is shown, and a variable that names the session of a server must not
// hide the others.
func (o *pastOptions) settle(cmd *cobra.Command) error {
	flags := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "session" {
			flags.AddFlag(f)
		}
	})
	_, err := o.options.settle(flags)
	return err
}

// told gives an error of the packages below the shape that is printed.
func told(err error) error {
	var setting *settings.Error
	if errors.As(err, &setting) {
		return &failure{code: exitUsage, fact: setting.Fact, hint: setting.Hint}
	}
	var host *hostconfig.Error
	if errors.As(err, &host) {
		return &failure{code: exitFailed, fact: host.Fact, hint: host.Hint}
	}
	return err
}
