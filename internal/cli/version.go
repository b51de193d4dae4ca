package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// unnamed is the version of a build that the toolchain gave none: "go run", a
// test, a build with -buildvcs=false, one in a linked work tree of git.
const unnamed = "devel"

// build is what the binary knows about itself. All of it comes from the
// toolchain, so that a release needs no flags and cannot be mislabelled.
type build struct {
	Version  string `json:"version"` // a tag, a pseudo-version or unnamed
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Commit   string `json:"commit,omitempty"`   // "" is unknown
	Modified bool   `json:"modified,omitempty"` // built from a tree with changes
}

func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describeBuild(info)
}

func describeBuild(info *debug.BuildInfo) build {
	b := build{Version: info.Main.Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if b.Version == "" || b.Version == "(devel)" {
		b.Version = unnamed
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// label is the version for a person, who is told when it does not say which
// source this is. A tag or a pseudo-version does.
func (b build) label() string {
	switch {
	case b.Version != unnamed:
		return b.Version
	case b.Commit == "":
		return b.Version + " (commit unknown)"
	case b.Modified:
		return b.Version + " (commit " + b.Commit + ", with changes)"
	default:
		return b.Version + " (commit " + b.Commit + ")"
	}
}

func versionCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "version [--json]",
		Short:   "Print the version of the program and of its toolchain",
		Example: "  septet version --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := thisBuild()
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(b)
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "septet %s %s %s\n", b.label(), b.Go, b.Platform)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
