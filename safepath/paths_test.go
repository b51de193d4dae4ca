package safepath_test

import (
	"errors"
	"strings"
	"testing"

	"septet/safepath"
)

// pathRow is one path and what must come of it. A row that ends well is also
// read or written, and what it lands on is compared.
type pathRow struct {
	name   string
	setup  []string
	raw    string
	access safepath.Access
	code   safepath.Code // "" when the path is accepted
	shown  string        // accepted: the path as shown; "" is not compared
	lands  string        // accepted: the file that is read or written, when not shown itself
	disk   string        // why the row is for the disk only
}

func longChain(n int) []string {
	lines := []string{"f end=text"}
	last := "end"
	for i := range n {
		name := "l" + strings.Repeat("x", i)
		lines = append(lines, "l "+name+" -> "+last)
		last = name
	}
	return append(lines, "l first -> "+last)
}

var lexicalRows = []pathRow{
	{name: "climbs out", raw: "../../etc/passwd", code: safepath.OutsideRoots},
	{name: "climbs out at the second step", setup: []string{"d a"}, raw: "a/../../x", code: safepath.OutsideRoots},
	{name: "sibling with the same prefix", raw: "$WS/../proj-evil/x", code: safepath.OutsideRoots},
	{name: "sibling with the same prefix, plain", raw: "$WS-evil/x", code: safepath.OutsideRoots},
	{name: "the root as a file to write", raw: "$WS", access: safepath.Write, code: safepath.InvalidPath},
	{name: "the root as a file to write, as a dot", raw: ".", access: safepath.Write, code: safepath.InvalidPath},
	{name: "the root as a file to read", raw: ".", code: safepath.NotRegularFile},
	{name: "empty", raw: "", code: safepath.InvalidPath},
	{name: "file with a slash at the end", setup: []string{"f f=x"}, raw: "f/", code: safepath.NotRegularFile},
	{name: "file with a slash and a dot at the end", setup: []string{"f f=x"}, raw: "f/.", code: safepath.NotRegularFile},
	{name: "new file with a slash at the end", raw: "new/", access: safepath.Write, code: safepath.InvalidPath},
	{name: "link to outside with a slash at the end", setup: []string{"l link -> $OUT"}, raw: "link/", code: safepath.OutsideRoots},
	{name: "parent of the root", raw: "../", code: safepath.OutsideRoots},
	{name: "text and kernel disagree about ..", setup: []string{"d real/deep", "f real/x=1", "f x=2", "l ln -> real/deep"}, raw: "ln/../x", code: safepath.AmbiguousPath},
	{name: "text and kernel agree about ..", setup: []string{"d a/b", "f a/x=1"}, raw: "a/b/../x", shown: "a/x"},
	{name: "back from a name that is not there", setup: []string{"f x=1"}, raw: "none/../x", shown: "x"},
	{name: "back from a name that is not there to a link", setup: []string{"f x=1", "l s -> x"}, raw: "none/../s", shown: "x"},
	{name: "leaves by its text and comes back", setup: []string{"f x=1"}, raw: "../proj/x", shown: "x"},
	{name: "redundant separators and dots", setup: []string{"f a/b/c=1"}, raw: "a//b/./c", shown: "a/b/c"},
	{name: "NUL", raw: "a\x00.txt", code: safepath.InvalidPath},
	{name: "too many bytes", raw: strings.Repeat("a/", 2100), code: safepath.InvalidPath},
	{name: "too many bytes, one name", raw: strings.Repeat("a", 4201), code: safepath.InvalidPath},
	{name: "too many components", raw: strings.Repeat("a/", 256) + "x", code: safepath.InvalidPath},
	{name: "one name too long for the disk", raw: strings.Repeat("n", 300), access: safepath.Write, code: safepath.InvalidPath, disk: "a tree in memory takes names of any length"},
	{name: "home", raw: "~/x", code: safepath.InvalidPath},
	{name: "a directory called ~", setup: []string{"f ~/x=1"}, raw: "./~/x", shown: "./~/x", lands: "~/x"},
	{name: "a file called ~", setup: []string{"f ~=1"}, raw: "~", shown: "~"},
	{name: "root whose name begins with ~ is literal", setup: []string{"f ~MyFolder/x=1"}, raw: "~MyFolder/x", shown: "~MyFolder/x"},
	{name: "variable of a shell", raw: "$HOME/x", code: safepath.NotFound},
	{name: "variable of a shell, existing", setup: []string{"f $HOME/x=1"}, raw: "$HOME/x", shown: "$HOME/x"},
	{name: "variable of Windows", raw: "%USERPROFILE%", code: safepath.NotFound},
	{name: "URL", raw: "file://$WS/x", code: safepath.NotFound},
	{name: "percent escapes", raw: "%2e%2e%2fx", code: safepath.NotFound},
	{name: "line feed in a name", setup: []string{"f a\nb=1"}, raw: "a\nb", shown: `a\u000ab`, lands: "a\nb"},
	{name: "line feed by its escape", setup: []string{"f a\nb=1"}, raw: `a\u000ab`, shown: `a\u000ab`, lands: "a\nb"},
	{name: "ESC in a name", setup: []string{"f a\x1b[31mb=1"}, raw: "a\x1b[31mb", shown: `a\u001b[31mb`, lands: "a\x1b[31mb"},
	{name: "direction override in a name", setup: []string{"f a\u202ecod.exe=1"}, raw: "a\u202ecod.exe", shown: `a\u202ecod.exe`, lands: "a\u202ecod.exe"},
	{name: "not UTF-8, by its escape", setup: []string{"f bad\xff=1", "f bad\ufffd=2"}, raw: `bad\xff`, shown: `bad\xff`, lands: "bad\xff"},
	{name: "not UTF-8, replaced: another file", setup: []string{"f bad\xff=1", "f bad\ufffd=2"}, raw: "bad\ufffd", shown: "bad\ufffd"},
	{name: "what is shown leads to what was shown, beside a file of that very name", setup: []string{`f bad\xff=1`, "f bad\xff=2"}, raw: `bad\xff`, shown: `bad\xff`, lands: "bad\xff"},
	{name: "the file of that very name, by what is shown", setup: []string{`f bad\xff=1`, "f bad\xff=2"}, raw: `bad\\xff`, shown: `bad\\xff`, lands: `bad\xff`},
	{name: "a directory that is shown, beside one of that very name", setup: []string{`f d\u000a/x=1`, "f d\n/x=2"}, raw: `d\u000a/x`, shown: `d\u000a/x`, lands: "d\n/x"},
	{name: "a directory that is shown, beside one of that very name, write", setup: []string{`f d\u000a/x=1`, "f d\n/x=2"}, raw: `d\u000a/x`, access: safepath.Write, shown: `d\u000a/x`, lands: "d\n/x"},
	{name: "an existing name that nothing is shown as", setup: []string{`f \x41=1`, "f A=2"}, raw: `\x41`, shown: `\\x41`, lands: `\x41`},
	{name: "a name that reads like an escape, alone", setup: []string{`f bad\xff=1`}, raw: `bad\xff`, shown: `bad\\xff`, lands: `bad\xff`},
	{name: "a name that reads like an escape, by its escape", setup: []string{`f bad\xff=1`}, raw: `bad\\xff`, shown: `bad\\xff`, lands: `bad\xff`},
	{name: "escaped slash is no slash", setup: []string{"d a", "f a/b=1"}, raw: `a\u002fb`, code: safepath.NotFound},
	{name: "escaped dots do not climb", raw: `\x2e\x2e/x`, code: safepath.NotFound},
	{name: "name of an option", setup: []string{"f -rf=1"}, raw: "-rf", shown: "-rf"},
	{name: "name of an option with a value", raw: "--output=x", access: safepath.Write, shown: "--output=x"},
	{name: "brackets are letters", setup: []string{"f app/[id]/page.tsx=1"}, raw: "app/[id]/page.tsx", shown: "app/[id]/page.tsx"},
	{name: "goes on below a file", setup: []string{"f f=1"}, raw: "f/x", code: safepath.NotDirectory},
	{name: "goes on below a file, write", setup: []string{"f f=1"}, raw: "f/x/y", access: safepath.Write, code: safepath.NotDirectory},
	{name: "a directory as a file", setup: []string{"d d"}, raw: "d", code: safepath.NotRegularFile},
	{name: "a directory as a file to write", setup: []string{"d d"}, raw: "d", access: safepath.Write, code: safepath.NotRegularFile},
	{name: "missing outside says no more than outside", raw: "$OUT/none", code: safepath.OutsideRoots},
}

