package shell_test

import (
	"testing"

	"septet/tools/bash/shell"
)

// TestReleases: what systems print for --version, and whose row it is.
func TestReleases(t *testing.T) {
	for _, row := range []struct {
		program, line string
		want          bool
	}{
		{"ls", "ls (GNU coreutils) 9.1", true},
		{"ls", "ls (GNU coreutils) 8.32", true},
		{"ls", "ls (GNU coreutils) 9.7-dirty", true},
		{"ls", "ls (GNU coreutils) 10.0", false},
		{"ls", "ls (GNU coreutils) 8.4", false},
		{"ls", "ls (GNU coreutils) ", false},
		{"ls", "dir (GNU coreutils) 9.1", false},
		{"ls", "ls (uutils coreutils) 0.2.2", false},
		{"ls", "toybox 0.8.9", false},
		{"ls", "BusyBox v1.36.1 (2023-11-07) multi-call binary.", false},
		{"ls", "", true},
		{"diff", "diff (GNU diffutils) 3.8", true},
		{"rev", "rev from util-linux 2.38.1", true},
		{"rev", "rev from util-linux 2.41", true},
		{"strings", "GNU strings (GNU Binutils for Debian) 2.40", true},
		{"strings", "GNU strings version 2.41-34.fc40", true},
		{"xxd", "xxd 2022-01-14 by Juergen Weigert et al.", true},
		{"xxd", "xxd V1.10 27oct98 by Juergen Weigert", false},
		{"file", "file-5.44", true},
		{"rg", "ripgrep 13.0.0", true},
		{"rg", "ripgrep 15.0.0 (rev 3a612f88b8)", true},
		{"rg", "ripgrep 12.1.1", false},
		{"rg", "ripgrep 16.0.0", false},
		{"git", "git version 2.39.5 (Apple Git-154)", true},
		{"git", "git version 2.37.9", false},
		{"git", "git version 3.0.0", false},
		{"git", "git version unknown", false},
		{"which", "Illegal option --", true},
		{"which", "GNU which v2.21, Copyright (C) 1999 - 2015 Carlo Wood.", true},
		{"hostname", "hostname 3.23", true},
		{"hostname", "hostname (GNU inetutils) 2.5", true},
	} {
		if got := shell.Covers(row.program, row.line); got != row.want {
			t.Errorf("%s that says %q: %v, want %v", row.program, row.line, got, row.want)
		}
	}
}
