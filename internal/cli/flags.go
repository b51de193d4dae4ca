package cli

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"septet/toolset"
)

// flagFailure says what is wrong with a flag, and which one was probably
// meant.
func flagFailure(command string, flags *pflag.FlagSet, err error) error {
	var unknown *pflag.NotExistError
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
	return usage(command+" --help", "%s", fact)
}
