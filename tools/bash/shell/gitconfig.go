package shell

import "strings"

// harmlessKeys are the settings of a repository that make no read command run
// or fetch anything. Everything else (aliases, filters, drivers, pagers,
// helpers, includes, promisor remotes, whatever comes next) makes every git
// command ask. A "*" stands for a name that the repository chose.
var harmlessKeys = []string{
	"core.repositoryformatversion", "core.filemode", "core.bare", "core.logallrefupdates", "core.ignorecase",
	"core.precomposeunicode", "core.symlinks", "core.autocrlf", "core.eol", "core.safecrlf", "core.quotepath", "core.abbrev",
	"core.compression", "core.longpaths", "core.untrackedcache", "core.trustctime", "core.checkstat", "core.whitespace",
	"core.protectntfs", "core.protecthfs", "core.sparsecheckout", "core.sparsecheckoutcone", "core.commitgraph", "core.splitindex",
	"index.sparse", "index.version", "extensions.worktreeconfig", "extensions.objectformat", "feature.manyfiles",
	"user.name", "user.email", "user.signingkey", "author.name", "author.email", "committer.name", "committer.email",
	"commit.gpgsign", "tag.gpgsign", "gpg.format", "init.defaultbranch", "push.default", "push.autosetupremote", "pull.rebase", "pull.ff",
	"fetch.prune", "fetch.prunetags", "merge.conflictstyle", "merge.ff", "rebase.autosquash", "rebase.autostash", "rerere.enabled",
	"gc.auto", "maintenance.auto", "maintenance.strategy", "status.showuntrackedfiles", "diff.algorithm", "diff.renames",
	"color.ui", "column.ui", "lfs.repositoryformatversion",
	"remote.*.url", "remote.*.pushurl", "remote.*.fetch", "remote.*.tagopt", "remote.*.prune", "remote.*.gh-resolved", "remote.pushdefault",
	"branch.*.remote", "branch.*.merge", "branch.*.rebase", "branch.*.pushremote", "branch.*.description", "branch.*.vscode-merge-base",
	"branch.*.gh-merge-base", "branch.autosetuprebase", "branch.autosetupmerge", "submodule.*.url", "submodule.*.active", "submodule.active",
}

// checkGitKeys refuses a repository with any setting that is on no list.
func checkGitKeys(keys []string) error {
	for _, key := range keys {
		if !harmlessKey(key) {
			return refuse(gitConfig, "the repository sets %s", key)
		}
	}
	return nil
}

// harmlessKey looks up section.name or section.SUBSECTION.name. Git prints
// section and name in lower case; only the subsection is the repository's.
func harmlessKey(key string) bool {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first < 0 {
		return false
	}
	if first < last {
		key = key[:first] + ".*" + key[last:]
	}
	for _, known := range harmlessKeys {
		if key == known {
			return true
		}
	}
	return false
}
