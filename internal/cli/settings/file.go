package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"septet/toolset"
)

// readFile reads the settings of a TOML file, whose keys are the names of the
// flags; nil when there is no file.
func readFile(file string, known *pflag.FlagSet) (map[string]*value, error) {
	text, err := readAll(file)
	if err != nil || text == nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) // as some editors on Windows begin a file
	document := map[string]any{}
	if err := toml.Unmarshal(text, &document); err != nil {
		return nil, refuse("correct it, or --config "+NoFile, "%s is not valid TOML: %s", file, where(err))
	}
	values := map[string]*value{}
	for key, raw := range document {
		f := known.Lookup(key)
		if f == nil || key == FileFlag {
			return nil, unknownKey(file, key, namesOf(known))
		}
		if values[key], err = fromTOML(raw); err != nil {
			return nil, refuse("septet serve --help shows what it takes", "%s: %s: %v", file, key, err)
		}
	}
	return values, nil
}

func unknownKey(file, key string, names []string) error {
	if near := toolset.Closest(key, names); near != "" {
		return refuse("call it "+near, "%s: there is no setting %q", file, key)
	}
	return refuse("the settings are "+strings.Join(names, ", "), "%s: there is no setting %q", file, key)
}

func where(err error) string {
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		line, column := decode.Position()
		return fmt.Sprintf("line %d, column %d: %s", line, column, strings.TrimPrefix(decode.Error(), "toml: "))
	}
	return err.Error()
}

// fromTOML takes texts, numbers, truth values and lists of texts. Lists of
// NAME=VALUE may be written as a table.
func fromTOML(raw any) (*value, error) {
	switch raw := raw.(type) {
	case string:
		return &value{text: raw}, nil
	case bool, int64, float64:
		return &value{text: fmt.Sprint(raw)}, nil
	case []any:
		v := &value{isList: true, list: []string{}}
		for _, item := range raw {
			text, ok := item.(string)
			if !ok {
				return nil, fmt.Errorf("%v is not a text", item)
			}
			v.list = append(v.list, text)
		}
		return v, nil
	case map[string]any:
		v := &value{isList: true, list: []string{}}
		for name, item := range raw {
			text, ok := item.(string)
			if !ok {
				return nil, fmt.Errorf("%s is not a text", name)
			}
			v.list = append(v.list, name+"="+text)
		}
		slices.Sort(v.list)
		return v, nil
	}
	return nil, fmt.Errorf("a text, a number, true, false or a list is wanted")
}

func readAll(file string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, refuse("--config "+NoFile+" reads none", "the configuration file cannot be read: %v", err)
	case !info.Mode().IsRegular() || info.Size() > MaxFileBytes:
		return nil, refuse("--config "+NoFile+" reads none", "%s is not a file of settings", file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, refuse("--config "+NoFile+" reads none", "the configuration file cannot be read: %v", err)
	}
	return append([]byte{}, text...), nil
}

// CheckOutside refuses a configuration file that is inside one of the
// directories, by its own path or where its links lead: whoever may write
// there could give themselves more.
func CheckOutside(file string, dirs []string) error {
	if file == "" {
		return nil
	}
	paths := []string{file}
	if resolved, err := filepath.EvalSymlinks(file); err == nil {
		paths = append(paths, resolved)
	}
	for _, dir := range dirs {
		for _, path := range paths {
			if within(path, dir) {
				return refuse("move it, choose another --workspace, or --config "+NoFile,
					"the configuration file %s is inside %s, where tools may write", file, dir)
			}
		}
	}
	return nil
}

// within compares directories by identity, so neither links nor letter case
// nor mounts hide one.
func within(path, dir string) bool {
	root, err := os.Stat(dir)
	if err != nil {
		return false
	}
	for parent := filepath.Dir(path); ; parent = filepath.Dir(parent) {
		if info, err := os.Stat(parent); err == nil && os.SameFile(info, root) {
			return true
		}
		if parent == filepath.Dir(parent) {
			return false
		}
	}
}
