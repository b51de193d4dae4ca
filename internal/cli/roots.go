package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rs/zerolog"
)

// rootFlag is a directory as a flag, a variable or the file of settings names
// it.
type rootFlag struct{ flag, value string }

func (o *options) rootFlags() []rootFlag {
	list := []rootFlag{{"--workspace", o.workspace}}
	for _, dir := range o.write {
		list = append(list, rootFlag{"--write", dir})
	}
	for _, dir := range o.read {
		list = append(list, rootFlag{"--read", dir})
	}
	if o.skills != "auto" {
		list = append(list, rootFlag{"--skills", o.skillsDirectory()})
	}
	return list
}

// absentRoots returns the roots that are not there. That is no error: a disk
// may be mounted later, and calls look again. What can never become a root is
// one: a file, and a word that whoever started the program was to replace.
func (o *options) absentRoots() ([]rootFlag, error) {
	var absent []rootFlag
	for _, r := range o.rootFlags() {
		if r.value == "" {
			continue
		}
		info, err := os.Stat(r.value)
		switch word := unreplaced(r.value); {
		case err == nil && !info.IsDir():
			return nil, usage(r.flag+" names a directory", "%s %s is no directory", r.flag, r.value)
		case errors.Is(err, fs.ErrNotExist) && word != "":
			return nil, usage("write the whole path, or a word that the host knows; septet config HOST prints it",
				"%s %s is not there: nobody replaced %s", r.flag, r.value, word)
		case err != nil:
			absent = append(absent, r)
		}
	}
	return absent, nil
}

// unreplaced is the part of a path that a shell or a host usually replaces; ""
// when there is none.
func unreplaced(path string) string {
	if first, _, _ := strings.Cut(filepath.ToSlash(path), "/"); first == "~" {
		return "~"
	}
	_, rest, found := strings.Cut(path, "${")
	if word, _, closed := strings.Cut(rest, "}"); found && closed {
		return "${" + word + "}"
	}
	return ""
}

// warnOfAbsent tells whoever reads the log of a server why its calls will
// fail.
func warnOfAbsent(absent []rootFlag, log zerolog.Logger) {
	for _, r := range absent {
		log.Warn().Str("flag", r.flag).Str("root", r.value).Str("hint", "create it, or name another directory").
			Msg("a root is not there; calls in it fail until it is")
	}
}
