package shell

import (
	"context"
	"slices"
)

// gitRow is a sub-command of git.
type gitRow struct {
	row
	verb     string // the one second word that is allowed: git stash list
	worktree bool   // it looks into the submodules of the working tree
	refs     bool   // its formats and what it sorts by are those of references
}

// Flags of git are accepted with an attached value only ("--author=x", "-U3")
// where that reads the same whether git lets the value stand apart or not.
//
// Three parsers are at work. parse-options reads status, ls-files, grep, branch
// and the like; the revision walker reads log, show and what stash list hands
// on, with parse-options before it for a few flags of log and behind it for
// those of diff, so only what all three take for one flag is on their rows;
// blame and shortlog give the walker what their own parse-options does not
// know, so their letters are those of parse-options alone.
//
// Left out wherever they occur: --output (writes), --ext-diff and --textconv
// (run drivers), --show-signature (runs gpg), --no-index and -O, -f, -X, -S
// with a file (read outside), --recurse-submodules, --submodule and
// --alternate-refs (run git with another configuration), --remerge-diff and
// --diff-merges (may write objects).
const (
	diffLong       = "patch no-patch unified: raw patch-with-raw indent-heuristic no-indent-heuristic minimal patience histogram diff-algorithm: anchored: stat? stat-width: stat-name-width: stat-count: compact-summary numstat shortstat dirstat? cumulative summary patch-with-stat name-only name-status color? no-color color-moved? no-color-moved color-moved-ws: word-diff? word-diff-regex: color-words? no-renames rename-empty no-rename-empty check full-index binary abbrev? no-abbrev break-rewrites? find-renames? find-copies? find-copies-harder irreversible-delete diff-filter: pickaxe-all pickaxe-regex relative? no-relative text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines: inter-hunk-context: function-context exit-code quiet no-ext-diff no-textconv ignore-submodules? src-prefix: dst-prefix: no-prefix line-prefix: ita-invisible-in-index "
	diffShort      = "pusabwRWz"
	diffMaybe      = "MCBU"
	revisionLong   = "max-count: skip: since: after: until: before: author: committer: grep: grep-reflog: all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp remove-empty merges no-merges min-parents: max-parents: no-min-parents no-max-parents first-parent exclude-first-parent-only not all branches? tags? remotes? glob: exclude: reflog bisect cherry-mark cherry-pick left-only right-only cherry walk-reflogs merge boundary simplify-by-decoration show-pulls full-history dense sparse simplify-merges ancestry-path? date-order author-date-order topo-order reverse pretty? format: abbrev-commit no-abbrev-commit oneline encoding: expand-tabs? no-expand-tabs notes? no-notes relative-date date: parents children left-right graph no-graph show-linear-break? follow no-decorate decorate? decorate-refs: decorate-refs-exclude: no-walk? do-walk source mailmap no-mailmap use-mailmap full-diff log-size no-diff-merges combined-all-paths "
	revisionShort  = "iEFPgcmtr"
	listLong       = "list contains> no-contains> merged> no-merged> points-at> sort: format: column? no-column color? no-color ignore-case omit-empty "
	showFormatLong = "pretty? format: abbrev-commit no-abbrev-commit oneline encoding: expand-tabs? no-expand-tabs notes? no-notes "
)

