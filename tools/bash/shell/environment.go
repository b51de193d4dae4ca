package shell

// SearchPath is where a command that runs without a question finds its
// programs: directories of the system, before none of the workspace.
const SearchPath = "/usr/local/bin:/usr/bin:/bin"

// noTemporaryFiles is a directory that cannot be. Its name is in the error of a
// program that wants one.
const noTemporaryFiles = nullDevice + "/no-temporary-files-where-nobody-was-asked"

// SearchDirectories are the parts of SearchPath.
func SearchDirectories() []string { return []string{"/usr/local/bin", "/usr/bin", "/bin"} }

// Environment is the whole environment that an analysis is valid in, made from
// nothing: a variable of the user such as GIT_EXTERNAL_DIFF, LESSOPEN or
// RIPGREP_CONFIG_PATH would run programs.
//
// No home and no system configuration: git runs no filter that is set up
// elsewhere. HOME is a place where nothing can be, for without it ripgrep asks
// the system where the user's home is and reads the configuration of git there.
// Neither is there a directory for temporary files: what sort does not hold in
// memory, some 2 MB from a pipe, is an error instead of a file in /tmp.
//
// The settings of git win over those of the repository: no hook, no file system
// monitor and no bare repository in the tree, whose configuration came with it.
func Environment() []string {
	return []string{
		"PATH=" + SearchPath, "HOME=" + nullDevice, "TMPDIR=" + noTemporaryFiles,
		"LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "PAGER=cat",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1", "GIT_PAGER=cat", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_EDITOR=false", "GIT_SEQUENCE_EDITOR=false", "GIT_ALLOW_PROTOCOL=",
		"GIT_CONFIG_COUNT=4",
		"GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0=false",
		"GIT_CONFIG_KEY_1=core.hooksPath", "GIT_CONFIG_VALUE_1=/dev/null",
		"GIT_CONFIG_KEY_2=diff.autoRefreshIndex", "GIT_CONFIG_VALUE_2=false",
		"GIT_CONFIG_KEY_3=safe.bareRepository", "GIT_CONFIG_VALUE_3=explicit",
	}
}
