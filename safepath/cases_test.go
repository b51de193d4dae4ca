package safepath_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// cases says which test shows which promise, so that a promise without a test
// is seen. A name after a slash is a row of that test's table, or a subtest.
const cases = `
	climbing out by ..                               : TestLexical/climbs out TestRefusedBeforeAnySystemCall
	climbing out at a later step                     : TestLexical/climbs out at the second step
	a sibling with the same prefix                   : TestLexical/sibling with the same prefix TestLexical/sibling with the same prefix, plain
	the root itself as a file                        : TestLexical/the root as a file to write TestLexical/the root as a file to read
	an empty path                                    : TestLexical/empty
	a slash after a file                             : TestLexical/file with a slash at the end
	a slash after a link to outside                  : TestLexical/link to outside with a slash at the end
	the parent of a root                             : TestLexical/parent of the root
	a link and back by ..                            : TestLexical/text and kernel disagree about .. TestLexical/text and kernel agree about ..
	redundant separators                             : TestLexical/redundant separators and dots
	a NUL byte                                       : TestLexical/NUL
	too long, too deep                               : TestLexical/too many bytes TestLexical/too many components TestLexical/one name too long for the disk
	home and variables are not expanded              : TestLexical/home TestLexical/a file called ~ TestLexical/variable of a shell TestLexical/variable of Windows TestRootNamedLikeHome
	URLs are not decoded                             : TestLexical/URL TestLexical/percent escapes
	names that would forge output                    : TestLexical/line feed in a name TestLexical/ESC in a name TestLexical/direction override in a name FuzzEscape
	names that are not UTF-8                         : TestLexical/not UTF-8, by its escape TestLexical/not UTF-8, replaced: another file
	names like options                               : TestLexical/name of an option
	names like patterns                              : TestLexical/brackets are letters
	the process's own directory was deleted          : TestServerDirectoryDeleted
	a start directory from a call                    : TestStartDirectoryFromACall
	links inside                                     : TestLinks/link inside, relative TestLinks/link inside, absolute TestLinks/link that leaves and comes back
	links to outside                                 : TestLinks/link to a file outside TestLinks/link to a directory outside TestLinks/link to a file outside, write
	a file or a directory, never a link              : TestFileOrDirectory
	dangling links                                   : TestLinks/dangling link to outside, write TestLinks/dangling link inside, write TestLinks/dangling link as a parent
	loops and long chains of links                   : TestLinks/loop TestLinks/chain of 61 TestLinks/chain of 40 TestLinks/chain of 41
	links to a protected directory                   : TestLinks/link to .git, read TestLinks/link to .git, write
	links between a writable and a read-only root    : TestLinks/link in the read-only root to the workspace, write TestLinks/link in the workspace to the read-only root, write
	nested roots, both ways                          : TestNestedRootsLongestWins
	a root given as a link, and both its spellings   : TestRootGivenAsLink
	a root replaced or gone                          : TestRootReplaced TestRootMissingIsRetried
	the root of the file system, a slash at its end  : TestRootIsTheWholeFileSystem TestRootGivenAsLink
	the target swapped for a link before the rename  : TestCommitTargetSwappedForLink TestSwappedForLinkJustBeforeTheExchange
	a parent swapped with a link to outside          : TestRaceRead TestRaceCommit TestRaceMkdir TestRaceMkdirInside TestRaceWalk TestRaceReadNaively
	a parent swapped with a protected directory      : TestRaceCommit TestRaceProtectedDirectory
	a parent moved or deleted during a write         : TestCommitParentMoved TestCommitParentDeleted
	links of the kernel, the process's secrets       : TestLinks/root of the process TestLinks/cwd of the process TestLinks/descriptor of the process TestLinks/standard input TestLinks/environment of the process
	links of the kernel inside a root                : TestLinksOfTheKernelInsideTheRoot
	pipes, devices, sockets                          : TestPipe TestDevices TestSocket
	a pipe swapped in after the look                 : TestPipeSwappedIn TestRaceFIFO
	huge, sparse and growing files                   : TestTooLarge TestGrowingFileIsBounded
	files of the kernel                              : TestKernelFiles
	set-user-ID bits                                 : TestCommitDropsSetID
	owner, ACL, user attributes, capabilities        : TestAttributesAreCarriedOver TestDefaultACLIsNotInherited
	modes of old and new files                       : TestCommitKeepsMode TestCommitNewFile TestCommitNewFileWithMode
	a file that is a mount                           : TestFileThatIsAMount
	a read-only file system                          : TestReadOnlyMount
	directory or file without permission             : TestOrdinaryUser
	immutable and append-only files                  : TestImmutableAndAppendOnly
	a full disk                                      : TestDiskFull
	a crash                                          : TestCrash TestSweepTakesWhatAKilledWriteLeft
	no atomic exchange                               : TestWithoutExchange TestWithoutAnyAtomicRename
	another program saved meanwhile                  : TestCommitStale TestChangedJustBeforeTheExchange TestRaceLost TestRaceWrittenInPlace
	a save in place under way                        : TestSaveUnderWay TestOpenedForWritingJustBeforeTheExchange TestOurFileOpenedBeforeItIsTakenBack TestFileThatIsKeptOpen
	a third writer                                   : TestThirdWriter TestDeletedJustBeforeItIsTakenBack
	removal meets another writer                     : TestChangedJustBeforeTheRemoval
	hard links and links of a target                 : TestCommitHardLinks TestCommitKeepsLink
	protected names, present or not                  : TestProtected/hook TestProtected/at depth TestProtected/skills that are not there yet
	protected names in other spellings               : TestProtected/upper case TestProtected/ignorable character TestProtected/blank at the end TestProtected/dot at the end TestProtected/short name
	.git that is a file or a link                    : TestProtected/.git as a file TestProtected/the directory a .git file names TestProtected/the directory a .git link names
	a protected directory under another name         : TestBindMountOfProtectedDirectory TestProtectedDirectoryMadeLater TestProtectedDirectoryRenamedBeforeTheFirstWrite TestRaceProtectedDirectory
	a root inside a protected directory              : TestRootInsideProtectedDirectory
	directories that change after the check          : TestParentsThatAppearAreLookedAt TestDirectoryReplacedAfterTheCheck
	patterns of the user                             : TestProtected/pattern TestProtected/pattern with a path TestProtected/pattern below the root only
	the state directory                              : TestStateDirectoryIsClosed TestSpillOutsideTheRoots
	directories list links and do not follow them    : TestDirectoryListsLinksOnly TestRaceWalk
	large directories                                : TestFolderOfManyNames
	a directory that may be passed, not read         : TestOrdinaryUser
	names stay in their directory                    : TestNamesStayInTheDirectory
	Windows: shares, devices, streams, drives        : TestWindowsRefusal
	a command made a link before a write             : TestEveryCallResolvesAgain
	rules hold for the canonical path                : TestLinks/link to .git, write TestProtected/through a .git link
	temporary files lie beside the target            : TestCrash
	a name in another case, composition or blank     : TestCloseNames TestMistypedNames
	a path used without a check                      : TestUncheckedPathsAreRefused
	writers of one file share a lock                 : TestLockKey
	a process starts in the checked directory        : TestCommandDir
`

