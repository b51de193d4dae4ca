package shell_test

import (
	"testing"

	"septet/tools/bash/shell"
)

func TestGitKeys(t *testing.T) {
	for _, key := range []string{
		"core.fsmonitor", "core.hookspath", "core.pager", "core.sshcommand", "core.editor", "core.attributesfile", "core.worktree", "core.excludesfile",
		"core.alternaterefscommand", "core.gitproxy", "core.askpass", "filter.x.clean", "filter.x.process", "filter.x.smudge", "filter.core.bare.clean",
		"diff.x.textconv", "diff.x.command", "diff.external", "diff.submodule", "diff.orderfile", "gpg.program", "gpg.ssh.program", "log.showsignature", "log.diffmerges",
		"alias.status", "alias.lg", "pager.log", "include.path", "includeif.gitdir:/.path", "extensions.partialclone", "remote.o.promisor", "remote.o.uploadpack",
		"remote.o.vcs", "credential.helper", "url.ext::sh.insteadof", "interactive.difffilter", "pretty.x", "format.pretty", "grep.fallbacktonoindex",
		"merge.x.driver", "sequence.editor", "browser.x.cmd", "man.x.cmd", "trailer.x.command", "difftool.x.cmd", "uploadpack.packobjectshook", "blame.ignorerevsfile",
		"submodule.x.update", "submodule.recurse", "http.proxy", "user", "", ".", "remote.url", "core.x.bare", "USER.name",
	} {
		if shell.HarmlessKey(key) {
			t.Errorf("%q is taken for harmless", key)
		}
	}
	for _, key := range []string{
		"core.bare", "core.filemode", "user.name", "remote.origin.url", "remote.a.b.c.url", "remote.origin.fetch", "branch.main.merge", "branch.feat/x.y.remote", "submodule.lib.url", "init.defaultbranch",
	} {
		if !shell.HarmlessKey(key) {
			t.Errorf("%q is not taken for harmless", key)
		}
	}
}