// gitTable are the sub-commands that only read. Each still depends on the
// repository's configuration.
var gitTable = []gitRow{
	// Nothing writes: the index is not refreshed under GIT_OPTIONAL_LOCKS=0.
	{worktree: true, row: row{name: "status", parser: parseOptions, short: "sbvz", shortMaybe: "u", operands: revisions,
		long: "short branch show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? column? no-column ahead-behind no-ahead-behind renames no-renames find-renames? null"}},
	{row: row{name: "log", parser: wholeWords, short: diffShort + revisionShort, shortValue: "nLSG", shortMaybe: diffMaybe, number: true, operands: revisions, long: diffLong + revisionLong}},
	{row: row{name: "show", parser: wholeWords, short: diffShort + revisionShort, shortValue: "nSG", shortMaybe: diffMaybe, number: true, operands: revisions, long: diffLong + revisionLong}},
	{worktree: true, row: row{name: "diff", parser: wholeWords, short: diffShort, shortValue: "SG", shortMaybe: diffMaybe, operands: revisions,
		long: diffLong + "cached staged merge-base base ours theirs "}},
	// --contents and --ignore-revs-file read a file; -S too.
	{worktree: true, row: row{name: "blame", parser: parseOptions, short: "bcfnlstewp", shortValue: "L", shortMaybe: "MC", operands: revisions,
		long: "root show-stats score-debug show-name show-number show-email porcelain line-porcelain incremental date: first-parent minimal since: abbrev: ignore-rev: color-lines color-by-age"}},
	// -X and --exclude-per-directory read files.
	{worktree: true, row: row{name: "ls-files", parser: parseOptions, short: "cdmoisuktvz", shortValue: "x", operands: revisions,
		long: "cached deleted modified others ignored stage directory no-empty-directory unmerged killed exclude-standard error-unmatch full-name abbrev? debug eol deduplicate sparse exclude:"}},
	// -O runs a pager; -f reads a file.
	{worktree: true, row: row{name: "grep", parser: parseOptionsFirst, short: "aIirwvhHEGPFnlLzocpWq", shortValue: "eABCm", number: true, operands: owned, check: checkGitGrep,
		long: "cached untracked no-exclude-standard exclude-standard text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color? no-color break heading show-function context: after-context: before-context: function-context threads: max-depth: recursive no-recursive and or not all-match quiet max-count:"}},
	// --show-superproject-working-tree runs git above the repository, with the
	// configuration of another one.
	{row: row{name: "rev-parse", parser: wholeWords, short: "q", operands: revisions,
		long: "show-toplevel show-prefix show-cdup git-dir absolute-git-dir git-common-dir is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository abbrev-ref? short? verify quiet symbolic symbolic-full-name all branches? tags? remotes? revs-only no-revs flags no-flags sq not since: until: show-object-format"}},
	// --group takes a format too.
	{row: row{name: "shortlog", parser: parseOptions, short: "nsec", operands: revisions, long: "numbered summary email committer group: since: until: after: before: author: all branches? tags? remotes? merges no-merges first-parent"}},
	{row: row{name: "merge-base", parser: parseOptions, short: "a", operands: revisions, long: "all octopus independent is-ancestor fork-point"}},
	// --dirty and --broken refresh the index.
	{row: row{name: "describe", parser: parseOptions, operands: revisions, long: "tags all always long exact-match first-parent debug abbrev: candidates: match: exclude:"}},
	// Any operand that is no pattern makes, moves or deletes a branch.
	{refs: true, row: row{name: "branch", parser: parseOptions, short: "alrvi", operands: owned, check: checkListForm,
		long: listLong + "all remotes verbose show-current abbrev: no-abbrev"}},
	// As for branch; -v runs gpg.
	{refs: true, row: row{name: "tag", parser: parseOptions, short: "li", shortMaybe: "n", operands: owned, check: checkListForm, long: listLong}},
	{verb: "list", row: row{name: "stash", parser: wholeWords, short: "p", shortValue: "n", number: true, long: showFormatLong + "max-count: date: stat? name-only name-status"}},
	{verb: "list", row: row{name: "worktree", parser: parseOptions, short: "vz", long: "porcelain verbose"}},
	// Other sub-commands write the configuration or reach the network.
	{row: row{name: "remote", parser: parseOptions, short: "v", long: "verbose"}},
}

// checkListForm allows operands only where a flag makes them patterns.
func checkListForm(_ context.Context, c *call) error {
	names := c.names()
	if len(names) > 0 && !c.has("l", "list", "contains", "no-contains", "merged", "no-merged", "points-at", "n") {
		return refuse(badOperand, "git %s: %s would be made", c.row.name, names[0])
	}
	for _, f := range c.flags {
		if f.name == "n" && f.value != "" && !isDigits(f.value) {
			return refuse(badFlag, "git %s: -n%s", c.row.name, f.value)
		}
	}
	return nil
}

// checkGitGrep: the first operand is the pattern unless -e gave one, and ends
// the flags; "--" ends the revisions.
func checkGitGrep(_ context.Context, c *call) error {
	names := slices.DeleteFunc(c.afterPattern(c.names()), func(name string) bool { return name == "--" })
	return checkRevisions(names)
}