var linkRows = []pathRow{
	{name: "link inside, relative", setup: []string{"f f=1", "l s -> f"}, raw: "s", shown: "f"},
	{name: "link inside, absolute", setup: []string{"f f=1", "l s -> $WS/f"}, raw: "s", shown: "f"},
	{name: "link inside, write keeps the link", setup: []string{"f f=1", "l s -> f"}, raw: "s", access: safepath.Write, shown: "f"},
	{name: "link that leaves and comes back", setup: []string{"f f=1", "l s -> ../proj/f"}, raw: "s", shown: "f"},
	{name: "link to a file outside", setup: []string{"l s -> /etc/passwd"}, raw: "s", code: safepath.OutsideRoots},
	{name: "link to a file outside, write", setup: []string{"l s -> $OUT/secret"}, raw: "s", access: safepath.Write, code: safepath.OutsideRoots},
	{name: "link to a directory outside", setup: []string{"l d -> $OUT"}, raw: "d/secret", code: safepath.OutsideRoots},
	{name: "link to a directory outside, far down", setup: []string{"f $OUT/a/b/x=1", "d e", "l e/d -> $OUT"}, raw: "e/d/a/b/x", code: safepath.OutsideRoots},
	{name: "link to a directory inside, far down", setup: []string{"f a/b/x=1", "d e", "l e/d -> ../a"}, raw: "e/d/b/x", shown: "a/b/x"},
	{name: "link to a directory outside, write", setup: []string{"l d -> $OUT"}, raw: "d/new", access: safepath.Write, code: safepath.OutsideRoots},
	{name: "link to a directory outside, new parents", setup: []string{"l d -> $OUT"}, raw: "d/n/e/w", access: safepath.Write, code: safepath.OutsideRoots},
	{name: "dangling link to outside, write", setup: []string{"l s -> $OUT/new"}, raw: "s", access: safepath.Write, code: safepath.OutsideRoots},
	{name: "dangling link inside, write", setup: []string{"l s -> new"}, raw: "s", access: safepath.Write, code: safepath.NotFound},
	{name: "dangling link inside, read", setup: []string{"l s -> new"}, raw: "s", code: safepath.NotFound},
	{name: "dangling link as a parent", setup: []string{"l s -> new"}, raw: "s/x", access: safepath.Write, code: safepath.NotFound},
	{name: "new file below a linked directory", setup: []string{"d d", "l s -> d"}, raw: "s/x/y", access: safepath.Write, shown: "d/x/y"},
	{name: "loop", setup: []string{"l a -> b", "l b -> a"}, raw: "a", code: safepath.InvalidPath},
	{name: "chain of 61", setup: longChain(60), raw: "first", code: safepath.InvalidPath},
	{name: "chain of 40", setup: longChain(39), raw: "first", shown: "end"},
	{name: "chain of 41", setup: longChain(40), raw: "first", code: safepath.InvalidPath},
	{name: "link to .git, read", setup: []string{"f .git/config=1", "l s -> .git"}, raw: "s/config", shown: ".git/config"},
	{name: "link to .git, write", setup: []string{"f .git/config=1", "l s -> .git"}, raw: "s/config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "link in the read-only root to the workspace, write", setup: []string{"f f=1", "l $RO/s -> $WS/f"}, raw: "$RO/s", access: safepath.Write, shown: "f"},
	{name: "link in the workspace to the read-only root, write", setup: []string{"l s -> $RO/r"}, raw: "s", access: safepath.Write, code: safepath.ReadOnlyRoot},
	{name: "link in the workspace to the read-only root, read", setup: []string{"l s -> $RO/r"}, raw: "s", shown: "$RO/r", lands: "$RO/r"},
	{name: "write in the read-only root", raw: "$RO/new", access: safepath.Write, code: safepath.ReadOnlyRoot},
	{name: "root of the process", raw: "/proc/self/root/etc/hostname", code: safepath.OutsideRoots},
	{name: "cwd of the process", raw: "/proc/self/cwd/x", code: safepath.OutsideRoots},
	{name: "descriptor of the process", raw: "/proc/self/fd/0", code: safepath.OutsideRoots},
	{name: "standard input", raw: "/dev/fd/0", code: safepath.OutsideRoots},
	{name: "environment of the process", raw: "/proc/self/environ", code: safepath.OutsideRoots},
	{name: "link to the process's root", setup: []string{"l s -> /proc/self/root$OUT/secret"}, raw: "s", code: safepath.OutsideRoots},
	{name: "empty link text cannot be: link to itself by a dot", setup: []string{"d d", "l d/s -> ."}, raw: "d/s/x", access: safepath.Write, shown: "d/x"},
}

var protectedRows = []pathRow{
	{name: "hook", raw: ".git/hooks/pre-commit", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "hook, existing", setup: []string{"f .git/hooks/pre-commit=1"}, raw: ".git/hooks/pre-commit", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "at depth", setup: []string{"d sub/.git"}, raw: "sub/.git/config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "upper case", raw: ".GIT/config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "mixed case", raw: ".Git/CONFIG", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "ignorable character", raw: ".g\u200cit/config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "other ignorable character", raw: ".gi\ufefft/config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "blank at the end", raw: ".git /config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "dot at the end", raw: ".git./config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "short name", raw: "GIT~1/config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "stream name", raw: ".git::$INDEX_ALLOCATION/config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: ".git as a file", setup: []string{"f .git=gitdir: ../gd"}, raw: ".git", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "the directory a .git file names", setup: []string{"f .git=gitdir: gd\n", "d gd"}, raw: "gd/config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "the directory a .git link names", setup: []string{"d real", "l .git -> real"}, raw: "real/config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "through a .git link", setup: []string{"d real", "l .git -> real"}, raw: ".git/config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "the directory a .git link names, not there yet", setup: []string{"d a", "l .git -> a/new"}, raw: "a/new/config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "what a .git link names, not there yet, new parents", setup: []string{"l .git -> a/new"}, raw: "a/new/config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "the directory a .git file names, not there yet", setup: []string{"f .git=gitdir: a/new\n"}, raw: "a/new/config", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "beside what a .git link names", setup: []string{"l .git -> a/new"}, raw: "a/newer", access: safepath.Write, shown: "a/newer"},
	{name: "skills below a link", setup: []string{"d real/skills", "l .agents -> real"}, raw: "real/skills/s/SKILL.md", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "skills below a link, not there yet", setup: []string{"d real", "l .agents -> real"}, raw: "real/skills/s/SKILL.md", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "skills below a link, new parents", setup: []string{"l .agents -> real"}, raw: "real/skills/s/SKILL.md", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "the pair only, below a link", setup: []string{"d real", "l .agents -> real"}, raw: "real/notes", access: safepath.Write, shown: "real/notes"},
	{name: "skills that are a link, not there yet", setup: []string{"l .agents/skills -> ../a/real"}, raw: "a/real/x", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "skills that are not there yet", raw: ".agents/skills/s/SKILL.md", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "skills in another case", raw: ".Agents/SKILLS/x", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "skills with a long s", raw: ".agents/\u017fkills/x", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "the pair only", raw: ".agents/notes", access: safepath.Write, shown: ".agents/notes"},
	{name: "skills alone", raw: "skills/x", access: safepath.Write, shown: "skills/x"},
	{name: "not .git but like it", raw: ".gitignore", access: safepath.Write, shown: ".gitignore"},
	{name: "github", raw: ".github/workflows/x.yml", access: safepath.Write, shown: ".github/workflows/x.yml"},
	{name: "read in .git", setup: []string{"f .git/config=1"}, raw: ".git/config", shown: ".git/config"},
	{name: "pattern", raw: "deep/secrets/key.pem", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "pattern, other case", raw: "KEY.PEM", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "pattern with a path", raw: "x/conf/prod/y", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "pattern below the root only", raw: "top/x", access: safepath.Write, code: safepath.ProtectedPath},
	{name: "pattern below the root only, deeper", raw: "a/top/x", access: safepath.Write, shown: "a/top/x"},
	{name: "pattern, read", setup: []string{"f key.pem=1"}, raw: "key.pem", shown: "key.pem"},
}

// A caller that takes a file or a directory never gets a link.
func TestFileOrDirectory(t *testing.T) {
	eachPlace(t, func(t *testing.T, at place, dir string) {
		w := newWorldAt(t, at, dir, "f a/f=1", "l a/file -> f", "l a/dir -> ../a", "l a/secret -> $OUT/secret", "l a/none -> nothing")
		for raw, want := range map[string]struct {
			shown string
			kind  safepath.Kind
			code  safepath.Code
		}{
			"a/f":      {shown: "a/f", kind: safepath.KindFile},
			"a/":       {shown: "a", kind: safepath.KindDirectory},
			"a/file":   {shown: "a/f", kind: safepath.KindFile},
			"a/dir":    {shown: "a", kind: safepath.KindDirectory},
			".":        {shown: ".", kind: safepath.KindDirectory},
			"a/f/":     {code: safepath.NotDirectory},
			"a/secret": {code: safepath.OutsideRoots},
			"a/none":   {code: safepath.NotFound},
			"a/gone":   {code: safepath.NotFound},
		} {
			p, err := w.resolve(raw, safepath.Read, safepath.FileOrDirectory)
			wantCode(t, err, want.code)
			if err == nil && (p.String() != want.shown || safepath.StatOf(p).Kind != want.kind) {
				t.Errorf("%s is %s, %v", raw, p, safepath.StatOf(p).Kind)
			}
		}
	})
}

// A path in a refusal is the path that was given, not escaped twice.
func TestGivenPathIsRepeated(t *testing.T) {
	w := newWorld(t, "l a\nb -> nothing")
	for raw, want := range map[string]string{
		`a\u000ab`:     `a\u000ab: `,
		"a\nb":         `a\u000ab: `,
		`../x\xff`:     `../x\xff is `,
		"../x\xff\x1b": `../x\xff\u001b is `,
	} {
		_, err := w.resolve(raw, safepath.Read, safepath.File)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", raw, err, want)
		}
	}
}

// The next step is said with its values, where they are known.
func TestHints(t *testing.T) {
	w := newWorld(t, "f a/f=1", "l a/none -> nothing")
	for raw, want := range map[string]string{
		"a/f/x":                    `list with path="a" shows what is beside it`,
		"a/none":                   `list with path="a" shows the names there; a write goes to a/nothing itself`,
		"a\x00":                    "leave the NUL byte out",
		strings.Repeat("x/", 300):  "choose a shorter path",
		strings.Repeat("x", 10000): "choose a shorter path",
	} {
		_, err := w.resolve(raw, safepath.Write, safepath.File)
		var e *safepath.Error
		if !errors.As(err, &e) || e.Hint != want {
			t.Errorf("%.20q: %v, hint %q", raw, err, e.Hint)
		}
	}
}

func TestLexical(t *testing.T)   { runRows(t, lexicalRows) }
func TestLinks(t *testing.T)     { runRows(t, linkRows) }
func TestProtected(t *testing.T) { runRows(t, protectedRows) }

func runRows(t *testing.T, rows []pathRow) {
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if row.access == 0 {
				row.access = safepath.Read
			}
			eachPlace(t, func(t *testing.T, at place, dir string) {
				if _, onDisk := at.(disk); row.disk != "" && !onDisk {
					t.Log("not run: " + row.disk)
					return
				}
				newWorldAt(t, at, dir, row.setup...).runRow(row)
			})
		})
	}
}

