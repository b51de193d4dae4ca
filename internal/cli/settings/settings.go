// Package settings gives flags the values of variables and of the user's
// configuration file: a flag wins over a variable, and a variable over the
// file.
//
// Nothing inside a place that the tools may write is ever read as
// configuration. A project that could bring its own would widen its own
// permissions.
package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"septet/toolset"
)

const (
	// Prefix begins the names of variables: SEPTET_LOG_LEVEL is --log-level.
	Prefix = "SEPTET_"
	// NoFile as the value of --config reads no file.
	NoFile = "none"
	// FileFlag names the file; it is no setting itself.
	FileFlag = "config"
	// MaxFileBytes is far more than every setting at its longest.
	MaxFileBytes = 1 << 20
)

// Error is what a person is told: one fact, and the next step.
type Error struct{ Fact, Hint string }

func (e *Error) Error() string { return e.Fact }

func refuse(hint, format string, args ...any) *Error {
	return &Error{Fact: fmt.Sprintf(format, args...), Hint: hint}
}

// Source is where a value is from.
type Source string

// The sources that have no name of their own. A variable is named, and a file
// is given by its path.
const (
	Default Source = "default"
	Flag    Source = "flag"
)

// Setting is a value that is in force.
type Setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source Source `json:"source"`
}

// Applied is what Apply did.
type Applied struct {
	File     string    // the configuration file; "" when none was read
	Settings []Setting // one for each setting, by name
	Ignored  []string  // variables with the prefix that are no settings
}

// Apply gives flags their values. known are the names of all settings; a flag
// set may have fewer, then the others are checked and left alone.
func Apply(flags *pflag.FlagSet, known *pflag.FlagSet, environ []string) (Applied, error) {
	a := Applied{}
	file, err := fileOf(flags, environ)
	if err != nil {
		return a, err
	}
	fromFile, err := readFile(file, known)
	if err != nil {
		return a, err
	}
	if fromFile != nil {
		a.File = file
	}
	fromEnviron, ignored, err := readEnviron(environ, known)
	if err != nil {
		return a, err
	}
	a.Ignored = ignored
	for _, name := range namesOf(known) {
		f := flags.Lookup(name)
		if f == nil {
			continue
		}
		source, err := applyOne(f, fromEnviron[name], fromFile[name], file)
		if err != nil {
			return a, err
		}
		a.Settings = append(a.Settings, Setting{name, f.Value.String(), source})
	}
	return a, nil
}

// applyOne sets a flag from the strongest source that has it. The values are
// nil where a source does not.
func applyOne(f *pflag.Flag, variable, inFile *value, file string) (Source, error) {
	switch {
	case f.Changed:
		return Flag, nil
	case variable != nil:
		if err := variable.set(f); err != nil {
			return "", refuse("unset it, or see septet serve --help", "the variable %s: %v", variableOf(f.Name), err)
		}
		return Source(variableOf(f.Name)), nil
	case inFile != nil:
		if err := inFile.set(f); err != nil {
			return "", refuse("correct it, or see septet serve --help", "%s: %s: %v", file, f.Name, err)
		}
		return Source(file), nil
	}
	return Default, nil
}

// value is a setting as a source has it: one text, or a list.
type value struct {
	text   string
	list   []string
	isList bool
}

// Plainly takes the names of Go's functions out of an error about a value.
func Plainly(err error) error {
	var number *strconv.NumError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &number) && number.Func == "ParseBool":
		return fmt.Errorf("%q is neither true nor false", number.Num)
	case errors.As(err, &number):
		return fmt.Errorf("%q is no number that fits", number.Num)
	}
	if text, found := strings.CutPrefix(err.Error(), "time: "); found {
		return fmt.Errorf("%s; a time is such as 1.5s or 2m", text)
	}
	return err
}

func (v *value) set(f *pflag.Flag) error {
	list, takesList := f.Value.(pflag.SliceValue)
	switch {
	case takesList && v.isList:
		return list.Replace(v.list)
	case takesList:
		return list.Replace([]string{v.text})
	case v.isList:
		return fmt.Errorf("one value is wanted, not a list")
	}
	return Plainly(f.Value.Set(v.text))
}

func variableOf(name string) string {
	return Prefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

func namesOf(known *pflag.FlagSet) []string {
	var names []string
	known.VisitAll(func(f *pflag.Flag) {
		if f.Name != FileFlag {
			names = append(names, f.Name)
		}
	})
	slices.Sort(names)
	return names
}

// readEnviron finds the settings among variables. One that is nearly a setting
// is refused: a mistyped SEPTET_MODE=read-only must not grant writing. Others,
// such as those of scripts, are left alone.
func readEnviron(environ []string, known *pflag.FlagSet) (map[string]*value, []string, error) {
	byVariable := map[string]*pflag.Flag{}
	for _, name := range namesOf(known) {
		byVariable[variableOf(name)] = known.Lookup(name)
	}
	values, ignored := map[string]*value{}, []string{}
	for _, pair := range environ {
		name, text, _ := strings.Cut(pair, "=")
		suffix, ours := strings.CutPrefix(name, Prefix)
		if !ours || name == variableOf(FileFlag) || text == "" {
			continue
		}
		if f, found := byVariable[name]; found {
			values[f.Name] = fromVariable(f, text)
			continue
		}
		if near := toolset.Closest(suffix, namesOf(known)); near != "" {
			return nil, nil, refuse("export "+variableOf(near)+"=..., or unset "+name, "the variable %s is no setting", name)
		}
		ignored = append(ignored, name)
	}
	return values, ignored, nil
}

// fromVariable splits a list: directories as PATH does, NAME=VALUE pairs by
// lines, and other lists by commas.
func fromVariable(f *pflag.Flag, text string) *value {
	if _, takesList := f.Value.(pflag.SliceValue); !takesList {
		return &value{text: text}
	}
	separator := ","
	switch f.Name {
	case "read", "write":
		separator = string(filepath.ListSeparator)
	case "env":
		separator = "\n"
	}
	v := &value{isList: true}
	for part := range strings.SplitSeq(text, separator) {
		if part = strings.TrimSpace(part); part != "" {
			v.list = append(v.list, part)
		}
	}
	return v
}

// fileOf is the configuration file to read, as an absolute path; "" for none.
func fileOf(flags *pflag.FlagSet, environ []string) (string, error) {
	named := lookup(environ, variableOf(FileFlag))
	if f := flags.Lookup(FileFlag); f != nil && f.Changed {
		named = f.Value.String()
	}
	switch named {
	case NoFile:
		return "", nil
	case "":
		return DefaultFile(), nil
	}
	file, err := filepath.Abs(named)
	if err != nil {
		return "", refuse("--config with an absolute path", "the configuration file %s cannot be found: %v", named, err)
	}
	if _, err := os.Stat(file); err != nil { // one that was asked for must be there
		return "", refuse("--config "+NoFile+" reads none", "the configuration file cannot be read: %v", err)
	}
	return file, nil
}

func lookup(environ []string, name string) string {
	found := ""
	for _, pair := range environ {
		if n, text, _ := strings.Cut(pair, "="); n == name {
			found = text
		}
	}
	return found
}

// DefaultFile is where the user's configuration is looked for; "" without a
// home.
func DefaultFile() string {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil || !filepath.IsAbs(home) {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "septet", "config.toml")
}
