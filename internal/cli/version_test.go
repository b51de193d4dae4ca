package cli

import (
	"runtime/debug"
	"testing"
)

func TestBuildIsNamed(t *testing.T) {
	const commit = "afbf39c5208d891631f5edc7a9475d319af15c9c"
	revision := debug.BuildSetting{Key: "vcs.revision", Value: commit}
	changed := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, c := range []struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{"v1.2.3", []debug.BuildSetting{revision}, "v1.2.3"},
		{"v1.2.3", nil, "v1.2.3"}, // go install of a published version knows no commit
		{"v0.0.0-20261130222510-afbf39c5208d+dirty", []debug.BuildSetting{revision, changed}, "v0.0.0-20261130222510-afbf39c5208d+dirty"},
		{"(devel)", nil, "devel (commit unknown)"},
		{"", nil, "devel (commit unknown)"},
		{"(devel)", []debug.BuildSetting{revision}, "devel (commit " + commit + ")"},
		{"(devel)", []debug.BuildSetting{revision, changed}, "devel (commit " + commit + ", with changes)"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings}
		if got := describeBuild(info).label(); got != c.want {
			t.Errorf("%q with %v: %q, want %q", c.version, c.settings, got, c.want)
		}
	}
}
