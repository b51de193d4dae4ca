package edit

import (
	"strings"
	"testing"

	"septet/toolset"
)

const source = "package main\n\nfunc main() {\n\tif ready {\n\t\tprint(\"it’s on\")\n\t}\n}\n\nfunc other() {\n\tif ready {\n\t\tstop()\n\t}\n}\n"

func TestNoMatchSaysWhy(t *testing.T) {
	for _, tt := range []struct{ name, content, old, want string }{
		{
			"blanks for a tab", source, "    if ready {\n        stop()\n    }\n",
			"oldText is not in f; closest: lines 10-12, different in blanks or line ends only\n" +
				"hint: the file's text beside oldText (· blank, → tab, ␍ carriage return):\n" +
				"  line 10: →if ready {\n" +
				"  oldText: ····if ready {\n" +
				"  line 11: →→stop()\n" +
				"  oldText: ········stop()\n" +
				"  line 12: →}\n" +
				"  oldText: ····}\n" +
				`then read {"path":"f","offset":9,"limit":3} and copy it exactly`,
		},
		{
			"a curly quote", source, "print(\"it's on\")",
			"oldText is not in f; closest: line 5, different in look-alike characters such as quotes or dashes\n" +
				"hint: the file's text beside oldText (· blank, → tab, ␍ carriage return):\n" +
				"  line 5:  →→print(\"it’s on\")\n" +
				"  oldText: print(\"it's on\")\n" +
				`then read {"path":"f","offset":4,"limit":1} and copy it exactly`,
		},
		{
			"one line of three is stale", source, "func other() {\n\tif done {\n\t\tstop()\n",
			"oldText is not in f; closest: lines 9-11, 2 of 3 lines equal\n" +
				"hint: the file's text beside oldText (· blank, → tab, ␍ carriage return):\n" +
				"  line 10: →if ready {\n" +
				"  oldText: →if done {\n" +
				`then read {"path":"f","offset":8,"limit":3} and copy it exactly`,
		},
		{
			"a line's letters", source, "func Other()",
			"oldText is not in f; closest: line 9, different in upper and lower case\n" +
				"hint: the file's text beside oldText (· blank, → tab, ␍ carriage return):\n" +
				"  line 9:  func other() {\n" +
				"  oldText: func Other()\n" +
				`then read {"path":"f","offset":8,"limit":1} and copy it exactly`,
		},
		{
			"trailing blank", "a \nb\n", "a\nb\n",
			"oldText is not in f; closest: lines 1-2, different in blanks or line ends only\n" +
				"hint: the file's text beside oldText (· blank, → tab, ␍ carriage return):\n" +
				"  line 1:  a·\n" +
				"  oldText: a\n" +
				`then read {"path":"f","offset":0,"limit":2} and copy it exactly`,
		},
		{
			"a rare line speaks louder than braces", "alpha()\n}\n}\n\nrare name here\nx\ny\n", "rare name here\n}\n}\n",
			"oldText is not in f; closest: lines 5-7, 1 of 3 lines equal\n" +
				"hint: the file's text beside oldText (· blank, → tab, ␍ carriage return):\n" +
				"  line 6:  x\n" +
				"  oldText: }\n" +
				"  line 7:  y\n" +
				"  oldText: }\n" +
				`then read {"path":"f","offset":4,"limit":3} and copy it exactly`,
		},
		{
			"more lines than the file has", "a1\nb2\n", "a1\nb2\nc3\n",
			"oldText is not in f; closest: lines 1-2, 2 of 3 lines equal\n" +
				"hint: the file's text beside oldText (· blank, → tab, ␍ carriage return):\n" +
				"  line 3:  \n" +
				"  oldText: c3\n" +
				`then read {"path":"f","offset":0,"limit":2} and copy it exactly`,
		},
		{
			"line numbers", source, "3: func main() {\n4: \tif ready {\n",
			"oldText is not in f: it holds line numbers, which are no part of the file\n" +
				`hint: copy the text from the file as it is: read {"path":"f"}`,
		},
		{
			"escapes", source, `if ready {\n\t\tstop()`,
			"oldText is not in f: it holds escapes such as \\n as two characters; without them it is at line 10\n" +
				`hint: copy the text from the file as it is: read {"path":"f"}`,
		},
		{
			"nothing like it", source, "SELECT * FROM zoo",
			"oldText is not in f, nor anything like it\n" +
				`hint: look for it with grep, or read {"path":"f"}`,
		},
		{"blanks only", source, "     ", "oldText is not in f, nor anything like it\n" + `hint: look for it with grep, or read {"path":"f"}`},
		{"empty file", "", "x", "oldText is not in f: the file is empty\nhint: use write to fill it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := apply("f", tt.content, Input{OldText: tt.old, NewText: "-"})
			e := toolset.AsError(err)
			if err == nil || e.Code != toolset.NoMatch || e.Text() != tt.want {
				t.Errorf("got  %s\n%s\nwant %s", e.Code, e.Text(), tt.want)
			}
		})
	}
}

// TestManyEqualLines would take hours if each line spoke for each of its
// equals.
func TestManyEqualLines(t *testing.T) {
	content, old := strings.Repeat("a b\n", 60000), strings.Repeat("a  b\n", 50000)
	_, err := apply("f", content, Input{OldText: old, NewText: "-"})
	if fact := toolset.AsError(err).Fact; !strings.HasSuffix(fact, "different in blanks or line ends only") {
		t.Error(fact)
	}
}

// TestLongLinesAreCutAtTheDifference keeps a minified file out of the error.
func TestLongLinesAreCutAtTheDifference(t *testing.T) {
	line := strings.Repeat("let a=1;", 8000)
	content := line + "end" + line + "\n"
	_, err := apply("f", content, Input{OldText: line + "END" + line, NewText: "-"})
	text := toolset.AsError(err).Text()
	if !strings.Contains(text, "a=1;endlet") || !strings.Contains(text, "a=1;ENDlet") || len(text) > 1000 {
		t.Errorf("%d bytes: %.2000s", len(text), text)
	}
}
