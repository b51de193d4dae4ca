package tools_test

import (
	"os"
	"strings"
	"testing"
)

// reported lists what people told about other tools that read and change
// files, and the test that keeps it from happening here: the file, and a text
// in it that names the test or its case.
var reported = []struct{ symptom, file, test string }{
	{"a rewrite drops the execute bit", "../backend/backendtest/files.go", "func testMode("},
	{"new files are private instead of following the umask", "../backend/backendtest/files.go", "ModeAfter: plain.Mode, MadeParents"},
	{"a rewrite replaces a link by a file", "../backend/backendtest/files.go", "func testLinks("},
	{"an edit rewrites all line ends of a mixed file", "edit/splice_test.go", `"mixed line ends stay"`},
	{"line ends are doubled or converted", "edit/splice_test.go", `"CRLF file, exact"`},
	{"trailing blanks are stripped", "edit/splice_test.go", `"trailing blanks stay"`},
	{"a byte order mark is lost or doubled by an edit", "edit/splice_test.go", `"byte order mark stays"`},
	{"a byte order mark is lost without a word by a write", "write/write_test.go", "func TestWriteSaysWhatFormIsLost("},
	{"bytes that are not UTF-8 are written back as U+FFFD", "../backend/backendtest/files.go", `{"latin1",`},
	{"$& in the new text is expanded", "edit/splice_test.go", `"dollar signs are text"`},
	{"a fuzzy match edits the wrong block", "edit/diagnosis_test.go", "func TestNoMatchSaysWhy("},
	{"curly quotes are changed by normalising", "edit/diagnosis_test.go", `"a curly quote"`},
	{"bytes outside the edited text change", "edit/splice_test.go", "func TestOnlySpansChange("},
	{"edits of one file at once overwrite one another", "edit/edit_test.go", "func TestParallelEdits("},
	{"a change of another program is overwritten", "../backend/backendtest/races.go", "func testAnotherWriter("},
	{"a formatter's run makes every edit ask for another read", "edit/edit_test.go", "func TestEditNeedsNoRead("},
	{"an edit of a huge file takes all memory", "edit/edit_test.go", "func TestHugeFileIsNotLoaded("},
	{"a large file cannot be read at all", "read/huge_test.go", "func TestHugeFile("},
	{"a file over the limit ends in an error without a way on", "read/read_test.go", `{"too large",`},
	{"reading a pipe never ends", "read/read_test.go", `"pipe": "not_regular_file"`},
	{"an empty file gives an empty answer", "read/read_test.go", `"[empty file]"`},
	{"a cut splits a character", "read/read_test.go", `{"a long line",`},
	{"windows do not join to the file", "read/read_test.go", "func TestWindowsJoin("},
	{"a missing file's close name is not told", "read/read_test.go", "no close name in"},
}

// TestReportedHasTests: each line of the list names a test that is there.
func TestReportedHasTests(t *testing.T) {
	for _, r := range reported {
		source, err := os.ReadFile(r.file)
		if err != nil || !strings.Contains(string(source), r.test) {
			t.Errorf("%s: %s holds no %s (%v)", r.symptom, r.file, r.test, err)
		}
	}
}
