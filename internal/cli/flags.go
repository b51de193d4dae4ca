package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"septet/internal/cli/settings"
	"septet/toolset"
)

// flagFailure says what is wrong with a flag, and which one was probably
// meant.
func flagFailure(command string, flags *pflag.FlagSet, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return usage(command+" --help", "--%s: %v", invalid.GetFlag().Name, settings.Plainly(invalid.Unwrap()))
	}
	if !errors.As(err, &unknown) {
		return usage(command+" --help", "%v", err)
	}
	name := unknown.GetSpecifiedName()
	fact := "unknown flag --" + name
	if unknown.GetSpecifiedShortnames() != "" {
		fact = "unknown flag -" + name
	}
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := toolset.Closest(strings.TrimLeft(name, "-"), names); near != "" {
		return usage(command+" --"+near, "%s", fact)
	}
	if command == "septet call" || command == "septet effects" {
		return usage(command+" TOOL key=value", "%s; arguments of a tool have no dashes", fact)
	}
	return usage(command+" --help", "%s", fact)
}

// refuseEmpty refuses a flag that was typed without a value, as by a script
// whose variable is not set: it would quietly mean the default.
func refuseEmpty(cmd *cobra.Command, _ []string) error {
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" && err == nil {
			err = usage("leave --"+f.Name+" out for the default", "--%s is empty", f.Name)
		}
	})
	return err
}
