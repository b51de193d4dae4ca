package shell

import (
	"strconv"
	"strings"
)

// release is a line of versions that a row was written from and tried with. A
// program of another maker has the same name and other flags, and so may the
// next version of this one: what is on no row's line asks.
type release struct {
	prints string  // how the first line of --version begins, up to the number; * is the program's name
	from   version // the first that is known
	before version // the first that is not; zero where the line has no number
}

// version is a major and a minor number.
type version [2]int

var (
	coreutils = []release{{"* (GNU coreutils) ", version{8, 25}, version{10}}}
	diffutils = []release{{"* (GNU diffutils) ", version{3, 6}, version{4}}}
	utilLinux = []release{{"* from util-linux ", version{2, 33}, version{3}}}
	findutils = []release{{"find (GNU findutils) ", version{4, 6}, version{5}}}
	gnuGrep   = []release{{"grep (GNU grep) ", version{3, 1}, version{4}}}
	gnuSed    = []release{{"sed (GNU sed) ", version{4, 4}, version{5}}}
	binutils  = []release{{"GNU strings (", version{2, 30}, version{3}}, {"GNU strings version ", version{2, 30}, version{3}}}
	vimXxd    = []release{{"xxd ", version{2020}, version{2027}}}
	darwinsys = []release{{"file-", version{5, 35}, version{6}}}
	ripgrep   = []release{{"ripgrep ", version{13}, version{16}}}
	// The first that knows safe.bareRepository: an older one would use a
	// repository that came with the tree.
	gitSCM = []release{{"git version ", version{2, 38}, version{3}}}
	// Debian's which is a script that knows no --version.
	whichTool     = []release{{prints: "Illegal option --"}, {"GNU which v", version{2, 20}, version{3}}}
	hostnameTools = []release{{"hostname ", version{3}, version{4}}, {"hostname (GNU inetutils) ", version{1, 9}, version{3}}, coreutils[0]}
)

// covers reports whether the first line that a program prints for --version
// names one of the releases. A program that is not there prints "": whatever
// its row says, nothing runs.
func covers(releases []release, program, line string) bool {
	if line == "" {
		return true
	}
	for _, r := range releases {
		rest, found := strings.CutPrefix(line, strings.ReplaceAll(r.prints, "*", program))
		if found && r.has(rest) {
			return true
		}
	}
	return false
}

// has looks at the first number in text: binutils says "for Debian) 2.40".
func (r release) has(text string) bool {
	if r.before == (version{}) {
		return true
	}
	at := strings.IndexAny(text, "0123456789")
	if at < 0 {
		return false
	}
	v, ok := readVersion(text[at:])
	return ok && !v.less(r.from) && v.less(r.before)
}

// readVersion reads "2.39.5" or "2022-01-14". A minor number may be missing.
func readVersion(text string) (v version, ok bool) {
	for i := range v {
		end := len(text) - len(strings.TrimLeft(text, "0123456789"))
		n, err := strconv.Atoi(text[:end])
		if err != nil {
			return v, i > 0
		}
		v[i] = n
		if text = text[end:]; text == "" || text[0] != '.' {
			return v, true
		}
		text = text[1:]
	}
	return v, true
}

func (v version) less(w version) bool {
	return v[0] < w[0] || v[0] == w[0] && v[1] < w[1]
}
