// Command tally reads the output of "go test -json" and prints what a person
// wants to see of it: a line per package, the whole output of what failed, the
// skipped tests with their reasons, and a count at the end. It exits 1 when
// anything failed.
//
// The variables SEPTET_CHECK_SKIPS and SEPTET_CHECK_COUNTS may name files to
// which skips and counts are appended: of the skips those for want of a
// program, which somebody can install. Others name what a test cannot have on
// this system, such as a right or a kind of disk.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// maxLineBytes is far over the longest line that test2json writes for one line
// of output; a longer one ends the tally with an error instead of being lost.
const maxLineBytes = 8 << 20

func main() {
	t := tally{out: os.Stdout, output: map[string][]string{}}
	if err := t.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
	t.summary()
	t.record(os.Getenv("SEPTET_CHECK_COUNTS"), fmt.Sprintln(t.passed, t.failed))
	t.record(os.Getenv("SEPTET_CHECK_SKIPS"), strings.Join(t.lacking(), ""))
	if t.failed > 0 {
		os.Exit(1)
	}
}

// event is one line of test2json.
type event struct {
	Action     string
	Package    string
	ImportPath string // build output only
	Test       string
	Elapsed    float64 // seconds
	Output     string
}

// key names the test, package or build that an event belongs to.
func (e event) key() string {
	if e.ImportPath != "" {
		return e.ImportPath
	}
	return e.Package + " " + e.Test
}

type tally struct {
	out            io.Writer
	output         map[string][]string // by key, until it is known to be needed
	passed, failed int
	packages       int
	failedTests    map[string]bool // packages with a failed test
	skips          []string        // lines
}

func (t *tally) read(r io.Reader) error {
	t.failedTests = map[string]bool{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLineBytes)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(t.out, lines.Text()) // not from a test: the go command itself
			continue
		}
		t.add(e)
	}
	return lines.Err()
}

func (t *tally) add(e event) {
	switch e.Action {
	case "output", "build-output":
		t.output[e.key()] = append(t.output[e.key()], e.Output)
	case "build-fail":
		t.show(e)
	case "pass", "fail", "skip":
		if e.Test == "" {
			t.endPackage(e)
		} else {
			t.endTest(e)
		}
	}
}

func (t *tally) endTest(e event) {
	switch e.Action {
	case "pass":
		t.passed++
	case "fail":
		t.failed++
		t.failedTests[e.Package] = true
		t.show(e)
	case "skip":
		t.skips = append(t.skips, fmt.Sprintf("test %s %s: %s\n", e.Package, e.Test, t.reason(e)))
	}
	delete(t.output, e.key())
}

// endPackage counts a package that failed without a failed test, such as one
// that does not build or whose TestMain gave up, as one failure.
func (t *tally) endPackage(e event) {
	if e.Action == "fail" && !t.failedTests[e.Package] {
		t.failed++
		t.show(e)
	}
	if e.Action != "skip" { // a package without tests
		t.packages++
		fmt.Fprintf(t.out, "%-4s %s (%.1f s)\n", e.Action, e.Package, e.Elapsed)
	}
	delete(t.output, e.key())
}

func (t *tally) show(e event) {
	fmt.Fprint(t.out, strings.Join(t.output[e.key()], ""))
}

// reason is the last thing a skipped test said, without its file and line.
func (t *tally) reason(e event) string {
	said := ""
	for _, line := range t.output[e.key()] {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "===") || strings.HasPrefix(line, "---") {
			continue
		}
		said = line
	}
	if _, after, found := strings.Cut(said, ".go:"); found {
		_, said, _ = strings.Cut(after, ": ")
	}
	return said
}

// lacking are the skips for want of a program.
func (t *tally) lacking() []string {
	return slices.DeleteFunc(slices.Clone(t.skips), func(skip string) bool {
		return !strings.Contains(skip, "is not installed") && !strings.Contains(skip, "is missing")
	})
}

func (t *tally) summary() {
	for _, skip := range t.skips {
		fmt.Fprint(t.out, "SKIP ", skip)
	}
	fmt.Fprintf(t.out, "%d tests passed, %d failed, %d skipped in %d packages\n", t.passed, t.failed, len(t.skips), t.packages)
}

func (t *tally) record(file, text string) {
	if file == "" || text == "" {
		return
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
}