func (w *world) runRow(row pathRow) {
	w.config.Protect = []string{"*.pem", "conf/prod", "/top"}
	p, err := w.resolve(row.raw, row.access, safepath.File)
	wantCode(w.t, err, row.code)
	if err != nil {
		return
	}
	if want := w.expand(row.shown); row.shown != "" && p.String() != want {
		w.t.Errorf("shown as %q, want %q", p, want)
	}
	w.checkRoundTrip(p, row)
	w.checkLanding(p, row)
}

// checkRoundTrip resolves what is shown: it must be the same object.
func (w *world) checkRoundTrip(p *safepath.CheckedPath, row pathRow) {
	w.t.Helper()
	again := w.mustResolve(p.String(), row.access, safepath.File)
	if again.String() != p.String() || safepath.StatOf(again) != safepath.StatOf(p) {
		w.t.Errorf("%q resolves to %q when it is given back", p, again)
	}
}

func (w *world) checkLanding(p *safepath.CheckedPath, row pathRow) {
	w.t.Helper()
	lands := row.lands
	if lands == "" {
		lands = row.shown
	}
	if row.access == safepath.Read {
		got, err := w.read(row.raw)
		if err != nil {
			w.t.Fatal(err)
		}
		w.wantContent(lands, got)
		return
	}
	if _, err := w.write(row.raw, "written"); err != nil {
		w.t.Fatal(err)
	}
	w.wantContent(lands, "written")
}