// notTried are cases that no test here can show, and why. They are told and
// not skipped: a skip means that this machine lacks something.
const notTried = `
	Windows: junctions and mount points              : needs Windows
	Windows: creating through a dangling link        : needs Windows; on Linux TestLinks/dangling link to outside, write
	darwin: names in another case are one file       : needs a file system that folds case
	bind mount of a part of a protected directory    : not promised; only the directory itself is known by identity
	bind mount of anything else into a root          : not promised; a mount is followed
	hard link to a file outside                      : not promised; it cannot be told from a file
`

func TestCasesHaveTests(t *testing.T) {
	tests, texts := testNames(t)
	rows := 0
	for line := range strings.Lines(cases) {
		what, names, ok := strings.Cut(line, " : ")
		if !ok {
			continue
		}
		rows++
		for i, ref := range splitRefs(names) {
			test, row, _ := strings.Cut(ref, "/")
			if !slices.Contains(tests, test) || row != "" && !slices.Contains(texts, row) {
				t.Errorf("%s: reference %d is to %q, which is no test", strings.TrimSpace(what), i+1, ref)
			}
		}
	}
	if rows < 60 {
		t.Errorf("%d rows were read", rows)
	}
	for line := range strings.Lines(notTried) {
		if what, why, ok := strings.Cut(line, " : "); ok {
			t.Logf("not tried: %s: %s", strings.TrimSpace(what), strings.TrimSpace(why))
		}
	}
}

// splitRefs splits at the blanks before "Test" and "Fuzz".
func splitRefs(s string) []string {
	s = strings.TrimSpace(s)
	for _, word := range []string{"Test", "Fuzz"} {
		s = strings.ReplaceAll(s, " "+word, "\n"+word)
	}
	return strings.Split(s, "\n")
}

// testNames returns the test functions of this package and every string in
// its tests.
func testNames(t *testing.T) (tests, texts []string) {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if name == "cases_test.go" {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				tests = append(tests, n.Name.Name)
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					texts = append(texts, text)
				}
			}
			return true
		})
	}
	return tests, texts
}
